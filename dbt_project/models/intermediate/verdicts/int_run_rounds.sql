-- Whether a run was steady, by the rounds of SNIA's Performance Test Specification 2.0, section
-- 2.1.24. Five rounds are five equal parts of a run's log or of fio's steady-state window, or the
-- run and the four before it in its series and folder, within a day; the longer window counts.
with parts as (
    select
        measurement_id,
        rate_source,
        if({{ is_of_iops() }}, iops, bytes_per_second) as rate,
        interval_seconds,
        ntile(5) over (partition by measurement_id order by elapsed_seconds) as round_number,
        count(*) over (partition by measurement_id) as sample_count,
    from {{ ref('fct_run_rates') }}
    where is_of_whole_load
),

rounds as (
    select
        measurement_id,
        'five parts of the ' || rate_source as round_source,
        round_number,
        {{ ordered_sum('rate') }} / count(rate) as rate,
        {{ ordered_sum('interval_seconds') }} as round_seconds,
    from parts
    where sample_count >= 10
    group by measurement_id, rate_source, round_number
),

own_runs as (
    select
        measurement_id,
        measured_at,
        runtime_seconds,
        coalesce(iops, bytes_per_second) as rate,
        series_id || {{ folder('source_path') }} as series,
        row_number() over runs as run_number,
    from {{ ref('fct_measurements') }}
    where
        document_id is null and is_valid and measured_at is not null and runtime_seconds is not null
        and part_count is null
    window runs as (
        partition by series_id, {{ folder('source_path') }} order by measured_at, measurement_id
    )
),

repeats as (
    select
        runs.measurement_id,
        'the last five runs' as round_source,
        earlier.run_number - runs.run_number + 5 as round_number,
        earlier.rate,
        earlier.runtime_seconds as round_seconds,
    from own_runs as runs
    inner join own_runs as earlier
        on
            runs.series = earlier.series
            and earlier.run_number between runs.run_number - 4 and runs.run_number
            and earlier.measured_at > runs.measured_at - interval '1 day'
),

windows as (
    {% for source in ['rounds', 'repeats'] -%}
        select
            measurement_id,
            round_source,
            {{ ordered_sum('round_seconds') }} as window_seconds,
            {{ ordered_sum('rate') }} / 5 as mean_rate,
            (max(rate) - min(rate)) / nullif(mean_rate, 0) as range_ratio,
            -- the slope over x = 1 to 5 is the sum of (x - 3) * y / 10; the line spans four steps
            abs({{ ordered_sum('(round_number - 3) * rate') }}) / 10 * 4 / nullif(mean_rate, 0)
                as slope_ratio,
        from {{ source }}
        group by measurement_id, round_source
        having count(rate) = 5
        {{ 'union all' if not loop.last }}
    {% endfor -%}
)

select *
from windows
qualify
    row_number() over (
        partition by measurement_id order by window_seconds desc, round_source asc
    ) = 1
