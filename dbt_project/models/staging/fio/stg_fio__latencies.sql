-- No I/O took longer than the longest, of its kind or as a whole: bins beyond that, as of a clock
-- that ran off, count nothing.
with latencies as (
    select
        parts.*,
        least(nullif(parts.latency_max, 0), nullif(whole.latency_max, 0)) as longest_latency,
    from {{ source('raw', 'fio_latencies') }} as parts
    left join {{ source('raw', 'fio_latencies') }} as whole
        on
            parts.file_id = whole.file_id
            and parts.job_index = whole.job_index
            and parts.direction = whole.direction
            and parts.latency_unit = whole.latency_unit
            and whole.latency_kind = 'lat'
)

select
    * replace (
        if({{ fio_lower_edge('list_max(bin_latencies)') }} > longest_latency, null, bin_latencies)
            as bin_latencies
    ),
from latencies
