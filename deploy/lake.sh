#!/bin/sh
# A night of the container `lake`: the papers and models in a warehouse of its own, the results of the store on Trino.
set -eu
AWS_SECRET_ACCESS_KEY=$(cat "$LAKE_PASSWORD_FILE")
export AWS_SECRET_ACCESS_KEY
headroom nightly data
on_trino() {
  python -m headroom.trino --warehouse "$HEADROOM_WAREHOUSE" --host trino "$@"
}
on_trino boards --to /boards
on_trino build --shards s3://lake/raw --from s3://lake/results
on_trino check
on_trino publish
