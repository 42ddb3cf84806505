# The service `nightly` of docker-compose.yml.
FROM golang:1.26.5-bookworm AS cron
# Built from source, which Go checks against its checksum database.
RUN CGO_ENABLED=0 go install -trimpath -ldflags="-s -w" github.com/aptible/supercronic@v0.2.48

FROM python:3.11.14-slim-bookworm AS build
WORKDIR /app
RUN python3 -m venv /uv && /uv/bin/pip install --quiet --no-cache-dir uv==0.13.8
COPY pyproject.toml uv.lock README.md ./
ENV UV_PYTHON_DOWNLOADS=never UV_NO_CACHE=1 UV_LINK_MODE=copy
RUN /uv/bin/uv sync --quiet --frozen --no-dev --extra trino --no-install-project --compile-bytecode
COPY headroom headroom
COPY ingest ingest
COPY expectations expectations
RUN /uv/bin/uv sync --quiet --frozen --no-dev --extra trino --compile-bytecode
COPY dbt_project dbt_project
COPY data data
COPY dashboards/generated dashboards/generated
COPY dashboards/provisioning dashboards/provisioning
COPY docs/queries docs/queries

FROM python:3.11.14-slim-bookworm
RUN groupadd --gid 10001 headroom && useradd --uid 10001 --gid headroom --no-create-home headroom \
    && install -d -o headroom -g headroom /warehouse && install -d /app/results
COPY --from=cron /go/bin/supercronic /usr/local/bin/
COPY deploy/nightly.sh /usr/local/bin/
COPY --from=build /app /app
WORKDIR /app
ENV PATH=/app/.venv/bin:$PATH HEADROOM_WAREHOUSE=/warehouse HOME=/tmp
USER headroom
CMD ["nightly.sh", "headroom", "nightly", "data", "results"]
