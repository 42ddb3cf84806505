"""What Grafana is told of a publication."""

import base64
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from headroom.publish import tell_grafana

ASKED: list[tuple[str, str, str]] = []


class _Grafana(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        login = base64.b64decode(self.headers["Authorization"].removeprefix("Basic ")).decode()
        ASKED.append((self.command, self.path, login))
        self.send_response(200 if login == "admin:secret" else 401)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing on stderr."""


@pytest.fixture
def grafana(monkeypatch: pytest.MonkeyPatch) -> str:
    server = HTTPServer(("127.0.0.1", 0), _Grafana)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setenv("GRAFANA_URL", url + "/")
    monkeypatch.setenv("GRAFANA_PASSWORD", "secret")
    ASKED.clear()
    return url


def test_grafana_is_told_to_open_its_files_anew(grafana: str) -> None:
    assert tell_grafana() == f"{grafana}/: reloaded (200)"
    assert ASKED == [("POST", "/api/admin/provisioning/datasources/reload", "admin:secret")]


def test_a_grafana_that_does_not_take_it_is_named(
    grafana: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAFANA_PASSWORD", "wrong")
    told = tell_grafana()
    assert told is not None
    assert told.startswith(f"{grafana}/: NOT reloaded")
    assert "401" in told
    assert "wrong" not in told


def test_without_grafana_nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRAFANA_URL", raising=False)
    assert tell_grafana() is None
