#!/bin/sh
# A night of the container `lake`: a warehouse of its own, and its models on Trino.
set -eu
AWS_SECRET_ACCESS_KEY=$(cat "$LAKE_PASSWORD_FILE")
export AWS_SECRET_ACCESS_KEY
headroom nightly data
on_trino() {
  python -m headroom.trino --warehouse "$HEADROOM_WAREHOUSE" --host trino "$@"
}
on_trino boards --to /boards
on_trino build --shards s3://lake/raw
on_trino check
on_trino publish
