-- fio prints the middle of a bin; the last bin has everything above its lower edge. A percentile
-- above the longest I/O is impossible.
with percentiles as (
    select
        file_id,
        job_index,
        direction,
        latency_kind,
        latency_unit,
        is_possible,
        longest_latency,
        bin_latencies is not null as has_bins,
        round(unnest(percentiles) / 100, 12) as percentile_ratio,
        unnest(percentile_latencies) as middle,
        {{ fio_lower_edge('middle') }} as lower_edge,
    from {{ ref('stg_fio__latencies') }}
)

select
    * exclude (latency_unit, is_possible, longest_latency, middle, lower_edge),
    not is_possible or coalesce(lower_edge > longest_latency, false) as is_impossible,
    {{ is_last_fio_bin('middle', 'latency_unit') }} as is_at_least,
    case
        when not is_impossible
            then {{ to_us('if(is_at_least, lower_edge, middle)', 'latency_unit') }}
    end as min_latency_us,
    case
        when not is_impossible
            then {{ to_us('if(is_at_least, longest_latency, middle)', 'latency_unit') }}
    end as max_latency_us,
from percentiles
