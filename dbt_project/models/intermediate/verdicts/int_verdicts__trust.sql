-- Whether a run is valid and long enough, and whether a cache answered instead of the drives.
{% set no_flash_reads -%}
    if(
        read_ratio = 1 and random_ratio = 1 and drive_media is distinct from 'HDD',
        null, 'not random reads from flash'
    )
{%- endset -%}
with runs as (
    select
        *,
        coalesce(latency_p50_us, latency_mean_us) as typical_latency_us,
    from {{ ref('int_run_conditions') }}
)

select
    measurement_id,
    'valid result' as rule,
    cast(is_valid as int) as value,
    null as not_applicable_reason,
    if(is_valid, 'the result is valid', coalesce(validity_note, 'not valid')) as evidence,
from runs
union all by name
select
    measurement_id,
    'runtime' as rule,
    runtime_seconds as value,
    'ran for ' || {{ short('runtime_seconds') }} || ' s' as evidence,
from runs
union all by name
select
    measurement_id,
    'page cache' as rule,
    span_bytes / memory_bytes as value,
    if(is_direct, 'the I/O was direct', null) as not_applicable_reason,
    case
        when not is_direct and memory_bytes is null
            then 'buffered I/O, host memory not reported'
        when not is_direct
            then
                'buffered I/O to ' || {{ quantity_label('span_bytes', "'bytes'") }}
                || ' on a host with ' || {{ quantity_label('memory_bytes', "'bytes'") }}
                || ' of memory'
        else 'direct or buffered I/O is not reported'
    end as evidence,
from runs
union all by name
select
    measurement_id,
    'flash latency' as rule,
    typical_latency_us as value,
    {{ no_flash_reads }} as not_applicable_reason,
    'reads took ' || {{ quantity_label('typical_latency_us', "'us'") }} as evidence,
from runs
union all by name
select
    measurement_id,
    'disk latency' as rule,
    latency_mean_us as value,
    if(
        read_ratio = 1 and random_ratio = 1 and drive_media = 'HDD',
        null, 'not random reads from hard disks'
    ) as not_applicable_reason,
    'reads took ' || {{ quantity_label('latency_mean_us', "'us'") }} as evidence,
from runs
union all by name
select
    measurement_id,
    'controller cache' as rule,
    span_bytes / cache_bytes as value,
    'test files of ' || {{ quantity_label('span_bytes', "'bytes'") }}
    || ', controller cache of ' || {{ quantity_label('cache_bytes', "'bytes'") }} as evidence,
from runs
union all by name
select
    measurement_id,
    'file size' as rule,
    span_bytes / 1e9 as value,
    'test files of ' || {{ quantity_label('span_bytes', "'bytes'") }} as evidence,
from runs
union all by name
select
    measurement_id,
    'percentiles' as rule,
    io_count as value,
    if(latency_p50_us is null, 'no percentiles', null) as not_applicable_reason,
    io_count || ' I/Os support ' || case
        when io_count >= 100000 then 'p99.99'
        when io_count >= 10000 then 'p99.9'
        when io_count >= 1000 then 'p99'
        when io_count >= 200 then 'p95'
        else 'the median'
    end || ' and below' as evidence,
from runs
union all by name
select
    measurement_id,
    'ramp' as rule,
    ramp_seconds as value,
    'ramp of ' || {{ short('ramp_seconds') }} || ' s' as evidence,
from runs
