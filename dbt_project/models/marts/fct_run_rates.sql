-- Adds up the logs of a run's processes. fio averages the I/O of each process over intervals of
-- equal length, so lines are matched by interval number; a log without a job number is shared by
-- all processes. In a log with a line for each I/O, bytes and I/Os are counted, up to the last
-- whole interval. A log of IOPS alone gets its throughput from the block size. At the end, where
-- fewer than nine of ten processes log, the rate covers only part of the load. Without logs, only
-- the seconds of the window at the end of the run are known, in which fio looked for a steady
-- state. Other tools write the intervals of their whole load.
with runs as (
    select
        measured.measurement_id,
        measured.worker_count,
        profiles.mean_block_bytes,
    from {{ ref('fct_measurements') }} as measured
    left join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
),

logs as (
    select
        measurement_id,
        quantity,
        job_number,
        direction,
        source_path,
        min(elapsed_seconds) as first_seconds,
        max(elapsed_seconds) as last_seconds,
        count(*) as line_count,
        count(block_bytes) > 0 as is_by_io,
        if(job_number is null and not is_by_io, coalesce(any_value(worker_count), 1), 1)
            as process_count,
    from {{ ref('fct_time_series') }}
    left join runs using (measurement_id)
    where
        measurement_id is not null
        and quantity in ('iops', 'bandwidth')
        and direction in ('read', 'write')
    group by measurement_id, quantity, job_number, direction, source_path
    having line_count > 1
),

intervals as (
    select
        measurement_id,
        greatest(1, min(
            if(
                is_by_io,
                1, (last_seconds - first_seconds) / nullif(line_count / process_count - 1, 0)
            )
        )) as interval_seconds,
        count(distinct job_number) as job_count,
        max(process_count) as shared_process_count,
        max(if(is_by_io, last_seconds, null)) as last_io_seconds,
    from logs
    group by measurement_id
),

process_rates as (
    select
        measurement_id,
        quantity,
        coalesce(job_number, 1) as job_number,
        direction,
        intervals.interval_seconds,
        intervals.job_count,
        if(
            lines.block_bytes is null,
            greatest(1, round(lines.elapsed_seconds / intervals.interval_seconds)),
            floor(lines.elapsed_seconds / intervals.interval_seconds) + 1
        ) as interval_number,
        if(lines.job_number is null, intervals.shared_process_count, 1) as log_process_count,
        if(
            count(lines.block_bytes) > 0,
            count(*) / intervals.interval_seconds,
            {{ ordered_sum('lines.iops') }} / count(*) * log_process_count
        ) as iops,
        if(
            count(lines.block_bytes) > 0,
            sum(lines.block_bytes) / intervals.interval_seconds,
            {{ ordered_sum('lines.bytes_per_second') }} / count(*) * log_process_count
        ) as bytes_per_second,
    from {{ ref('fct_time_series') }} as lines
    inner join intervals using (measurement_id)
    where
        quantity in ('iops', 'bandwidth') and direction in ('read', 'write')
        and (
            lines.block_bytes is null
            or interval_number * intervals.interval_seconds
            <= greatest(intervals.last_io_seconds + 0.1, intervals.interval_seconds)
        )
    group by
        measurement_id, quantity, lines.job_number, direction, intervals.interval_seconds,
        intervals.job_count, intervals.shared_process_count, interval_number
),

rates as (
    select
        measurement_id,
        interval_number,
        interval_seconds,
        count(distinct job_number) as process_count,
        process_count >= 0.9 * max(job_count) as is_of_all,
        {% for direction in ['read', 'write'] -%}
            {{ ordered_sum('iops', "quantity = 'iops' and direction = '" ~ direction ~ "'") }}
                as {{ direction }}_iops,
            {{ ordered_sum(
                'bytes_per_second', "quantity = 'bandwidth' and direction = '" ~ direction ~ "'"
            ) }} as {{ direction }}_logged_bytes,
        {% endfor -%}
    from process_rates
    group by measurement_id, interval_number, interval_seconds
),

windows as (
    select
        measurement_id,
        runtime_seconds - steady_state_seconds as before_seconds,
        steady_state_seconds / len(steady_state_iops) as interval_seconds,
        unnest(range(1, len(steady_state_iops) + 1)) as interval_number,
        unnest(steady_state_iops) as iops,
    from {{ ref('int_fio__jobs') }}
    where
        entry_count = 1 and not is_part_of_another
        and steady_state_seconds > 0
        and list_min(steady_state_iops) > 0  -- a window that was not full has zeros
        and measurement_id not in (select rates.measurement_id from rates)
)

select
    measurement_id,
    'log' as rate_source,
    rates.interval_number * rates.interval_seconds as elapsed_seconds,
    rates.interval_seconds,
    coalesce(rates.read_iops + rates.write_iops, rates.read_iops, rates.write_iops) as iops,
    {% for direction in ['read', 'write'] -%}
        coalesce(
            rates.{{ direction }}_logged_bytes,
            rates.{{ direction }}_iops * runs.mean_block_bytes
        ) as {{ direction }}_bytes_per_second,
    {% endfor -%}
    coalesce(
        read_bytes_per_second + write_bytes_per_second, read_bytes_per_second,
        write_bytes_per_second
    ) as bytes_per_second,
    -- writes of an unknown size make the sum unknown
    if(
        bool_or(rates.write_iops is not null and write_bytes_per_second is null) over so_far, null,
        round(sum(coalesce(write_bytes_per_second, 0) * rates.interval_seconds) over so_far)
    ) as written_bytes,
    rates.process_count,
    rates.interval_number <= max(if(rates.is_of_all, rates.interval_number, null)) over (
        partition by measurement_id
    ) as is_of_whole_load,
from rates
left join runs using (measurement_id)
window so_far as (partition by measurement_id order by rates.interval_number)
union all by name
select
    windows.measurement_id,
    'steady-state window' as rate_source,
    windows.before_seconds + windows.interval_number * windows.interval_seconds as elapsed_seconds,
    windows.interval_seconds,
    windows.iops,
    windows.iops * runs.mean_block_bytes as bytes_per_second,
    true as is_of_whole_load,
from windows
left join runs using (measurement_id)
union all by name
select
    results.measurement_id,
    'log' as rate_source,
    samples.elapsed_seconds,
    samples.interval_seconds,
    samples.iops,
    samples.read_bytes_per_second,
    samples.write_bytes_per_second,
    coalesce(
        samples.bytes_per_second,
        samples.read_bytes_per_second + samples.write_bytes_per_second
    ) as bytes_per_second,
    if(
        count(samples.write_bytes_per_second) over in_order = count(*) over in_order,
        round(sum(samples.write_bytes_per_second * samples.interval_seconds) over in_order), null
    ) as written_bytes,
    true as is_of_whole_load,
from {{ source('raw', 'generic_samples') }} as samples
inner join {{ ref('int_generic__measurements') }} as results using (file_id, result_index)
where samples.elapsed_seconds is not null and samples.interval_seconds > 0
window in_order as (partition by measurement_id order by samples.elapsed_seconds)
order by measurement_id, elapsed_seconds
