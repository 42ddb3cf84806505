# The service `grafana` of docker-compose.yml: Grafana with the data source of DuckDB.
# It is not signed, so it is built from the commit of its version 0.4.5; go.sum and package-lock.json,
# which are part of that commit, check all downloads of the build. queries_only makes it refuse everything but queries.
FROM golang:1.26.5-bookworm AS source
ARG COMMIT=d3e6299d0052456d818b793f87cfcb4f9eaaa47d
WORKDIR /plugin
RUN git init --quiet \
    && git fetch --quiet --depth 1 https://github.com/motherduckdb/grafana-duckdb-datasource "$COMMIT" \
    && git checkout --quiet FETCH_HEAD

FROM source AS backend
COPY queries_only queries_only
RUN go test ./queries_only \
    && go build -trimpath -ldflags="-s -w" -o "dist/gpx_duckdb_datasource_linux_$(go env GOARCH)" ./queries_only

FROM node:24.9.0-bookworm-slim AS frontend
WORKDIR /plugin
COPY --from=source /plugin .
# Without the browsers of its end-to-end tests.
RUN npm pkg delete "devDependencies.@grafana/plugin-e2e" "devDependencies.@playwright/test" \
    && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error \
    && npm run build

# Ubuntu: the plugin needs glibc and libstdc++, which the usual image does not have.
FROM grafana/grafana:12.4.0-ubuntu
# Not below /var/lib/grafana, where a volume would go on showing an older version.
ENV GF_PATHS_PLUGINS=/usr/share/grafana-plugins
COPY --from=frontend /plugin/dist $GF_PATHS_PLUGINS/motherduck-duckdb-datasource
COPY --from=backend /plugin/dist $GF_PATHS_PLUGINS/motherduck-duckdb-datasource
