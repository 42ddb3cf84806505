-- The ALL row of a block sums up all others. The companion file repeats them, as its totals.
with totals as (
    select * from {{ source('raw', 'iometer_results') }}
    where row_type = 'ALL'
    union all by name
    select * from {{ source('raw', 'iometer_updates') }}
    where row_type = 'ALL'
)

select
    file_id,
    block_index,
    coalesce(totals.line, blocks.line) as line,
    totals.line is not null as has_totals,
    totals.access_spec_index,
    totals.access_spec_name,
    blocks.group_index is not null as has_access_specs,
    blocks.header = 'H4' as is_companion,
    blocks.is_complete,
    blocks.incomplete_reason,
    sessions.is_truncated as is_session_truncated,
    sessions.test_description,
    sessions.iometer_version as tool_version,
    -- a block's end and a session's start are in the host's local time, without its zone; up to
    -- 2003.02 only the start is printed
    sessions.started_at_local as started_at,
    coalesce(blocks.ended_at_local, sessions.started_at_local) as measured_at,
    totals.iops,
    totals.read_iops,
    totals.write_iops,
    -- both MB/s columns are rounded to six decimals; the decimal one, if there is one, loses less
    {% for direction in ['', 'read_', 'write_'] -%}
        coalesce(
            {{ to_base_unit(direction ~ 'mb_per_second', "'MB/s'", 10) }},
            {{ to_base_unit(direction ~ 'mib_per_second', "'MB/s'", 2) }}
        ) as {{ direction }}bytes_per_second,
    {% endfor -%}
    -- Iometer prints 0 if there was no I/O to time, and milliseconds with six decimals
    round({{ to_base_unit('nullif(response_time_mean_ms, 0)', "'ms'", 10) }}, 3) as latency_mean_us,
    round({{ to_base_unit('nullif(response_time_max_ms, 0)', "'ms'", 10) }}, 3) as latency_max_us,
    try(totals.read_io_count + totals.write_io_count) as io_count,
    totals.error_count,
    totals.worker_count,
    -- the queue depth is per target of each worker; target_count counts the targets of each worker
    try(totals.queue_depth * totals.target_count) as outstanding_io_count,
from {{ source('raw', 'iometer_blocks') }} as blocks
inner join {{ source('raw', 'iometer_sessions') }} as sessions using (file_id, session_index)
left join totals using (file_id, block_index)
where {{ is_current_file() }}
