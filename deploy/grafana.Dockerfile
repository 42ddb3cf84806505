# The service `grafana` of docker-compose.yml: Grafana with the DuckDB data source.
FROM python:3.11.14-slim-bookworm AS plugin
ARG VERSION=0.4.5
ADD https://github.com/motherduckdb/grafana-duckdb-datasource/releases/download/v${VERSION}/motherduck-duckdb-datasource-${VERSION}.zip /plugin.zip
ARG DUCKDB_PLUGIN_SHA256
RUN sha256sum /plugin.zip && echo "$DUCKDB_PLUGIN_SHA256  /plugin.zip" | sha256sum --check --strict
RUN python3 -m zipfile --extract /plugin.zip /plugins && find /plugins -name 'gpx_*' -exec chmod 755 {} +

# Ubuntu: the plugin needs glibc 2.35, which the usual image does not have.
FROM grafana/grafana:12.4.0-ubuntu
# Not below /var/lib/grafana, where a volume would go on showing an older version.
ENV GF_PATHS_PLUGINS=/usr/share/grafana-plugins
COPY --from=plugin /plugins $GF_PATHS_PLUGINS
