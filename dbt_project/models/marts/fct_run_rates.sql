-- The logs of a run's processes in one: fio averages each process's I/O over an interval, at about
-- the same times, so lines belong together by their number of intervals. Of a log with a line for
-- each I/O, bytes and I/Os are counted. The end, when fewer than nine of ten processes still log,
-- is left out: it is part of an interval, or of the load. Logs of IOPS alone have throughput by the
-- block size.
with logs as (
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
    from {{ ref('fct_time_series') }}
    where
        measurement_id is not null
        and quantity in ('iops', 'bandwidth')
        and direction in ('read', 'write')
    group by all
    having line_count > 1
),

intervals as (
    select
        measurement_id,
        greatest(1, max(
            if(is_by_io, 1, (last_seconds - first_seconds) / (line_count - 1))
        )) as interval_seconds,
        count(distinct job_number) as job_count,
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
        greatest(1, round(lines.elapsed_seconds / intervals.interval_seconds)) as interval_number,
        if(
            count(lines.block_bytes) > 0,
            count(*) / intervals.interval_seconds, {{ ordered_sum('lines.iops') }} / count(*)
        ) as iops,
        if(
            count(lines.block_bytes) > 0,
            sum(lines.block_bytes) / intervals.interval_seconds,
            {{ ordered_sum('lines.bytes_per_second') }} / count(*)
        ) as bytes_per_second,
    from {{ ref('fct_time_series') }} as lines
    inner join intervals using (measurement_id)
    where quantity in ('iops', 'bandwidth') and direction in ('read', 'write')
    group by
        measurement_id, quantity, lines.job_number, direction, intervals.interval_seconds,
        intervals.job_count, interval_number
),

rates as (
    select
        measurement_id,
        interval_number,
        interval_seconds,
        count(distinct job_number) >= 0.9 * max(job_count) as is_of_all,
        {% for direction in ['read', 'write'] -%}
            {{ ordered_sum('iops', "quantity = 'iops' and direction = '" ~ direction ~ "'") }}
                as {{ direction }}_iops,
            {{ ordered_sum(
                'bytes_per_second', "quantity = 'bandwidth' and direction = '" ~ direction ~ "'"
            ) }} as {{ direction }}_logged_bytes,
        {% endfor -%}
    from process_rates
    group by measurement_id, interval_number, interval_seconds
)

select
    rates.measurement_id,
    rates.interval_number * rates.interval_seconds as elapsed_seconds,
    rates.interval_seconds,
    coalesce(rates.read_iops + rates.write_iops, rates.read_iops, rates.write_iops) as iops,
    {% for direction in ['read', 'write'] -%}
        coalesce(
            rates.{{ direction }}_logged_bytes,
            rates.{{ direction }}_iops * profiles.mean_block_bytes
        ) as {{ direction }}_bytes_per_second,
    {% endfor -%}
    coalesce(
        read_bytes_per_second + write_bytes_per_second, read_bytes_per_second,
        write_bytes_per_second
    ) as bytes_per_second,
    sum(coalesce(write_bytes_per_second, 0) * rates.interval_seconds) over (
        partition by rates.measurement_id order by rates.interval_number
    ) as written_bytes,
from rates
left join {{ ref('fct_measurements') }} as measured using (measurement_id)
left join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
qualify
    rates.interval_number <= max(if(rates.is_of_all, rates.interval_number, null)) over (
        partition by rates.measurement_id
    )
order by rates.measurement_id, elapsed_seconds
