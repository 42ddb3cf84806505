"""What `headroom.yml` says of which file, and how it gets into the catalog."""

from pathlib import Path

import duckdb
import pytest

from ingest.errors import InputError
from ingest.load import load
from ingest.records.archive import Archive
from ingest.records.tables import prepare
from ingest.sources import find_files
from ingest.systems.sidecar import Sidecars, read_sidecar, resolve_sidecar
from tests.conftest import ROOT

FIO_RUN = ROOT / "tests/golden/fio/fio-3.33-randrw.json"


def _sidecar(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "headroom.yml"
    path.write_text(text)
    return path


def test_the_nearest_sidecar_wins_field_by_field(tmp_path: Path) -> None:
    run = tmp_path / "lab/array/run.json"
    run.parent.mkdir(parents=True)
    (tmp_path / "headroom.yml").write_text("server: never seen\n")
    (tmp_path / "lab/headroom.yml").write_text("root: true\nserver: A\ndrive_count: 8\n")
    (tmp_path / "lab/array/headroom.yml").write_text("drive_count: 4\nraid_level: RAID 5\n")
    assert resolve_sidecar(run) == {"drive_count": 4, "raid_level": "RAID 5", "server": "A"}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("raid: 5", "unknown field `raid`"),
        ("raid_level: RAID 7", "raid_level 'RAID 7' is unknown"),
        ("drive_count: eight", "Expected `int"),
        ("drive_count: 0", "Expected `int` >= 1"),
        ("stripe: wide", "cannot read a value in 'wide'"),
        ("stripe: about 64 kB", "stripe 'about 64 kB' is not one size"),
    ],
)
def test_a_wrong_sidecar_is_an_error(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "headroom.yml").write_text(f"root: true\n{text}\n")
    with pytest.raises(InputError, match=reason):
        resolve_sidecar(tmp_path / "run.json")


def test_a_sidecar_of_comments_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "headroom.yml").write_text("# nothing yet\n")
    assert "server" not in resolve_sidecar(tmp_path / "run.json")


@pytest.mark.parametrize(
    ("glob", "matching"),
    [
        ("*.json", {"a.json", "ssd/a.json", "ssd/x/b.json"}),
        ("b.*", {"ssd/x/b.json"}),
        ("ssd/*", {"ssd/a.json"}),
        ("ssd/**", {"ssd/a.json", "ssd/x/b.json"}),
        ("**/x/*.json", {"ssd/x/b.json"}),
        ("./a.json", {"a.json"}),
        ("[!b].json", {"a.json", "ssd/a.json"}),
        ("ssd[!b]a.json", set()),
        ("ssd?a.json", set()),
        ("/a.*", {"a.json"}),
        ("**", {"a.json", "ssd/a.json", "ssd/x/b.json"}),
        ("?.csv", set()),
    ],
)
def test_globs_are_of_the_path_below_the_sidecar(
    tmp_path: Path, glob: str, matching: set[str]
) -> None:
    _sidecar(tmp_path, f"root: true\nfiles:\n  - glob: '{glob}'\n    server: S\n")
    sidecars = Sidecars()
    files = ("a.json", "ssd/a.json", "ssd/x/b.json")
    assert {file for file in files if sidecars.resolve(tmp_path / file)} == matching


def test_a_glob_is_of_names_as_they_are(tmp_path: Path) -> None:
    """A newline and brackets that close nowhere are names like others, a dot hides nothing."""
    _sidecar(tmp_path, "root: true\nfiles:\n  - {glob: 'a/**/*[0.json', server: S}\n")
    matching = ("a/run[0.json", "a/new\nline/.run[0.json")
    other = ("a/run0.json", "a/run[0.json\n", "b/run[0.json", "a/run[0.json/x")
    sidecars = Sidecars()
    assert [name for name in (*matching, *other) if sidecars.resolve(tmp_path / name)] == [
        *matching
    ]


@pytest.mark.parametrize("glob", ["*a" * 30 + "*b", "**/a/" * 4 + "b"])
def test_a_costly_glob_ends(tmp_path: Path, glob: str) -> None:
    _sidecar(tmp_path, f"root: true\nfiles:\n  - {{glob: '{glob}', server: S}}\n")
    name = "/".join(["a"] * 60 + ["a" * 200])
    assert resolve_sidecar(tmp_path / name) == {}


@pytest.mark.parametrize(
    ("regex", "name", "said"),
    [
        (r"raid5_qd(?P<outstanding_io_count>\d+)", "raid5_qd64", {"outstanding_io_count": 64}),
        (r"qd(?P<outstanding>\d+)", "qd08", {"outstanding_io_count": 8}),
        (r"r(?P<raid_level>\d+)", "r5", {"raid_level": "RAID 5"}),
        (r"(?P<raid_level>raid\d+)", "raid50", {"raid_level": "RAID 50"}),
        (r"(?P<raid_level>[^_]+)_", "RAID-5_x", {"raid_level": "RAID 5"}),
        (r"(?P<raid_level>[^_]+)_", "r10_x", {"raid_level": "RAID 10"}),
        (r"(?P<raid_level>[^_]+)_", "1+0_x", {"raid_level": "RAID 10"}),
        (r"(?P<raid_level>[^_]+)_", "raid1e_x", {"raid_level": "RAID 1E"}),
        (r"(?P<raid_level>[^_]+)_", "jbod_x", {"raid_level": "JBOD"}),
        (r"(?P<drive_media>ssd|hdd)", "ssd", {"drive_media": "SSD"}),
        (r"s(?P<stripe>\d+k)", "s64k", {"stripe_number": 64, "stripe_unit": "kB"}),
        (r"a(?:_(?P<drive_count>\d+))?", "a", {}),
    ],
)
def test_groups_of_a_regex_fill_fields(
    tmp_path: Path, regex: str, name: str, said: dict[str, object]
) -> None:
    _sidecar(tmp_path, f"root: true\nfiles:\n  - regex: '{regex}'\n")
    assert resolve_sidecar(tmp_path / name) == said


def test_the_worked_example_is_what_happens(tmp_path: Path) -> None:
    text = (ROOT / "docs/headroom-yml.md").read_text().split("```yaml\n")[1].split("```")[0]
    _sidecar(tmp_path, f"root: true\n{text}")
    shared = {"server": "PRIMERGY RX2540 M1", "controller": "PRAID EP420i"}
    assert resolve_sidecar(tmp_path / "ssd/ep420i_raid5_8x_qd64.json") == shared | {
        "drive": "SAS-12G-SSD", "drive_count": 8, "raid_level": "RAID 5",
        "outstanding_io_count": 64, "stripe_number": 256, "stripe_unit": "kB",
    }  # fmt: skip
    assert resolve_sidecar(tmp_path / "hdd/ep420i_raid10_4x_qd1.json") == shared | {
        "drive": "SAS-12G-HDD", "drive_count": 4, "raid_level": "RAID 10",
        "outstanding_io_count": 1,
    }  # fmt: skip


def test_who_wins(tmp_path: Path) -> None:
    far = (
        "root: true\nserver: far\nnote: far\nfiles:\n  - {glob: '*', server: far entry, drive: D}\n"
    )
    near = "server: near\nvendor: V\nfiles:\n  - {glob: '*', vendor: first}\n"
    _sidecar(tmp_path, far)
    _sidecar(tmp_path / "near", near + "  - {glob: '*', vendor: last}\n")
    said = resolve_sidecar(tmp_path / "near/run.json")
    assert said == {"server": "near", "vendor": "last", "drive": "D", "note": "far"}


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("{server: S}", "files entry 2: needs a glob or a regex, and not both"),
        ("{glob: a, regex: a}", "files entry 2: needs a glob or a regex, and not both"),
        ("{regex: '('}", r"files entry 2: regex '\(' is none: missing \)"),
        (
            "{glob: 'ssd/**.json'}",
            r"entry 2: glob 'ssd/\*\*.json' is none: .* write it between slashes",
        ),
        ("{glob: 'a/**/b/**/c/**/d/**/e/**'}", "files entry 2: glob .* at most 4 times"),
        ("{regex: '(?P<depth>1)'}", "group 'depth' of the regex is no field; groups are server"),
        ("{glob: a, raid: 5}", "files entry 2: Object contains unknown field `raid`"),
        ("{glob: a, raid_level: RAID 7}", "files entry 2: raid_level 'RAID 7' is unknown"),
        ("{glob: a, worker_count: 0}", "files entry 2, worker_count: Expected `int` >= 1"),
        ("{regex: '(?P<raid_level>run)'}", "entry 2, on 'run.json': raid_level 'run' is unknown"),
        ("{regex: '(?P<worker_count>run)'}", "files entry 2, on 'run.json': Expected `int"),
    ],
)
def test_a_wrong_entry_is_named_by_its_number(tmp_path: Path, entry: str, reason: str) -> None:
    path = _sidecar(tmp_path, f"root: true\nfiles:\n  - glob: a\n  - {entry}\n")
    sidecars = Sidecars()
    for _ in range(2):
        with pytest.raises(InputError, match=reason) as raised:
            sidecars.resolve(tmp_path / "run.json")
        assert raised.value.path == str(path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "controllers: [{vendor: V}]",
            "controllers entry 1: .*missing required field `controller`",
        ),
        ("drives: [{drive: A 1}, {drive: a-1}]", "'a-1' is defined twice"),
        ("drives: [{drive: A, capacity: big}]", "drives entry 1: cannot read a value in 'big'"),
        ("controllers: [{controller: A, cache: about 1 GB}]", "cache 'about 1 GB' is not one size"),
        ("controllers: [{controller: A, host_interface: fast}]", "'fast' is unknown; write it as"),
        (
            "controllers: [{controller: A, raid_levels: [5]}]",
            "entry 1, raid_levels: Expected `str`",
        ),
        ("controllers: [{controller: A, raid_levels: ['5']}]", "raid_levels '5' is unknown"),
        (
            "drives: [{drive: A, size: 1 TB}]",
            "unknown field `size`; fields of the entry are drive,",
        ),
    ],
)
def test_a_wrong_definition_is_an_error(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(InputError, match=reason):
        read_sidecar(_sidecar(tmp_path, text))


def test_a_link_is_of_the_folder_it_points_to(tmp_path: Path) -> None:
    _sidecar(tmp_path / "real", "root: true\nserver: S\n")
    (tmp_path / "real/run.json").touch()
    (tmp_path / "link.json").symlink_to(tmp_path / "real/run.json")
    assert resolve_sidecar(tmp_path / "link.json") == {"server": "S"}


def test_the_rows_of_a_sidecar_are_what_it_says_now(tmp_path: Path) -> None:
    connection = duckdb.connect()
    prepare(connection)
    archive = Archive(tmp_path / "archive")
    files = find_files([FIO_RUN])
    run = tmp_path / "lab/run.json"
    run.parent.mkdir()
    run.write_bytes(files[0].read_bytes())
    query = "select controller, cache_number, raid_levels from raw.sidecar_controllers"
    path = _sidecar(
        tmp_path / "lab",
        "root: true\ncontrollers:\n  - {controller: A, cache: 1 GB, raid_levels: [JBOD, RAID 5]}\n",
    )
    list(load(connection, [run], archive))
    assert connection.execute(query).fetchall() == [("A", 1, "JBOD, 5")]
    path.write_text("root: true\ncontrollers: [{controller: B}]\n")
    list(load(connection, [run], archive))
    list(load(connection, files, archive))  # another run, which does not meet it
    assert connection.execute(query).fetchall() == [("B", None, None)]
    path.unlink()
    list(load(connection, files, archive))
    assert connection.execute(query).fetchall() == []
