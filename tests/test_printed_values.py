import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.common.printed_values import PrintedValue, read_printed_value
from ingest.common.vocabulary import UNITS_BY_QUANTITY


@pytest.mark.parametrize(
    ("text", "quantity", "expected"),
    [
        ("302 IO/s", "io_rate", PrintedValue("exact", 302, None, None, "IO/s")),
        ("about 240000 IO/s", "io_rate", PrintedValue("approximate", 240000, None, None, "IO/s")),
        ("up to 155527 IO/s", "io_rate", PrintedValue("at_most", 155527, None, None, "IO/s")),
        ("over 200K", "io_rate", PrintedValue("at_least", 200000, None, None, "IO/s")),
        ("2.5M IOPS", "io_rate", PrintedValue("exact", 2.5e6, None, None, "IOPS")),
        ("1-2M IOPS", "io_rate", PrintedValue("range", None, 1e6, 2e6, "IOPS")),
        ("100K-200K IOPS", "io_rate", PrintedValue("range", None, 1e5, 2e5, "IOPS")),
        ("1K-2M IOPS", "io_rate", PrintedValue("range", None, 1e3, 2e6, "IOPS")),
        ("900K-1.2M IO/s", "io_rate", PrintedValue("range", None, 9e5, 1.2e6, "IO/s")),
        ("16-64K", "size", PrintedValue("range", None, 16, 64, "kB")),
        ("250 kIOPS", "io_rate", PrintedValue("exact", 250000, None, None, "IOPS")),
        ("over 300K IOPS", "io_rate", PrintedValue("at_least", 300000, None, None, "IOPS")),
        ("~845 GB", "size", PrintedValue("approximate", 845, None, None, "GB")),
        ("<6%", "ratio", PrintedValue("at_most", 6, None, None, "%")),
        ("6-11%", "ratio", PrintedValue("range", None, 6, 11, "%")),
        ("20% bis 30%", "ratio", PrintedValue("range", None, 20, 30, "%")),
        ("1.5 GB/s", "data_rate", PrintedValue("exact", 1.5, None, None, "GB/s")),
        ("0.066 ms", "time", PrintedValue("exact", 0.066, None, None, "ms")),
        ("120574.219154 ns", "time", PrintedValue("exact", 120574.219154, None, None, "ns")),
        ("32475 KiB/s", "data_rate", PrintedValue("exact", 32475, None, None, "KiB/s")),
        ("103408 B/s", "data_rate", PrintedValue("exact", 103408, None, None, "B/s")),
        ("500-600 uS", "time", PrintedValue("range", None, 500, 600, "us")),
        ("about 8000 to 9000 IO/s", "io_rate", PrintedValue("range", None, 8000, 9000, "IO/s")),
        ("15 – 30 minutes", "time", PrintedValue("range", None, 15, 30, "minutes")),
        (
            "just under 50000 IO/s",
            "io_rate",
            PrintedValue("approximate", 50000, None, 50000, "IO/s"),
        ),
        ("just below 4.00", "ratio", PrintedValue("approximate", 4, None, 4, "times")),
        ("close to 110K IOPS", "io_rate", PrintedValue("approximate", 110e3, None, 110e3, "IOPS")),
        ("nearly 150K IOPS", "io_rate", PrintedValue("approximate", 150e3, None, 150e3, "IOPS")),
        ("Almost 140K IOPS", "io_rate", PrintedValue("approximate", 140e3, None, 140e3, "IOPS")),
        ("up to almost 1400 MB/s", "data_rate", PrintedValue("at_most", 1400, None, None, "MB/s")),
        (
            "achieve or exceed about 940 MB/s",
            "data_rate",
            PrintedValue("at_least", 940, None, None, "MB/s"),
        ),
        (
            "erreichen oder übertreffen etwa 940 MB/s",
            "data_rate",
            PrintedValue("at_least", 940, None, None, "MB/s"),
        ),
        ("up to about 1400 MB/s", "data_rate", PrintedValue("at_most", 1400, None, None, "MB/s")),
        ("about up to 1400 MB/s", "data_rate", PrintedValue("at_most", 1400, None, None, "MB/s")),
        ("75,000 IOPS", "io_rate", PrintedValue("exact", 75000, None, None, "IOPS")),
        ("75 000 IOPS", "io_rate", PrintedValue("exact", 75000, None, None, "IOPS")),
        ("ca. 5900 MB/s", "data_rate", PrintedValue("approximate", 5900, None, None, "MB/s")),
        ("bis zu 248000 IO/s", "io_rate", PrintedValue("at_most", 248000, None, None, "IO/s")),
        ("über 1300 MB/s", "data_rate", PrintedValue("at_least", 1300, None, None, "MB/s")),
        ("maximal 7-Fache", "ratio", PrintedValue("at_most", 7, None, None, "times")),
        ("70.71", "ratio", PrintedValue("exact", 70.71, None, None, "times")),
        ("more than three-fold", "ratio", PrintedValue("at_least", 3, None, None, "times")),
        ("more than half", "ratio", PrintedValue("at_least", 0.5, None, None, "times")),
        (
            "a little more than half",
            "ratio",
            PrintedValue("approximate", 0.5, 0.5, None, "times"),
        ),
        (
            "etwas mehr als die Hälfte",
            "ratio",
            PrintedValue("approximate", 0.5, 0.5, None, "times"),
        ),
        ("five", "count", PrintedValue("exact", 5, None, None, "count")),
        ("4KB", "size", PrintedValue("exact", 4, None, None, "kB")),
        ("16K", "size", PrintedValue("exact", 16, None, None, "kB")),
        ("1K byte", "size", PrintedValue("exact", 1, None, None, "kB")),
        ("512 byte", "size", PrintedValue("exact", 512, None, None, "byte")),
        ("15 krpm", "rotation_rate", PrintedValue("exact", 15, None, None, "krpm")),
    ],
)
def test_reads_what_papers_print(text: str, quantity: str, expected: PrintedValue) -> None:
    assert read_printed_value(text, quantity) == expected


@pytest.mark.parametrize(
    ("words", "number"),
    [
        ("half halve die_hälfte halbieren", 0.5),
        ("double doubled twice two den_doppelten", 2),
        ("triple three", 3),
        ("four vier vierfachen", 4),
        ("five fünf", 5),
        ("six sechs", 6),
        ("seven sieben", 7),
        ("eight acht", 8),
    ],
)
def test_a_number_may_be_a_word(words: str, number: float) -> None:
    for word in words.split():
        text = word.replace("_", " ")
        for spelling in (text, text.capitalize(), f"about {text}"):
            assert read_printed_value(spelling, "ratio").number == number


def test_numbers_above_1e15_are_refused() -> None:
    assert read_printed_value(f"{10**15} B/s", "data_rate").number == 1e15
    with pytest.raises(ValueError, match="is too large"):
        read_printed_value(f"{10**15 + 1} B/s", "data_rate")


@pytest.mark.parametrize(
    ("text", "quantity", "reason"),
    [
        ("fast", "io_rate", "cannot read a value"),
        ("", "io_rate", "cannot read a value"),
        ("12 34 IO/s", "io_rate", "unknown unit|cannot read"),
        ("12 flops", "data_rate", "unknown unit 'flops'.*MB/s, GB/s"),
        ("12", "data_rate", "has no unit"),
        ("243", "io_rate", "has no unit; io_rate needs one of IO/s, IOPS"),
        ("12 ms", "io_rate", "unknown unit 'ms'"),
        ("16K sectors", "size", "unknown unit"),
        ("1K - 2M", "size", "has two units: write both numbers in one"),
        ("11-6%", "ratio", "does not rise"),
        ("6-6%", "ratio", "does not rise"),
        ("4 (6)", "count", "unknown unit|cannot read"),
        ("1,5 GB/s", "data_rate", "cannot read|unknown unit"),
        ("240.000 IO/s", "io_rate", "may be thousands or decimals"),
    ],
)
def test_unreadable_value_has_a_reason(text: str, quantity: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_printed_value(text, quantity)


@given(
    number=st.integers(min_value=0, max_value=10**9),
    word=st.sampled_from(["", "about ", "up to ", "over ", "~", "<"]),
    quantity_unit=st.sampled_from(
        [(q, u) for q, units in UNITS_BY_QUANTITY.items() for u in units]
    ),
)
def test_any_number_with_a_known_unit_is_read(
    number: int, word: str, quantity_unit: tuple[str, str]
) -> None:
    quantity, unit = quantity_unit
    value = read_printed_value(f"{word}{number} {unit}", quantity)
    assert (value.number, value.unit) == (number, unit)


@given(text=st.text(max_size=30), quantity=st.sampled_from(list(UNITS_BY_QUANTITY)))
def test_anything_else_is_a_value_error(text: str, quantity: str) -> None:
    try:
        value = read_printed_value(text, quantity)
    except ValueError:
        return
    assert value.number is not None or (value.low is not None and value.high is not None)
