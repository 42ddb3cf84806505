#!/bin/sh
# The container `nightly`: a night of data/ if there is no release, a night at once, then HEADROOM_SCHEDULE.
set -eu
echo "$HEADROOM_SCHEDULE $*" > /tmp/crontab
supercronic -no-reap -quiet -test /tmp/crontab
# Runs in the background, so that stopping the container can stop the night.
night() {
  "$@" &
  trap "kill $! && wait $!; exit" TERM
  wait $!
}
# Results that are held back must not keep Grafana from its first warehouse, which it needs to start.
if ! [ -e "$HEADROOM_WAREHOUSE/headroom.duckdb" ]; then
  night headroom nightly data
fi
night "$@" || echo "the next night is that of the schedule: $HEADROOM_SCHEDULE"
trap - TERM
exec supercronic -no-reap -passthrough-logs /tmp/crontab
