"""The Docker and systemd files are valid, pinned and closed by default; nothing is started."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from dockerfile_parse import DockerfileParser

from tests.conftest import ROOT

IMAGES = {
    path.stem: [
        (step["instruction"], step["value"]) for step in DockerfileParser(str(path)).structure
    ]
    for path in (ROOT / "Dockerfile", *(ROOT / "deploy").glob("*.Dockerfile"))
}
IMAGE, GRAFANA_IMAGE = IMAGES["Dockerfile"], IMAGES["grafana"]
COMPOSE = (ROOT / "docker-compose.yml").read_text()
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE)["services"]
NIGHTLY, GRAFANA = SERVICES["nightly"], SERVICES["grafana"]
EXAMPLE = (ROOT / ".env.example").read_text()
Steps = list[tuple[str, str]]
SETTINGS = re.findall(r"\$\{(\w+):-([^}]*)\}", COMPOSE)
DEFAULTS = dict(SETTINGS)


def _with_defaults(text: str) -> str:
    return re.sub(r"\$\{(\w+):-([^}]*)\}", r"\2", text)


def _mounts(service: dict[str, Any]) -> dict[str, tuple[str, set[str]]]:
    """The source and options of each mount, by its path in the container."""
    mounts = {}
    for mount in service.get("volumes", ()):
        if isinstance(mount, dict):
            options = {"ro"} if mount["read_only"] else set()
            mounts[mount["target"]] = (_with_defaults(mount["source"]), options)
        else:
            source, target, *options = _with_defaults(mount).split(":")
            mounts[target] = (source, set(",".join(options).split(",")))
    return mounts


@pytest.fixture
def compose_command() -> list[str]:
    if not shutil.which("docker"):
        pytest.skip("docker is not installed")
    if subprocess.run(["docker", "compose", "version"], capture_output=True).returncode:
        pytest.skip("docker has no compose")
    return ["docker", "compose", "--file", str(ROOT / "docker-compose.yml"), "--env-file"]


def test_compose_accepts_the_file(compose_command: list[str], tmp_path: Path) -> None:
    environment = {name: value for name, value in os.environ.items() if name not in DEFAULTS}
    settings = tmp_path / "env"
    settings.write_text(EXAMPLE)
    subprocess.run([*compose_command, settings, "config", "--quiet"], env=environment, check=True)


def test_every_variable_has_a_default() -> None:
    assert len(re.findall(r"(?<!\$)\$\{?\w", COMPOSE)) == len(SETTINGS)


def test_the_example_has_the_settings_of_compose() -> None:
    optional = dict(re.findall(r"^#(\w+)=(.*)$", EXAMPLE, re.MULTILINE))
    assert optional.keys() == DEFAULTS.keys()
    for name, value in optional.items():
        assert value == DEFAULTS[name] or not value or value.startswith("./secrets/"), name
    assert "/.env" in (ROOT / ".gitignore").read_text().splitlines()


def test_mounted_folders_exist() -> None:
    volumes = yaml.safe_load(COMPOSE)["volumes"]
    for service in SERVICES.values():
        for source, _ in _mounts(service).values():
            assert (ROOT / source).is_dir() if source.startswith(".") else source in volumes


def test_only_nightly_writes_and_results_are_read_only() -> None:
    assert _mounts(NIGHTLY)["/warehouse"] == ("warehouse", {""})
    assert "ro" in _mounts(NIGHTLY)["/app/results"][1]
    grafana = _mounts(GRAFANA)
    assert grafana["/warehouse"] == ("warehouse", {"ro", "nocopy"})
    writable = [target for target, (_, options) in grafana.items() if "ro" not in options]
    assert writable == ["/var/lib/grafana"]


@pytest.mark.parametrize("name", SERVICES)
def test_service_is_confined_and_has_a_healthcheck(name: str) -> None:
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["tmpfs"][0] == "/tmp"
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["pids_limit"] == 512
    assert re.fullmatch(r"\d+g", _with_defaults(service["mem_limit"]))
    assert service["healthcheck"]["test"][0] == "CMD"
    assert "image" not in service


def test_grafana_is_closed_by_default() -> None:
    assert [_with_defaults(port) for port in GRAFANA["ports"]] == ["127.0.0.1:3000:3000"]
    environment = GRAFANA["environment"]
    assert _with_defaults(environment["GF_AUTH_ANONYMOUS_ENABLED"]) == "false"
    assert "ports" not in NIGHTLY


def test_each_secret_is_a_file_of_one_service() -> None:
    assert GRAFANA["secrets"] == ["grafana_password", "alert_webhook_url"]
    assert NIGHTLY["secrets"] == ["webhook_url"]
    password = GRAFANA["environment"]["GF_SECURITY_ADMIN_PASSWORD__FILE"]
    assert password == "/run/secrets/grafana_password"
    assert NIGHTLY["environment"]["HEADROOM_WEBHOOK_URL_FILE"] == "/run/secrets/webhook_url"
    assert not [name for name in NIGHTLY["environment"] if name.startswith("GRAFANA")]
    files = {name: secret["file"] for name, secret in yaml.safe_load(COMPOSE)["secrets"].items()}
    assert files["grafana_password"] == "./secrets/grafana_password"
    assert _with_defaults(files["webhook_url"]) == "/dev/null"
    alerts = GRAFANA["environment"]["HEADROOM_ALERT_WEBHOOK_URL"]
    assert alerts == "$$__file{/run/secrets/alert_webhook_url}"
    nowhere = ROOT / _with_defaults(files["alert_webhook_url"])
    assert nowhere.read_text().strip().endswith("not-set.invalid")
    assert "/secrets/" in (ROOT / ".gitignore").read_text().splitlines()
    assert "!secrets" not in (ROOT / ".dockerignore").read_text()


def test_grafana_has_all_provisioned_variables_and_mounts() -> None:
    named = {
        name
        for file in (ROOT / "dashboards").glob("provisioning/**/*.yml")
        for name in re.findall(r"\$\{?([A-Z][A-Z_]+)", file.read_text())
    }
    assert named
    assert named <= GRAFANA["environment"].keys()
    mounts = _mounts(GRAFANA)
    assert GRAFANA["environment"]["HEADROOM_WAREHOUSE"] in mounts
    assert mounts["/etc/grafana/provisioning"][0] == "./dashboards/provisioning"
    home = Path(GRAFANA["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert str(home.parent) == GRAFANA["environment"]["HEADROOM_BOARDS"]
    assert (ROOT / mounts[str(home.parent)][0] / home.name).exists()


def test_grafana_waits_for_the_first_warehouse() -> None:
    assert GRAFANA["depends_on"] == {"nightly": {"condition": "service_healthy"}}
    for published in ("/warehouse/headroom.duckdb", "/warehouse/nights.duckdb"):
        assert published in NIGHTLY["healthcheck"]["test"]


def _values(steps: Steps, instruction: str) -> list[str]:
    return [value for name, value in steps if name == instruction]


@pytest.mark.parametrize("steps", IMAGES.values(), ids=IMAGES)
def test_images_are_pinned(steps: Steps) -> None:
    stages = [value.partition(" AS ") for value in _values(steps, "FROM")]
    images = {image for image, _, _ in stages} - {name for _, _, name in stages}
    assert images
    for image in images:
        assert re.fullmatch(r"[\w/]+:(\d+|\d+\.\d+(\.\d+)?-[\w-]+)", image)


def test_plugin_is_pinned_by_commit_and_lock_files() -> None:
    arguments = dict(value.split("=") for value in _values(GRAFANA_IMAGE, "ARG"))
    assert re.fullmatch("[0-9a-f]{40}", arguments["COMMIT"])
    commands = " && ".join(_values(GRAFANA_IMAGE, "RUN"))
    assert "npm ci --ignore-scripts" in commands
    assert "go test ./queries_only" in commands
    assert not re.search("curl|wget", commands)
    assert not [value for value in _values(GRAFANA_IMAGE, "ADD") if value.startswith("http")]


def test_image_and_project_versions_match() -> None:
    commands = " && ".join(_values(IMAGE, "RUN"))
    (uv,) = re.findall(r"uv==(\S+)", commands)
    assert f"UV_VERSION := {uv}\n" in (ROOT / "Makefile").read_text()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    tags = {
        tag
        for value in _values([*IMAGE, *GRAFANA_IMAGE], "FROM")
        for image, _, tag in [value.split()[0].partition(":")]
        if image == "python"
    }
    pythons = {".".join(tag.split(".")[:2]) for tag in tags}
    assert [f">={python}" for python in pythons] == [project["requires-python"].split(",")[0]]


def test_image_copies_existing_files_and_ignores_the_rest() -> None:
    copies = [value.split() for value in _values(IMAGE, "COPY") if not value.startswith("--")]
    copied = {path for *paths, _ in copies for path in paths}
    assert copied >= {"headroom", "ingest", "expectations", "dbt_project", "data"}
    assert all((ROOT / path).exists() for path in copied)
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert {line[1:] for line in ignored if line.startswith("!")} == copied
    last_stage = IMAGE[max(at for at, (name, _) in enumerate(IMAGE) if name == "FROM") :]
    assert ("USER", "headroom") in last_stage
    assert os.access(ROOT / "deploy/nightly.sh", os.X_OK)


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd is not installed")
    for name in ("headroom.service", "headroom.timer"):
        text = (ROOT / "deploy" / name).read_text()
        (tmp_path / name).write_text(
            text.replace("/opt/headroom/.venv/bin", str(Path(sys.executable).parent))
        )
    units = sorted(tmp_path.iterdir())
    result = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True
    )
    assert (result.returncode, result.stderr) == (0, "")
