"""The beginning of a report: our arrays in sentences from `rpt_own_results`, then their limits."""

from collections.abc import Iterator
from typing import Any

import duckdb

from headroom.analyse.report import charts
from headroom.analyse.report.page import Part, Rows, Statement
from headroom.warehouse import rows_of

_MOST = 5
# Values above their ceiling first, then the closest to it.
_CONCLUDED = """
    create temp table concluded as
    select
        results.*,
        verdicts.verdict as run_verdict,
        verdicts.reason as run_reason,
        row_number() over (
            order by
                results.verdict = 'above the ceiling' desc, attained_ratio desc nulls last,
                measured_at desc nulls last, measurement_id
        ) as place
    from rpt_own_results as results
    left join rpt_run_verdicts as verdicts using (measurement_id)
    where (array_label, profile_id) in
        (select (array_label, profile_id) from chosen_results where is_own)
"""
_FIRST = "select * from concluded where place <= $most order by place"
_LIMITS = """
    select limits.*, concluded.place
    from rpt_limits as limits
    inner join concluded using (array_id, profile_id)
    where concluded.place <= $most and limits.kind != 'attained'
    order by concluded.place, limits.headline_value nulls last, limits.is_binding desc, limits.kind
"""
_ALL = """
    select
        array_label as array, profile_label as "load profile", value_label as value,
        outstanding_io_count as "outstanding I/Os", attained_label as "% of ceiling",
        ceiling_value_label || ', ' || binding_ceiling as ceiling,
        published_value_label as "published, same controller and RAID level",
        run_count as runs, if(run_count > 1, spread_ratio, null) as apart, verdict,
        run_verdict as "verdict on the run", runtime_seconds as "run length", server as host,
        os_kernel as kernel, filesystem, measured_at as measured
    from concluded order by place limit 200
"""
_VERDICTS = """
    select
        verdict, concat_ws(', ', source_path, source_position) as run, array_label as array,
        profile_label as "load profile", reason
    from rpt_run_verdicts inner join rpt_measurements using (measurement_id)
    semi join chosen using (measurement_id)
    order by measured_at desc nulls last, source_path, source_position limit 200
"""


def conclusion(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    """Select the most important of our own results."""
    connection.execute(_CONCLUDED)
    found = rows_of(connection.sql(_FIRST, params={"most": _MOST}))
    statements = tuple(
        Statement(f"{row['array_label']}: {row['profile_label']}", _text(row), _conditions(row))
        for row in found
    )
    ((count,),) = connection.execute("select count(*) from concluded").fetchall()
    more = f"{_MOST} of {count} results; the others are in “Our results”." if count > _MOST else ""
    yield Part("Conclusion", more, [], statements=statements, is_lead=True)
    limits = rows_of(connection.sql(_LIMITS, params={"most": _MOST}))
    yield _limits(found, limits)


def our_results(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    note = "The load with the highest median, for each array and load profile."
    yield Part("Our results", note, rows_of(connection.sql(_ALL)))
    note = "Whether a run can be trusted: `headroom verdict` prints every rule. The newest 200."
    yield Part("Verdicts on our runs", note, rows_of(connection.sql(_VERDICTS)))


def _text(row: dict[str, Any]) -> str:
    load = _at_load(row["outstanding_io_count"])
    if row["attained_label"]:
        is_or_are = "drives are" if row["binding_ceiling"] == "drives" else None
        limit = is_or_are or f"{row['binding_ceiling']} is"
        known = " known" if row["unknown_limits"] else ""
        text = (
            f"{row['value_label']}{load}: {row['attained_label']} of the ceiling. "
            f"The {limit} the lowest{known} limit: {row['ceiling_value_label']} ({_origin(row)})."
        )
    else:
        why = "" if row["missing_fields"] else f" ({row['missing_limits']})"
        text = f"{row['value_label']}{load}. No limit is known{why}."
    parts = [text, _unknown(row), _published(row), _loads(row), _runs(row), _doubt(row)]
    return " ".join(filter(None, parts))


def _origin(row: dict[str, Any]) -> str:
    if row["ceiling_document_title"] is None:
        return str(row["formula"])
    printed = _page(row["ceiling_document_title"], row["ceiling_pages"])
    return printed + {
        "cheaper level": f", of a RAID level that costs it less than {row['raid_level']}",
        "twin": ", of a controller with the same limits",
        "reads": ", of reads alone",
        "writes": ", of writes alone",
    }.get(row["ceiling_known_from"], "")


def _page(title: str, pages: str | None) -> str:
    return f"{title}, page {pages}" if pages else title


def _at_load(count: int | None) -> str:
    return "" if count is None else f" at {count} outstanding I/O{'s' * (count != 1)}"


def _unknown(row: dict[str, Any]) -> str:
    unknown, fields = row["unknown_limits"], row["missing_fields"]
    if not unknown:
        return ""
    # `_origin` names a limit of another RAID level
    is_named = not row["attained_label"] or unknown == row["binding_ceiling"]
    text = "" if is_named else f"Limits not known: {unknown}."
    remedy = f"Add {fields} to {row['sidecar_path']}." if fields else ""
    return f"{text} {remedy}".strip()


def _published(row: dict[str, Any]) -> str:
    if row["controller"] is None or row["raid_level"] is None:
        return ""
    same = f"{row['controller']}, {row['raid_level']}"
    if row["published_measurement_id"] is None:
        return f"No paper prints a value of {same} at this load profile."
    if row["published_measurement_id"] == row["ceiling_measurement_id"]:
        return ""
    return (
        f"Published: {row['published_value_label']}, {row['published_array_label']} "
        f"({_page(row['published_document_title'], row['published_pages'])})."
    )


def _loads(row: dict[str, Any]) -> str:
    least, most = row["min_outstanding_io_count"], row["max_outstanding_io_count"]
    if least is None:
        return ""
    if least < most:
        return f"The highest of {least} to {most} outstanding I/Os."
    if row["published_measurement_id"] and row["published_outstanding_io_count"] is None:
        return "The paper does not report the outstanding I/Os: run 1 to 256 to find your maximum."
    return ""


def _runs(row: dict[str, Any]) -> str:
    above = " The value is above its ceiling: see Findings."
    advice = above * (row["verdict"] == "above the ceiling")
    if row["run_count"] == 1:
        return f"One run: repeat it to see the spread.{advice}"
    again = ": measure again" * (row["verdict"] == "measure again")
    apart = f"{100 * row['spread_ratio']:.0f} % apart"
    return f"{row['run_count']} runs, {apart}{again}.{advice}"


def _doubt(row: dict[str, Any]) -> str:
    """Why the run nearest to the value is not trusted."""
    if row["run_verdict"] in (None, "trusted"):
        return ""
    return f"Not trusted: {row['run_verdict']} ({row['run_reason']})."


def _conditions(row: dict[str, Any]) -> str:
    """Conditions of the run, as far as reported."""
    known = {
        "": row["runtime_seconds"] and f"{row['runtime_seconds']:g} s a run",
        "host ": row["server"],
        "kernel ": row["os_kernel"],
        "filesystem ": row["filesystem"],
        "measured ": row["measured_at"] and f"{row['measured_at']:%Y-%m-%d}",
    }
    return ", ".join(f"{name}{value}" for name, value in known.items() if value)


def _limits(found: Rows, limits: Rows) -> Part:
    labels = {row["place"]: f"{row['array_label']}: {row['profile_label']}" for row in found}
    places = dict.fromkeys(limit["place"] for limit in limits)
    drawn = [
        charts.limits(
            labels[row["place"]] if len(found) > 1 else "",
            [*_values(row), *(_bar(limit) for limit in limits if limit["place"] == row["place"])],
            row["headline_metric"],
        )
        for row in found
        if row["place"] in places
    ]
    rows = [
        {
            "array": labels[limit["place"]] if len(places) > 1 else None,
            "limit": limit["kind"],
            "value": limit["value_label"] or "not known",
            "binding": "binding" if limit["is_binding"] else None,
            "from": limit["missing_reason"] or limit["formula"],
        }
        for limit in limits
    ]
    note = (
        "The lowest limit binds: the dashed line. Bars that end in → go on. A thin line across a "
        "value is the range of its runs."
    )
    return Part("Limits and values", note, rows, "".join(drawn), is_lead=True)


def _values(row: dict[str, Any]) -> Rows:
    """Bars of our own value and of a published one that is not the limit."""
    ours = {
        "name": f"our value{_at_load(row['outstanding_io_count'])}",
        "value": row["headline_value"],
        "low": row["min_headline_value"],
        "high": row["max_headline_value"],
        "label": row["value_label"],
        "kind": "our value",
    }
    published = {
        "name": f"published: {row['published_array_label']}",
        "value": row["published_headline_value"],
        "label": row["published_value_label"],
        "kind": "published",
    }
    is_limit = row["published_measurement_id"] in (None, row["ceiling_measurement_id"])
    return [ours] if is_limit else [ours, published]


def _bar(limit: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": f"limit: {limit['kind']}",
        "value": limit["headline_value"],
        "label": limit["value_label"] or "not known",
        "kind": "binding limit" if limit["is_binding"] else "limit",
    }
