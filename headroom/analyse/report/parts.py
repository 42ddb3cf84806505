"""The parts of a report: charts and tables of marts about the measurements that `scope` chose."""

from collections.abc import Iterator

import duckdb

from headroom.analyse.report import charts
from headroom.analyse.report.compared import compared
from headroom.analyse.report.conclusion import conclusion, our_results
from headroom.analyse.report.page import Part
from headroom.warehouse import rows_of

_MOST_CURVES = 8
_MOST_LINES = 6

_NIGHT = """
    select
        run_id as night, status, reason, file_loaded_count as "files loaded",
        file_quarantined_count as quarantined, measurement_count as measurements,
        check_passed_count as "checks passed", check_failed_count as "checks failed", release
    from quality.nightly_runs where is_latest
"""
_FAILED_CHECKS = """
    select severity, check_id as "check", description, failing_row_count as rows, bound
    from quality.check_results where is_latest and not is_passed order by severity, check_id
"""
_CHANGES = """
    select
        series_name as series, metric, mean_before as before, mean_after as after,
        change_ratio as change, changed_at as since, likely_reason as "likely reason"
    from quality.change_points where is_recent order by is_regression desc, changed_at desc
"""
_QUARANTINED = """
    select path as file, line, reason from quality.quarantined_files
    where quarantined_at >= (select started_at from quality.nightly_runs where is_latest)
    order by path, line
"""
_FINDINGS = """
    select statement as finding, source_label as source
    from rpt_verdicts
    where measurement_id in (from chosen)
        -- already in the conclusion
        and not (topic = 'runs apart' and measurement_id in (
            select runs.measurement_id
            from measurements as runs inner join concluded using (array_id, profile_id)
            where concluded.verdict = 'measure again'
        ))
    order by topic, size_ratio desc
"""
_CURVES = """
    select
        profile_label, curve_label as curve, iops, latency_mean_us as latency_us,
        outstanding_io_count, if(is_knee, knee_label, null) as knee
    from rpt_response_curves
    where latency_mean_us > 0 and iops > 0
        and (array_label, profile_id) in (select (array_label, profile_id) from chosen_results)
    qualify count(*) over (partition by curve_id) >= 3
        and dense_rank() over (partition by profile_id order by curve_label) <= $most
    order by profile_label, curve_label, outstanding_io_count
"""
_TAILS = """
    with newest as (
        select * from rpt_measurements semi join chosen using (measurement_id)
        where document_id is null and measurement_id in (
            select measurement_id from fct_latency_percentiles where latency_kind = 'clat'
        )
        order by measured_at desc, measurement_id limit $most
    )
    select
        concat_ws(', ', strftime(measured_at, '%Y-%m-%d %H:%M:%S'), array_label, profile_label,
            outstanding_io_count || ' outstanding I/Os', direction) as run,
        measurement_id || direction as line,
        exceeded_once_in_count as one_in, latency_us
    from fct_latency_percentiles inner join newest using (measurement_id)
    where latency_kind = 'clat' and percentile_ratio >= 0.5 and direction != 'mixed'
        and latency_us > 0
    order by run, line, one_in
"""
_NEWEST = """
    select
        array_label as array, profile_label as "load profile", value_label as newest,
        history_change_label as change, history_label as "runs before", measured_at as measured
    from rpt_newest_runs
    where earlier_run_count > 0 and (array_label, profile_id) in
        (select (array_label, profile_id) from chosen_results where is_own)
    order by measured_at desc, profile_label
"""
_HISTORY = """
    select
        concat_ws(', ', array_label, profile_label,
            outstanding_io_count || ' outstanding I/Os') as label,
        points.series_id, strftime(points.measured_at, '%Y-%m-%dT%H:%M:%SZ') as measured_at,
        points.value as iops
    from fct_repeated_measurements as points inner join rpt_measurements using (measurement_id)
    where metric = 'iops' and points.series_id in (
        select series_id from fct_repeated_measurements
        semi join chosen using (measurement_id)
        group by series_id having count(distinct measured_at) >= 3
        order by max(measured_at) desc, series_id limit $most
    )
    order by label, points.measured_at
"""
_CLAIMS = """
    select
        claim_label as claim, verdict, verdict_label as "printed and found",
        source_label as source
    from fct_claims
    where verdict != 'insufficient data'
        and (subject_measurement_id in (from chosen) or object_measurement_id in (from chosen))
    order by verdict desc, source_label, claim_label
"""
# All measurements on the page: chosen, compared, and those behind limits.
_SHOWN = """
    create temp table shown as
    from chosen
    union
    select measurement_id from compared
    union
    select unnest([ceiling_measurement_id, published_measurement_id]) from concluded
"""
_PAPERS = """
    select
        papers.document_title as title, papers.publisher, papers.version,
        papers.published_as_printed as published, papers.commissioned_by as sponsor,
        papers.printed_megabyte_bytes as "bytes in a printed MB",
        count(*) as "values here", papers.url
    from measurements semi join shown using (measurement_id)
    inner join dim_documents as papers using (document_id)
    group by all order by title
"""
_FILES = """
    select
        source_path as file, tool_name || ' ' || tool_version as tool, count(*) as "values here",
        max(measured_at) as measured, file_id[:12] as "sha256 begins with"
    from measurements semi join chosen using (measurement_id)
    where document_id is null group by all order by measured desc, file limit 200
"""


def night(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    """The outcome of the last night, from `quality`."""
    for heading, note, query in (
        ("Last night", "All other sections describe the published release.", _NIGHT),
        ("Failed checks", "Critical ones hold the release back.", _FAILED_CHECKS),
        ("Changes", "Series with a recent change of level.", _CHANGES),
        ("Quarantined", "Files that could not be read, and why.", _QUARANTINED),
    ):
        yield Part(heading, note, rows_of(connection.sql(query)))


def parts(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    """The sections about the chosen measurements."""
    yield from conclusion(connection)
    note = "Where the numbers contradict a claim, a ceiling or each other."
    yield Part("Findings", note, rows_of(connection.sql(_FINDINGS)))
    yield from compared(connection)
    yield from our_results(connection)
    note = "The newest run of each load that was run before."
    yield Part("Our newest runs", note, rows_of(connection.sql(_NEWEST)))
    yield from _response(connection)
    yield from _tails(connection)
    rows = rows_of(connection.sql(_HISTORY, params={"most": _MOST_LINES}))
    note = "Series of at least three runs; each chart has its own scale."
    yield Part("Repeated runs", note, [], charts.history(rows) if rows else "")
    note = "The papers' claims about these results, if the numbers allow a verdict."
    yield Part("Claims", note, rows_of(connection.sql(_CLAIMS)))
    connection.execute(_SHOWN)
    yield Part("Papers", "Sources of the published values.", rows_of(connection.sql(_PAPERS)))
    yield Part("Files", "Our own results, the newest 200 files.", rows_of(connection.sql(_FILES)))


def _response(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    points = rows_of(connection.sql(_CURVES, params={"most": _MOST_CURVES}))
    for label in dict.fromkeys(point["profile_label"] for point in points):
        of_profile = [point for point in points if point["profile_label"] == label]
        knees = [
            {
                "curve": point["curve"],
                "outstanding I/Os": point["outstanding_io_count"],
                "IOPS": point["iops"],
                "mean latency": point["latency_us"],
            }
            for point in of_profile
            if point["knee"]
        ]
        squares = "Squares mark knees: beyond them latency grows faster than throughput. "
        note = squares * bool(knees) + f"At most {_MOST_CURVES} curves."
        yield Part(f"Response curve: {label}", note, knees, charts.curves(of_profile))


def _tails(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    rows = rows_of(connection.sql(_TAILS, params={"most": _MOST_LINES}))
    note = f"Completion latencies of the newest {_MOST_LINES} runs that recorded percentiles."
    yield Part("Tail latency", note, [], charts.tails(rows) if rows else "")
