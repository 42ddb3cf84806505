"""A section for each load profile: the chosen results and other ones, the most similar first."""

from collections.abc import Iterator

import duckdb

from headroom.analyse.report import charts
from headroom.analyse.report.page import Part
from headroom.warehouse import rows_of

_MOST_BARS = 30
_MOST_OTHERS = 5
# Others are related to our own results, if the load profile has any.
_COMPARED = """
    create temp table compared as
    with points as (
        select
            rpt_compare.*, measurements.drive,
            if(
                rpt_compare.headline_metric = 'iops',
                limits.value_label || ', ' || limits.kind,
                regexp_extract(limits.value_label, '^[≈≤≥] ') || rpt_compare.ceiling_label
            ) as limit_label,
            rpt_compare.document_id is null as is_own,
            nullif(rpt_compare.controller, 'not reported') as known_controller,
            chosen_results.profile_id is not null as is_chosen,
        from rpt_compare
        inner join measurements using (measurement_id)
        left join rpt_limits as limits
            on measurements.array_id = limits.array_id
            and measurements.profile_id = limits.profile_id
            and measurements.binding_ceiling = limits.kind
        left join chosen_results
            on rpt_compare.array_label = chosen_results.array_label
            and rpt_compare.profile_id = chosen_results.profile_id
            and (rpt_compare.document_id is null) = chosen_results.is_own
        where rpt_compare.headline_value is not null
            and rpt_compare.profile_id in (select profile_id from chosen_results)
    ),

    subjects as (
        select * from points where is_chosen
        qualify is_own = bool_or(is_own) over (partition by profile_id)
    ),

    related as (
        select
            others.measurement_id,
            min(case
                when others.measurement_id = subjects.measurement_id then if(others.is_own, 1, 2)
                when others.known_controller = subjects.known_controller
                    then if(others.raid_level = subjects.raid_level, 3, 4)
                when others.drive = subjects.drive then 5
                when others.has_any_raid_level = subjects.has_any_raid_level then 6
                when others.is_chosen then 6
            end) as relation_place,
        from points as others
        inner join subjects using (profile_id)
        group by others.measurement_id
    )

    select
        *,
        ['our runs', 'chosen', 'same controller and RAID level', 'same controller',
            'same drives', 'others'][relation_place] as relation,
    from points
    inner join related using (measurement_id)
    -- single drives stand beside single drives, unless they are those of the array
    where relation_place is not null
    qualify row_number() over (
        partition by profile_id, relation_place, is_chosen order by headline_value desc, array_label
    ) <= if(is_chosen, $most, $others)
"""
_PROFILES = """
    select profile_id, any_value(profile_label), any_value(headline_metric)
    from compared
    group by profile_id
    order by bool_or(relation = 'our runs') desc, count(*) filter (is_chosen) desc, 2
"""
_RESULTS = """
    select
        array_label as array, relation as "compared as", value_label as value,
        repeats_label as repeats, attained_label as "% of ceiling",
        limit_label as ceiling, outstanding_io_count as "outstanding I/Os",
        latency_mean_us as "mean latency", as_printed as "as printed", source_label as source,
        headline_value as bar
    from compared where profile_id = $profile
    order by relation_place, headline_value desc, array_label
"""
_NOTE = (
    "One value for each array: the median of its runs, or what its paper prints for the usual "
    "processor. ≤ is “up to” in the source, ≥ “at least”, ≈ “about”. At most "
    f"{_MOST_BARS} bars of what was chosen and {_MOST_OTHERS} of each kind beside it."
)


def compared(connection: duckdb.DuckDBPyConnection) -> Iterator[Part]:
    connection.execute(_COMPARED, {"most": _MOST_BARS, "others": _MOST_OTHERS})
    for profile_id, label, metric in connection.execute(_PROFILES).fetchall():
        found = rows_of(connection.sql(_RESULTS, params={"profile": profile_id}))
        drawn = [
            {
                "array": row["array"],
                "value": row.pop("bar"),
                "label": row["value"],
                "kind": row["compared as"],
            }
            for row in found
        ]
        yield Part(label, _NOTE, found, charts.bars(drawn, metric))
