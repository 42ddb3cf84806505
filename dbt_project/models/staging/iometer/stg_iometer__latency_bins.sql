-- Iometer prints the last bin but never fills it: I/Os that no bin counts took 10 s or longer.
with bins as (
    select
        *,
        try(read_io_count + write_io_count) - sum(io_count) over (partition by file_id, line)
            as uncounted,
    from {{ source('raw', 'iometer_latency_bins') }}
    inner join {{ source('raw', 'iometer_results') }} using (file_id, line)
    where row_type = 'ALL' and {{ is_current_file() }}
)

select
    file_id,
    line,
    lower_us,
    upper_us,
    case
        when upper_us is not null then io_count
        when uncounted >= 0 then try_cast(uncounted + io_count as bigint)
    end as io_count,
from bins
