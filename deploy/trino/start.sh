#!/bin/sh
# What the container `trino` runs: Trino reads passwords from its environment only.
set -eu
AWS_SECRET_ACCESS_KEY=$(cat "$LAKE_PASSWORD_FILE")
export AWS_SECRET_ACCESS_KEY CATALOG_PASSWORD="$AWS_SECRET_ACCESS_KEY"
exec /usr/lib/trino/bin/run-trino
