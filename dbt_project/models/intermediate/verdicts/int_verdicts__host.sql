-- Whether the host was the limit, not the drives: its processors, its queue, the
-- controller's state, or the load itself.
with runs as (
    select
        *,
        if(is_limited, 'the load is limited', null) as limited_reason,
    from {{ ref('int_run_conditions') }}
)

select
    measurement_id,
    'CPU' as rule,
    cpu_ratio as value,
    null as not_applicable_reason,
    if(tool_name = 'fio', 'fio used ', 'the host used ') || {{ percent('cpu_ratio') }}
    || ' of its processors' as evidence,
from runs
union all by name
select
    measurement_id,
    'queue depth' as rule,
    io_depth_reached_ratio as value,
    limited_reason as not_applicable_reason,
    {{ percent('io_depth_reached_ratio') }} || ' of I/Os were at the requested depth' as evidence,
from runs
union all by name
select
    measurement_id,
    'outstanding I/Os' as rule,
    littles_law_ratio as value,
    limited_reason as not_applicable_reason,
    'IOPS x mean latency is ' || {{ percent('littles_law_ratio') }}
    || ' of the outstanding I/Os' as evidence,
from runs
union all by name
select
    measurement_id,
    'clock' as rule,
    littles_law_ratio as value,
    'IOPS x mean latency is ' || {{ percent('littles_law_ratio') }}
    || ' of the outstanding I/Os' as evidence,
from runs
union all by name
select
    measurement_id,
    'device busy' as rule,
    device_busy_ratio as value,
    coalesce(limited_reason, if(not is_direct, 'the I/O was buffered', null))
        as not_applicable_reason,
    'the device was busy for ' || {{ percent('device_busy_ratio') }} || ' of the time' as evidence,
from runs
union all by name
select
    measurement_id,
    'array state' as rule,
    cast(array_state = 'optimal' as int) as value,
    'the array was ' || array_state as evidence,
from runs
where array_state is not null
union all by name
select
    measurement_id,
    'temperature' as rule,
    cast(thermal_state = 'normal' as int) as value,
    if(
        thermal_state = 'normal', 'no drive overheated', 'a drive was above its warning temperature'
    ) as evidence,
from runs
where thermal_state is not null
union all by name
select
    measurement_id,
    'write cache' as rule,
    cast(write_cache = 'write-back' as int) as value,
    case
        when read_ratio = 1 then 'the run only reads'
        when drive_media = 'SSD' then 'write-through is usual for SSDs'
    end as not_applicable_reason,
    'the controller''s cache was ' || write_cache as evidence,
from runs
where write_cache is not null
union all by name
select
    measurement_id,
    'buffered queue' as rule,
    cast(is_buffered_queue as int) as value,
    io_engine || ' with ' || if(is_buffered_queue, 'buffered', 'direct') || ' I/O' as evidence,
from runs
union all by name
select
    measurement_id,
    'limited load' as rule,
    cast(is_limited as int) as value,
    if(is_limited, coalesce(condition, 'think time'), 'no limit') as evidence,
from runs
