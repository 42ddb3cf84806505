"""`headroom forecast`: predictions before a document is digitised, and their score after."""

import csv
import shutil
from pathlib import Path

import duckdb
import pytest

from headroom.analyse.forecast import forecast
from headroom.warehouse import WarehouseError
from tests.conftest import MINIMAL_PAPER, built_of, refusal, run_headroom

HEADER = (
    "edition,page,locator,controller,raid_level,drive,drive_count,profile,predicted_iops,"
    "predicted_bytes_per_second,low_iops,low_bytes_per_second,high_iops,high_bytes_per_second,"
    "predicted_qualifier,evidence,binding_ceiling,missing_reason,headroom_version,forecast_date"
)
OPEN = "," * 12
MADE = ",1,1,,,1,1,at_most,data sheet,drives,,0.0.1,2020-02-02"
MEASURES = (MINIMAL_PAPER / "measurements.csv").read_text().split("\n")[0]
ALONE = "en,2,table 1,,,,,SSD,1,,Database,,,,,iops,50000 IO/s,,,,,"
NVME_ALONE = ALONE.replace("SSD", "NVMe").replace("50000", "500000")
DIGITISED = "en,3,table 2,,Lab 8i,0,,SSD,9,,Database,,,,,iops,250000 IO/s,,,,,"


@pytest.fixture(scope="module")
def paper(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A document that measures single drives, and forecasts arrays of known and unknown parts."""
    folder = tmp_path_factory.mktemp("data") / "blind"
    folder.mkdir()
    (folder / "document.yml").write_text(
        "document_id: blind\ntitle: Blind\npublisher: Nobody\nversion: null\npublished: null\n"
        "published_as_printed: null\ncommissioned_by: null\ntool_name: null\ntool_version: null\n"
        "url: null\nunits: {throughput: 2, drive_capacity: 10, other_sizes: 2}\neditions:\n"
        "  - {edition: en, title: Blind, version: null, published: null, page_count: 9}\n"
    )
    (folder / "facts.csv").write_text(
        "edition,page,locator,subject_type,subject,attribute,condition,as_printed,corrected,note,"
        "reading_note\n"
        "en,1,text,controller,Lab 8i; New,vendor,,Lab,,,\n"
        'en,1,text,controller,Lab 8i,raid_levels,,"0, 5",,,\n'
        "en,1,text,controller,Lab 8i,disk_interface,,SAS 12G,,,\n"
        "en,1,text,controller,Lab 8i,disk_port_count,,8,,,\n"
        "en,1,text,controller,Lab 8i,host_link,,PCIe 3.0 x8,,,\n"
        "en,1,text,drive,SSD,media,,SSD,,,\n"
        "en,1,text,drive,SSD,interface,,SAS 12G,,,\n"
        "en,1,text,drive,Special,media,at night,SSD,,,\n"
        "en,1,text,drive,NVMe; Unmeasured,media,,SSD,,,\n"
        "en,1,text,drive,NVMe,interface,,PCIe 4.0 x4,,,\n"
    )
    (folder / "profiles.csv").write_text(
        "edition,page,locator,profile,application,random,read,block,share,alignment,stream_count,"
        "note\n"
        "en,1,text,Database,,100%,67%,8 kB,100%,,,\n"
    )
    (folder / "measurements.csv").write_text(
        "\n".join([MEASURES, ALONE, NVME_ALONE, DIGITISED, ""])
    )
    rows = (
        f"en,3,table 2,Lab 8i,5,SSD,8,Database{OPEN}",
        f'en,3,"table 2, new",New,RAID 5,SSD,8,Database{OPEN}',
        f"en,3,table 2,New,RAID 5,Special,8,Database{OPEN}",
        f"en,3,table 2,Lab 8i,RAID 0,SSD,8,Database{MADE}",
        f"en,3,table 3,,RAID 0,NVMe,4,Database{OPEN}",
        f"en,3,table 3,,RAID 0,Unmeasured,4,Database{OPEN}",
        f"en,3,table 2,Lab 8i,RAID 0,SSD,9,Database{OPEN}",
    )
    (folder / "forecasts.csv").write_text("\n".join([HEADER, *rows, ""]))
    return folder


@pytest.fixture(scope="module")
def building(
    warehouse: Path, empty: Path, paper: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A warehouse of the document, with its forecast."""
    built = built_of([paper], empty, tmp_path_factory.mktemp("lab"))
    assert f"forecasts.csv:2: not published yet; run: headroom nightly {paper}" in refusal(
        run_headroom(warehouse, "forecast", paper)
    )
    with pytest.raises(WarehouseError, match=r"csv:8: its value is digitised, blind-p3-"):
        _forecast(built, paper)
    sheet = paper / "forecasts.csv"
    sheet.write_text("".join(sheet.read_text().splitlines(keepends=True)[:-1]))
    _forecast(built, paper)
    return built


def _forecast(building: Path, paper: Path) -> None:
    with duckdb.connect(building, read_only=True) as connection:
        connection.execute("use marts")
        forecast(connection, paper)


def _rows(paper: Path) -> list[dict[str, str]]:
    return [*csv.DictReader((paper / "forecasts.csv").read_text().splitlines())]


@pytest.mark.usefixtures("building")
def test_forecast_equals_the_prediction(paper: Path) -> None:
    """67 of 100 I/Os read, 33 write with four operations each; other rows name what they lack."""
    known, new, special, before, direct, unmeasured = _rows(paper)
    assert known["raid_level"] == "5"
    iops = float(known["predicted_iops"])
    assert iops == pytest.approx(8 * 50000 / (0.67 + 0.33 * 4))
    assert float(known["predicted_bytes_per_second"]) == pytest.approx(iops * 8192)
    assert (known["predicted_qualifier"], known["missing_reason"]) == ("at_most", "")
    assert float(known["high_iops"]) >= iops
    assert known["headroom_version"] and known["forecast_date"] > "2026"
    # with unknown controller ports, the prediction is the upper bound of the drives
    assert new["predicted_iops"] == known["predicted_iops"]
    assert (new["evidence"], new["predicted_qualifier"]) == ("controller limit unknown", "at_most")
    assert (new["locator"], new["missing_reason"]) == ("table 2, new", "")
    assert special["missing_reason"] == (
        "Special: facts.csv has no fact of this drive without a condition"
    )
    assert ",".join(before.values()).endswith(MADE)
    assert float(direct["predicted_iops"]) == pytest.approx(4 * 500000)
    assert direct["binding_ceiling"] == "drives"
    assert unmeasured["predicted_iops"] == ""
    assert "no single drive of this model was measured" in unmeasured["missing_reason"]


def test_a_forecast_is_made_once(
    building: Path, paper: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (paper / "forecasts.csv").read_text()
    _forecast(building, paper)
    assert (
        capsys.readouterr().out == f"{paper}/forecasts.csv: 0 predicted, 0 not (missing_reason)\n"
    )
    assert (paper / "forecasts.csv").read_text() == text


def test_bad_forecast_row_is_an_error(warehouse: Path, paper: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(paper, tmp_path / "blind")
    with (copy / "forecasts.csv").open("a") as sheet:
        sheet.write(f"en,3,table 2,New,RAID 5,Special,some,Database{OPEN}\n")
    told = refusal(run_headroom(warehouse, "forecast", copy))
    assert "forecasts.csv:8: drive_count 'some' is not a whole number" in told
