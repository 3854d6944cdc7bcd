#!/bin/sh
# Before the package goes: the service goes, too. Its data, keys and settings stay. An upgrade leaves it running.
set -e
case "${1:-}" in
  remove | 0) ;;
  *) exit 0 ;;
esac
if [ -e /etc/systemd/system/daybook.service ]; then
  /usr/bin/daybook uninstall --yes || echo "daybook: the service was left as it is" >&2
fi
