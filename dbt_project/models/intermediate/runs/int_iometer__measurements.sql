with profiles as (
    select
        run_profile_key,
        profile_id,
        profile_name,
    from {{ ref('int_load_profiles') }}
    where run_profile_key is not null
),

-- The companion file of updates repeats the totals of the results file beside it: they count once.
totals as (
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
    files.path as source_path,
    concat_ws(' ', 'line', coalesce(totals.line, blocks.line), 'ALL', totals.access_spec_name)
        as source_position,
    'Iometer' as tool_name,
    blocks.iometer_version as tool_version,
    blocks.measured_at,
    sidecars.server,
    sidecars.vendor,
    sidecars.controller,
    sidecars.controller_generation,
    sidecars.raid_level,
    sidecars.drive,
    sidecars.drive_count,
    sidecars.drive_media,
    sidecars.drive_interface,
    sidecars.stripe_bytes,
    profiles.profile_id,
    profiles.profile_name,
    case
        when totals.access_spec_index is not null then nullif(specs.conditions, '')
        when blocks.has_access_specs and totals.line is not null
            then 'workers ran different access specifications'
    end as condition,
    coalesce(sidecars.outstanding_io_count, totals.outstanding_io_count) as outstanding_io_count,
    coalesce(sidecars.worker_count, totals.worker_count) as worker_count,
    totals.iops,
    totals.read_iops,
    totals.write_iops,
    totals.bytes_per_second,
    totals.read_bytes_per_second,
    totals.write_bytes_per_second,
    totals.latency_mean_us,
    totals.latency_max_us,
    'exact' as value_qualifier,
    false as is_derived,
    blocks.is_complete and coalesce(totals.iops > 0, false) as is_valid,
    nullif(
        concat_ws(
            '; ',
            blocks.incomplete_reason,
            case when totals.iops = 0 then 'did no I/O' end,
            case when totals.error_count > 0 then totals.error_count || ' I/Os failed' end
        ), ''
    ) as validity_note,
    nullif(
        concat_ws(
            '; ',
            sidecars.note,
            case when blocks.is_session_truncated then 'its session has no end in the file' end
        ), ''
    ) as note,
from {{ ref('stg_iometer__blocks') }} as blocks
inner join {{ ref('stg_files') }} as files using (file_id)
left join totals using (file_id, block_index)
left join {{ ref('int_iometer__access_specs') }} as specs
    on
        blocks.file_id = specs.file_id
        and totals.access_spec_index is not distinct from specs.access_spec_index
left join profiles using (run_profile_key)
left join {{ ref('stg_sidecars') }} as sidecars on blocks.file_id = sidecars.file_id
where not coalesce(totals.is_copy, blocks.is_companion)
