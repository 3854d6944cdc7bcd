#!/bin/sh
# Databases and keys are never deleted by a package, not even by purging it.
set -e
if [ "${1:-}" = purge ]; then
  echo "daybook: /var/lib/daybook and /etc/daybook stay. Delete them yourself if no booking in them is wanted any more."
fi
