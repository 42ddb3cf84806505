# The service `catalog` of docker-compose.yml: which tables there are on Trino, and where.
FROM postgres:17.6-bookworm
COPY trino/catalog.sql /docker-entrypoint-initdb.d/
USER postgres
