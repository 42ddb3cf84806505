-- The last bin is printed and never counted into: what took 10 s or longer is what no bin has.
with bins as (
    select
        bins.*,
        totals.read_io_count + totals.write_io_count as total_count,
        sum(bins.io_count) over (partition by bins.file_id, bins.line) as counted,
    from {{ source('raw', 'iometer_latency_bins') }} as bins
    inner join {{ source('raw', 'iometer_results') }} as totals using (file_id, line)
    where totals.row_type = 'ALL'
)

select
    -- ids
    file_id,
    line,

    -- measures
    lower_us,
    upper_us,
    case
        when upper_us is not null then io_count
        when total_count >= counted then cast(total_count - counted + io_count as bigint)
    end as io_count,
from bins
where {{ is_current_file() }}
