#!/bin/sh
# What the container `grafana` runs: with the data source and the boards on Trino where there is one.
set -eu
mkdir -p "$GF_PATHS_PROVISIONING"
cp -r /etc/grafana/provisioning/. "$GF_PATHS_PROVISIONING"
if [ -n "${HEADROOM_TRINO_URL:-}" ]; then
  cp -r /etc/grafana/provisioning-trino/. "$GF_PATHS_PROVISIONING"
fi
exec /run.sh
