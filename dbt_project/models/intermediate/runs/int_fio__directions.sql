-- The rate of processes that ran at once is their I/Os over the longest runtime, as with
-- group_reporting. Syncs and the verify reads of a write job are not part of the load; nor is the
-- mix that unified_rw_reporting=both prints beside its directions, unless it stands alone. Up to
-- 3.42 fio adds syncs other than fsync to the short I/Os (ioengines.c td_io_queue).
with directions as (
    select
        jobs.measurement_id,
        coalesce(
            rates.runtime_seconds / nullif(max(rates.runtime_seconds) over (
                partition by jobs.measurement_id, rates.direction
            ), 0), 1
        ) as runtime_share_ratio,
        rates.* replace (
            iops * runtime_share_ratio as iops,
            bytes_per_second * runtime_share_ratio as bytes_per_second,
            if(
                case rates.direction
                    when 'read' then jobs.options ->> 'fdatasync'
                    when 'write' then jobs.options ->> 'sync_file_range'
                end is null,
                rates.short_io_count, null
            ) as short_io_count
        ),
        rates.direction != 'sync' and not (rates.direction = 'read' and jobs.has_verify_reads)
            as is_io,
        is_io and (
            rates.direction != 'mixed'
            or count(*) filter (where is_io) over (partition by measurement_id, job_index) = 1
        ) as is_of_load,
    from {{ ref('int_fio__jobs') }} as jobs
    inner join {{ ref('stg_fio__directions') }} as rates using (file_id, job_index)
    where not jobs.is_summary
)

-- The latencies of a load with several directions have direction mixed, printed or merged.
select
    * exclude (is_io, runtime_share_ratio),
    if(
        count(distinct direction) filter (where is_io) over measurement > 1,
        'mixed', min(direction) filter (where is_io) over measurement
    ) as load_direction,
    if(
        load_direction = 'mixed' and is_of_load
        and not bool_or(direction = 'mixed') over measurement,
        [direction, 'mixed'], [direction]
    ) as latency_directions,
from directions
window measurement as (partition by measurement_id)
