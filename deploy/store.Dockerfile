# The service `store` of docker-compose.yml: a volume with the interface of S3.
FROM golang:1.26.5-bookworm AS build
# Built from source, which Go checks against its checksum database.
RUN CGO_ENABLED=0 go install -trimpath -ldflags="-s -w" github.com/versity/versitygw/cmd/versitygw@v1.8.0

FROM debian:12.11-slim
RUN groupadd --gid 10001 headroom && useradd --uid 10001 --gid headroom --no-create-home headroom \
    && install -d -o headroom -g headroom /data/lake
COPY --from=build /go/bin/versitygw /usr/local/bin/
COPY trino/store.sh /usr/local/bin/
USER headroom
CMD ["store.sh"]
