#!/bin/sh
# What the container `store` runs: folders below /data are buckets.
set -eu
ROOT_SECRET_KEY=$(cat "$LAKE_PASSWORD_FILE")
export ROOT_SECRET_KEY ROOT_ACCESS_KEY=headroom
exec versitygw --port :7070 posix /data
