#!/bin/sh
# What the container `nightly` does: something to show, a night at once, then one by HEADROOM_SCHEDULE.
set -eu
echo "$HEADROOM_SCHEDULE $*" > /tmp/crontab
supercronic -no-reap -quiet -test /tmp/crontab
# A run in the background, so that a container that is stopped can tell the night.
night() {
  "$@" &
  trap "kill $! && wait $!; exit" TERM
  wait $!
}
# Results that are held back must not keep Grafana from its first warehouse; before that there is no Grafana.
if ! [ -e "$HEADROOM_WAREHOUSE/headroom.duckdb" ]; then
  night headroom nightly data
fi
night "$@" || echo "the next night is that of the schedule: $HEADROOM_SCHEDULE"
trap - TERM
exec supercronic -no-reap -passthrough-logs /tmp/crontab
