# The service `trino` of docker-compose.yml: a coordinator that works, too.
FROM trinodb/trino:476
COPY trino/etc trino/rules.json /etc/trino/
COPY trino/start.sh /usr/local/bin/
CMD ["start.sh"]
