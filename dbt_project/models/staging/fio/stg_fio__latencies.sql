-- Submission and completion are parts of an I/O. If they took longer on average than the whole,
-- fio's clock was off, and their distribution is invalid. So is a histogram beyond the longest I/O.
with latencies as (
    select
        parts.*,
        coalesce(parts.latency_mean <= 1.01 * nullif(whole.latency_mean, 0), true) as is_possible,
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
        if(
            not is_possible
            or coalesce({{ fio_lower_edge('list_max(bin_latencies)') }} > longest_latency, false),
            null, bin_latencies
        ) as bin_latencies
    ),
from latencies
