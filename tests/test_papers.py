"""The warehouse's answers from the four papers, checked against the printed pages."""

import pytest

from tests.conftest import Ask

MIB = 2**20
FUJITSU = "fujitsu-raid-controllers-2016"

ANSWERS: dict[str, tuple[str, list[tuple[object, ...]]]] = {
    "file server on 24 SSDs": (
        f"""
        select bytes_per_second / {MIB}, value_qualifier, page, iops, stripe_bytes, is_derived
        from marts.measurements
        where controller = 'PRAID EP420i' and raid_level = 'RAID 0' and drive_count = 24
            and drive_media = 'SSD' and profile_name = 'File server'
        """,
        [(7763.0, "approximate", 41, 7763 * 16, 256 * 1024, False)],
    ),
    "chart of page 48": (
        f"""
        select controller, outstanding_io_count, bytes_per_second / {MIB}
        from marts.measurements
        where document_id = '{FUJITSU}' and page = 48 and locator like '%Diagramm%'
        order by all
        """,
        [
            ("PRAID CP400i", 1, 490), ("PRAID CP400i", 2, 994), ("PRAID CP400i", 4, 1775),
            ("PRAID EP400i", 1, 844), ("PRAID EP400i", 2, 1568), ("PRAID EP400i", 4, 1842),
        ],
    ),
    "Intel RAID 5 of eight drives": (
        """
        select page, iops, value_qualifier, outstanding_io_count
        from marts.measurements
        where document_id = 'intel-dc-s3500-raid-2013' and raid_level = 'RAID 5'
            and drive_count = 8 and read_ratio = 1 and block_bytes = 4096
        order by page
        """,
        [(17, 300000, "at_least", 64), (18, 300000, "exact", 64)],
    ),
    "Intel's RAID 1 of eight drives is a striped mirror": (
        "select distinct raid_level from marts.fct_measurements "
        "where raid_level_as_printed = 'RAID 1' and drive_count >= 4",
        [("RAID 10",)],
    ),
    "file server profiles differ by publisher": (
        """
        select regexp_extract(profile_names, '(\\w+): File server', 1), read_ratio, block_size_count
        from marts.dim_load_profiles
        where profile_names like '%: File server%'
        order by all
        """,
        [("Demartek", 0.8, 8), ("Fujitsu", 0.67, 1)],
    ),
    "limits hold at many drives too": (
        f"""
        select page, raid_level, drive_count, limit_of, value_qualifier, editions
        from marts.fct_measurements
        where document_id = '{FUJITSU}' and page in (44, 45) and controller = 'PRAID EP400i'
            and profile_name = 'Streaming' and bytes_per_second = {5900 * MIB}
        order by all
        """,
        [
            (44, "RAID 0", 8, "controller", "approximate", "de, en"),
            (44, "RAID 0", 24, "controller", "approximate", "de, en"),
            (45, "RAID 10", 8, "controller", "approximate", "de, en"),
            (45, "RAID 10", 16, "controller", "approximate", "de, en"),
        ],
    ),
    "achieve or exceed of page 36 is a lower bound": (
        f"""
        select distinct bytes_per_second / {MIB}, value_qualifier, editions
        from marts.fct_measurements where document_id = '{FUJITSU}' and page = 36
        """,
        [(940.0, "at_least", "de, en")],
    ),
    "many SSDs had the CPU of page 42": (
        f"""
        select page, count(*) filter (note like '%E5-2660 v3%') = count(*)
        from marts.measurements
        where document_id = '{FUJITSU}' and page in (41, 44, 45, 46) and drive_count > 8
        group by page order by page
        """,
        [(41, True), (44, True), (45, True), (46, True)],
    ),
    "rules and examples are facts": (
        f"""
        select distinct page, attribute, value
        from marts.fct_document_facts
        where document_id = '{FUJITSU}' and (
            attribute in ('sizing_rule', 'drive_counts')
            or page = 13 and attribute in ('stripe', 'management_software')
            or page = 16 and attribute = 'unit_convention'
        )
        order by all
        """,
        [
            (13, "management_software", None), (13, "sizing_rule", None), (13, "stripe", 65536),
            (16, "unit_convention", None), (28, "sizing_rule", None), (41, "drive_counts", None),
            (44, "sizing_rule", None),
        ],
    ),
    "nearly and close to are upper bounds": (
        """
        select page, as_printed, iops, min_iops, max_iops from marts.measurements
        where value_qualifier = 'approximate' and max_iops is not null order by max_iops
        """,
        [
            (7, "just under 50000 IO/s", 50000, None, 50000),
            (18, "close to 110K IOPS", 110000, None, 110000),
            (18, "almost 140K IOPS", 140000, None, 140000),
            (18, "nearly 150K IOPS", 150000, None, 150000),
        ],
    ),
    "minimum latencies of page 19 are not means": (
        """
        select drive,
            max(latency_min_us) filter (profile_name like 'Read%') as read_us,
            max(latency_min_us) filter (profile_name like 'Write%') as write_us,
            max(latency_mean_us) as mean_us
        from marts.measurements
        where document_id = 'fujitsu-iodrive2-2013' and profile_name like '% Latency %'
        group by drive order by drive
        """,
        [
            ("SAS-2.0-HDD 146GB", 89, 98, None), ("SAS-2.0-SSD 200GB", 90, 128, None),
            ("ioDrive 640GB MLC", 29, 33, None), ("ioDrive2 1.2TB MLC", 66, 18, None),
        ],
    ),
    "our readings are marked": (
        """
        select document_id, count(*) filter (reading_note like '%striped mirror, RAID 10%'),
            count(*) filter (reading_note like 'GB/s read as 2^30 B/s%')
        from marts.fct_measurements
        where raid_level_as_printed = 'RAID 1' and raid_level = 'RAID 10'
            or reading_note like 'GB/s read as%'
        group by all order by all
        """,
        [("fujitsu-iodrive2-2013", 0, 8), ("intel-dc-s3500-raid-2013", 6, 0)],
    ),
    "drives to saturation are claims": (
        "select raid_levels, claimed_value, page from marts.fct_claims "
        "where metric = 'drives_to_saturate' order by all",
        [("RAID 0", 5, 41), ("RAID 0", 17, 41), ("RAID 5", 7, 43), ("RAID 5", 17, 43)],
    ),
    "both sides limits of page 8": (
        f"""
        select subject, condition is not null as is_halved, side,
            value / {MIB}
        from marts.fct_document_facts
        where document_id = '{FUJITSU}' and edition = 'en' and page = 8 and is_binding
        order by all
        """,
        [
            ("1 x C610", False, "host", 1716), ("2 x C610", False, "host", 1716),
            ("C220", False, "host", 1716), ("C236", False, "disk", 2060),
            ("PRAID CM400i", False, "disk", 2060), ("PRAID CM400i", True, "disk", 1030),
            ("PRAID CP400i", False, "host", 6761), ("PRAID CP400i", True, "disk", 4120),
            ("PRAID EM400i", False, "disk", 2060), ("PRAID EM400i", True, "disk", 1030),
            ("PRAID EP400i", False, "host", 6761), ("PRAID EP400i", True, "disk", 4120),
            ("PRAID EP420i", False, "host", 6761), ("PRAID EP420i", True, "disk", 4120),
            ("PSAS CP400i", False, "host", 6761), ("PSAS CP400i", True, "disk", 4120),
        ],
    ),
    "sponsor is shown": (
        "select document_id, commissioned_by from marts.dim_documents "
        "where commissioned_by is not null",
        [("demartek-ibm-hp-2009", "IBM Corporation")],
    ),
    "every figure is listed and none is guessed": (
        "select document_id, count(distinct subject) filter (attribute = 'chart'), "
        "count(*) filter (attribute = 'digitised_chart') "
        "from marts.fct_document_facts where subject_type = 'figure' group by all order by all",
        [
            ("demartek-ibm-hp-2009", 13, 0), ("fujitsu-iodrive2-2013", 21, 0),
            (FUJITSU, 31, 0), ("intel-dc-s3500-raid-2013", 10, 0),
        ],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("query", "rows"), ANSWERS.values(), ids=ANSWERS)
def test_answer_is_as_printed(ask: Ask, query: str, rows: list[tuple[object, ...]]) -> None:
    assert ask(query) == rows


def test_single_drive_maxima_of_page_18(ask: Ask) -> None:
    printed = {
        "SATA-6G-HDD": (108, 108, 302, 258, 243),
        "SAS-12G-HDD": (237, 237, 744, 608, 631),
        "SATA-6G-SSD": (468, 436, 41005, 5268, 5206),
        "SAS-12G-SSD": (950, 420, 55865, 7599, 6715),
    }
    profiles = ("Streaming", "Restore", "Database", "File server", "File copy")
    expected = {
        (drive, profile, float(value))
        for drive, values in printed.items()
        for profile, value in zip(profiles, values, strict=True)
    }
    rows = ask(f"""
        select drive, profile_name,
            case access_pattern when 'random' then iops else bytes_per_second / {MIB} end
        from marts.measurements
        semi join marts.fct_measurements as facts
            on measurements.measurement_id = facts.measurement_id and facts.editions = 'de, en'
        where document_id = '{FUJITSU}' and page = 18 and value_qualifier = 'exact'
            and drive_count = 1
        """)
    assert len(rows) == 20
    assert set(rows) == expected


def test_iodrive2_comparison_of_page_19(ask: Ask) -> None:
    printed = {
        "Database": (706, 14184, 28653, 49919),
        "File server": (591, 3006, 8003, 19005),
        "File copy": (571, 2985, 7693, 18018),
        "Streaming": (192, 377, 617, 1390),
        "Restore": (191, 196, 541, 1037),
    }
    drives = ("SAS-2.0-HDD 146GB", "SAS-2.0-SSD 200GB", "ioDrive 640GB MLC", "ioDrive2 1.2TB MLC")
    expected = {
        (profile, drive, float(value))
        for profile, values in printed.items()
        for drive, value in zip(drives, values, strict=True)
    }
    rows = ask(f"""
        select profile_name, drive,
            case access_pattern when 'random' then iops else bytes_per_second / {MIB} end
        from marts.measurements
        where document_id = 'fujitsu-iodrive2-2013' and page = 19 and iops is not null
            and locator like '%table of maximum performance%'
        """)
    assert len(rows) == 20
    assert set(rows) == expected


@pytest.mark.parametrize("number", [2848, 940, 5900, 1659, 7763, 6280, 3100, 2200, 3800, 844])
def test_throughputs_of_the_prose(ask: Ask, number: int) -> None:
    query = f"""
        from marts.measurements
        where document_id = '{FUJITSU}' and bytes_per_second = {number * MIB}
    """
    assert ask(query)


@pytest.mark.parametrize("number", [240000, 250000, 300000, 164000, 248000, 28700, 133000])
def test_transaction_rates_of_the_prose(ask: Ask, number: int) -> None:
    query = f"from marts.measurements where document_id = '{FUJITSU}' and iops = {number}"
    assert ask(query)
