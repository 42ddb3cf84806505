#!/bin/sh
# What the container `nightly` does: something to show, a night at once, then one by HEADROOM_SCHEDULE.
set -eu
echo "$HEADROOM_SCHEDULE headroom nightly data results" > /tmp/crontab
supercronic -no-reap -quiet -test /tmp/crontab
# Results that are held back must not keep Grafana from its first warehouse.
[ -e "$HEADROOM_WAREHOUSE/headroom.duckdb" ] || headroom nightly data
headroom nightly data results || echo "the next night is that of the schedule: $HEADROOM_SCHEDULE"
exec supercronic -no-reap -passthrough-logs /tmp/crontab
