-- Whether a run was steady, and for long enough: a drive that was not filled first slows down
-- later.
{% set no_flash_writes -%}
    case
        when runs.read_ratio = 1 then 'the run only reads'
        when runs.drive_media = 'HDD' then 'hard disks need no preconditioning'
    end
{%- endset -%}
with logs as (
    select
        measurement_id,
        max(if(is_of_whole_load, elapsed_seconds, null)) as whole_load_seconds,
        -- the last interval may be shorter
        greatest(whole_load_seconds, max(elapsed_seconds) - max(interval_seconds))
            as logged_seconds,
    from {{ ref('fct_run_rates') }}
    where rate_source = 'log'
    group by measurement_id
),

runs as (
    select
        conditions.*,
        rounds.* exclude (measurement_id),
        changes.* exclude (measurement_id),
        logs.* exclude (measurement_id),
        coalesce(conditions.capacity_bytes, conditions.span_bytes) as target_bytes,
        rounds.round_source like '%window' as is_of_window,
        if(
            is_of_window,
            rounds.window_seconds, greatest(rounds.window_seconds, conditions.runtime_seconds)
        ) as measured_seconds,
        if(changes.is_of_iops, 'iops', 'bytes_per_second') as change_unit,
    from {{ ref('int_run_conditions') }} as conditions
    left join {{ ref('int_run_rounds') }} as rounds using (measurement_id)
    left join {{ ref('int_run_level_changes') }} as changes using (measurement_id)
    left join logs using (measurement_id)
)

select
    measurement_id,
    'round range' as rule,
    range_ratio as value,
    null as not_applicable_reason,
    coalesce(
        round_source || ' differ by ' || {{ percent('range_ratio') }},
        'no log of ten intervals, and fewer than five runs that day'
    ) as evidence,
from runs
union all by name
select
    measurement_id,
    'round slope' as rule,
    slope_ratio as value,
    round_source || ' drift by ' || {{ percent('slope_ratio') }} as evidence,
from runs
where slope_ratio is not null
union all by name
select
    measurement_id,
    'level change' as rule,
    abs(change_ratio) as value,
    if(is_lasting, null, 'no change beyond the noise') as not_applicable_reason,
    'from ' || {{ quantity_label('rate_before', 'change_unit') }} || ' to '
    || {{ quantity_label('rate_after', 'change_unit') }} || ' after '
    || {{ short('change_seconds') }} || ' s'
    || if(
        change_written_bytes > 0,
        ' and ' || {{ short('change_written_bytes / 1e9') }} || ' GB of writes', ''
    ) as evidence,
from runs
where is_lasting is not null
union all by name
select
    measurement_id,
    'whole load' as rule,
    whole_load_seconds / logged_seconds as value,
    'all processes ran together for ' || {{ short('whole_load_seconds') }} || ' of '
    || {{ short('logged_seconds') }} || ' s' as evidence,
from runs
where logged_seconds is not null
union all by name
select
    measurement_id,
    'noise' as rule,
    noise_ratio as value,
    'the standard deviation of the log is ' || {{ percent('noise_ratio') }} as evidence,
from runs
where noise_ratio is not null
union all by name
select
    measurement_id,
    'fio steady state' as rule,
    cast(is_steady_state_attained as int) as value,
    'fio''s steady state was ' || if(is_steady_state_attained, '', 'not ') || 'attained'
        as evidence,
from runs
where is_steady_state_attained is not null
union all by name
select
    measurement_id,
    'steady-state window' as rule,
    abs(iops / mean_rate - 1) as value,
    'the run has ' || {{ quantity_label('iops', "'iops'") }} || ', its steady-state window '
    || {{ quantity_label('mean_rate', "'iops'") }} as evidence,
from runs
where is_of_window
union all by name
select
    measurement_id,
    'measured time' as rule,
    measured_seconds as value,
    'measured for ' || {{ short('measured_seconds') }} || ' s' as evidence,
from runs
union all by name
select
    measurement_id,
    'time of writes' as rule,
    measured_seconds as value,
    coalesce(
        {{ no_flash_writes }}, if(capacity_bytes is null, null, 'the drives'' capacity is known')
    ) as not_applicable_reason,
    'wrote for ' || {{ short('measured_seconds') }} || ' s'
    || if(capacity_bytes is null, ', drive capacity not reported', '') as evidence,
from runs
union all by name
select
    measurement_id,
    'bytes written' as rule,
    written_bytes / target_bytes as value,
    {{ no_flash_writes }} as not_applicable_reason,
    'wrote ' || {{ quantity_label('written_bytes', "'bytes'") }} || coalesce(
        ' to ' || {{ quantity_label('target_bytes', "'bytes'") }}
        || if(capacity_bytes is null, ' of files', ' of drives'),
        ', drive capacity not reported'
    ) as evidence,
from runs
