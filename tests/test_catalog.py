"""`data/catalog/` describes today's controllers and drives as their data sheets do."""

import pytest

from tests.conftest import ROOT, Ask

FOLDERS = {path.name for path in (ROOT / "data/catalog").iterdir()}


@pytest.mark.parametrize(
    ("controller", "link"),
    [
        ("MegaRAID 9361-8i", ("PCIe 3.0", 8, 8)),
        ("MegaRAID 9460-16i", ("PCIe 3.0", 8, 16)),
        ("MegaRAID 9560-16i", ("PCIe 4.0", 8, 16)),
        ("MegaRAID 9670W-16i", ("PCIe 4.0", 16, 16)),
        ("HBA 9400-16i", ("PCIe 3.0", 8, 16)),
        ("Adaptec ASR-8885", ("PCIe 3.0", 8, 16)),
        ("ThinkSystem 440-8i", ("PCIe 4.0", 8, 8)),
        ("Smart Array P408i-a", ("PCIe 3.0", 8, None)),
    ],
)
def test_links_of_controllers(ask: Ask, controller: str, link: tuple[object, ...]) -> None:
    query = (
        "select host_interface, host_lane_count, disk_port_count from marts.dim_controllers "
        f"where controller = '{controller}'"
    )
    assert ask(query) == [link]


def test_a_drive_has_its_link(ask: Ask) -> None:
    query = (
        "select drive_interface, capacity_bytes from marts.dim_drives "
        "where drive = 'Samsung 980 PRO 1TB'"
    )
    assert ask(query) == [("PCIe 4.0 x4", 10**12)]


@pytest.mark.parametrize(
    ("drive", "rated"),
    [
        ("Samsung PM983 1.92TB", (540_000, 50_000, None, None, "samsung-pm983-2018")),
        ("Intel DC S3610", (84_000, 28_000, 550e6, 520e6, "intel-dc-s3610")),
        ("Intel DC P3500", (None, None, 2.7e9, 1.8e9, "intel-dc-p3500")),
        ("Intel DC P4500 1.0TB", (279_500, 30_500, 3.2e9, 0.6e9, "lenovo-intel-p4500")),
        ("Kioxia PM5 1.92TB", (None, None, None, None, None)),
    ],
)
def test_a_drive_has_its_makers_ratings(ask: Ask, drive: str, rated: tuple[object, ...]) -> None:
    query = (
        "select rated_random_read_iops, rated_random_write_iops, rated_read_bytes_per_second, "
        f"rated_write_bytes_per_second, rated_by from marts.dim_drives where drive = '{drive}'"
    )
    assert ask(query) == [rated]


def test_a_rating_is_no_measurement(ask: Ask) -> None:
    query = "select count(*) from marts.measurements where source_path like 'data/catalog/%'"
    assert ask(query) == [(0,)]


def test_documents_agree(ask: Ask) -> None:
    """Two documents give the same fact of a controller or drive, unless it has a condition; one may
    be more precise: 'PCIe 3.0 x8' than 'PCIe 3.0'."""
    query = """
        select subject, attribute, list(distinct document_id || ': ' || as_printed)
        from (
            select *, max(as_printed) over (partition by subject, attribute) as fullest
            from marts.fct_document_facts where condition is null
        )
        where subject_type in ('controller', 'drive')
            and attribute in (
                'cache', 'capacity', 'disk_interface', 'disk_port_count', 'host_link', 'interface',
                'media', 'raid_levels', 'vendor'
            )
        group by subject, attribute
        having count(distinct coalesce(cast(value as varchar), as_printed)) > 1
            and not bool_and(starts_with(fullest, as_printed))
    """
    assert ask(query) == []


def test_every_document_has_its_address(ask: Ask) -> None:
    rows = ask("select document_id from marts.dim_documents where url is not null")
    assert {document_id for (document_id,) in rows} >= FOLDERS
