-- The companion file of updates repeats the totals of the results file beside it: they count once.
with totals as (
    select
        totals.*,
        blocks.is_companion
        and bool_or(not blocks.is_companion) over (
            partition by
                cast(blocks.started_at as date), blocks.test_description, totals.access_spec_name,
                totals.iops, totals.bytes_per_second, totals.latency_mean_us, totals.io_count
        ) as is_copy,
    from {{ ref('stg_iometer__totals') }} as totals
    inner join {{ ref('stg_iometer__blocks') }} as blocks using (file_id, block_index)
)

select
    'iometer-' || left(blocks.file_id, 12) || '-' || coalesce(totals.line, blocks.line)
        as measurement_id,
    'iometer' as source_format,
    blocks.file_id,
    concat_ws(' ', 'line', coalesce(totals.line, blocks.line), 'ALL', totals.access_spec_name)
        as source_position,
    'Iometer' as tool_name,
    blocks.iometer_version as tool_version,
    blocks.measured_at,
    specs.profile_id,
    specs.profile_name,
    case
        when totals.access_spec_index is not null then specs.condition
        when blocks.has_access_specs and totals.line is not null
            then 'workers ran different access specifications'
    end as condition,
    totals.outstanding_io_count,
    totals.worker_count,
    totals.iops,
    totals.read_iops,
    totals.write_iops,
    totals.bytes_per_second,
    totals.read_bytes_per_second,
    totals.write_bytes_per_second,
    totals.latency_mean_us,
    totals.latency_max_us,
    blocks.is_complete and coalesce(totals.iops > 0, false) as is_valid,
    nullif(
        concat_ws(
            '; ',
            blocks.incomplete_reason,
            if(totals.iops = 0, 'did no I/O', null),
            if(totals.error_count > 0, totals.error_count || ' I/Os failed', null)
        ), ''
    ) as validity_note,
    if(blocks.is_session_truncated, 'its session has no end in the file', null) as note,
from {{ ref('stg_iometer__blocks') }} as blocks
left join totals using (file_id, block_index)
left join {{ ref('int_iometer__access_specs') }} as specs
    on
        blocks.file_id = specs.file_id
        and totals.access_spec_index is not distinct from specs.access_spec_index
where not coalesce(totals.is_copy, blocks.is_companion)
