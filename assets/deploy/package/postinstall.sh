#!/bin/sh
# After the files of the package are there: "daybook install" makes the service, or upgrades it with the settings that
# it has. It never replaces keys, settings or data.
set -e
case "${1:-}" in
  configure | 1 | 2) ;; # Debian's word; Fedora's numbers of packages that are left
  *) exit 0 ;;
esac
if [ -e /etc/systemd/system/daybook.service ]; then
  # Where it fails, the service goes on as it was, and so does this package's configuration when it is tried again.
  exec /usr/bin/daybook install --yes
fi
# A new service answers this machine alone, until its owner gives it a name in DNS.
if /usr/bin/daybook install --yes --base-url http://localhost:8080; then
  echo "To serve it to everybody:  daybook install --tls-domain book.example.com   (or behind a proxy: --base-url)"
else
  echo "daybook: the program is installed, and no service was made. When that is mended:  daybook install --help" >&2
fi
