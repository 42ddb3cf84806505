select
    'iometer-' || files.source_id || '-' || blocks.line as measurement_id,
    'iometer' as source_format,
    files.source_id,
    concat_ws(' ', 'line', blocks.line, 'ALL', blocks.access_spec_name) as source_position,
    'Iometer' as tool_name,
    blocks.* exclude (
        block_index, line, has_totals, access_spec_index, access_spec_name, has_access_specs,
        is_companion, is_complete, incomplete_reason, is_session_truncated, test_description,
        started_at, io_count, error_count
    ),
    specs.profile_id,
    specs.profile_name,
    specs.block_bytes,
    case
        when blocks.access_spec_index is not null then specs.condition
        when blocks.has_access_specs and blocks.has_totals
            then 'workers ran different access specifications'
    end as condition,
    -- not printed, but Iometer divides the I/Os by it
    round(blocks.io_count / nullif(blocks.iops, 0), 3) as runtime_seconds,
    {{ too_few_ios('blocks.io_count', 'runtime_seconds') }} as evidence_note,
    blocks.is_complete and coalesce(blocks.iops > 0, false) and evidence_note is null as is_valid,
    nullif(concat_ws(
        '; ',
        blocks.incomplete_reason,
        if(blocks.iops = 0, 'did no I/O', evidence_note),
        nullif(blocks.error_count, 0) || ' I/Os failed'
    ), '') as validity_note,
    if(blocks.is_session_truncated, 'its session has no end', null) as note,
from {{ ref('stg_iometer__blocks') }} as blocks
inner join {{ ref('stg_files') }} as files using (file_id)
left join {{ ref('int_iometer__access_specs') }} as specs
    on
        blocks.file_id = specs.file_id
        and blocks.access_spec_index is not distinct from specs.access_spec_index
-- the companion file of updates repeats the totals of the results file beside it: they count once
qualify
    not blocks.is_companion
    or blocks.has_totals and not bool_or(not blocks.is_companion) over (
        partition by
            cast(started_at as date), test_description, access_spec_name, iops, bytes_per_second,
            latency_mean_us, io_count
    )
