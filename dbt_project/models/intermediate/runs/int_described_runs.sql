-- Each run with its description: a sidecar states the system of a run and overrides the file's load
-- settings. An implausible result is not valid.
{{ config(materialized='view') }}
with runs as (
    select
        measurements.*,
        profiles.profile_id,
        profiles.profile_name,
        profiles.derived_settings,
        profiles.block_bytes,
    from {{ ref('int_fio__measurements') }} as measurements
    left join {{ ref('int_fio__profiles') }} as profiles using (measurement_id)
    union all by name
    select * from {{ ref('int_iometer__measurements') }}
    union all by name
    select
        * exclude (
            result_index, random_ratio, read_ratio, block_mix, is_direct, is_limited,
            ramp_seconds, io_count, error_count, cpu_ratio, fault, percentile_ratios,
            percentile_latencies_us, file_count, is_rounded
        )
    from {{ ref('int_generic__measurements') }}
)

select
    runs.* exclude (
        source_id, block_bytes, is_valid, validity_note, evidence_note, value_qualifier
    ) replace (
        coalesce(files.outstanding_io_count, runs.outstanding_io_count)
            as outstanding_io_count,
        coalesce(files.worker_count, runs.worker_count) as worker_count,
        nullif(concat_ws('; ', files.note, runs.note), '') as note
    ),
    files.* exclude (
        file_id, source_id, parser, path, source_key, outstanding_io_count, worker_count,
        random_ratio, read_ratio, block_bytes, note, memory_bytes,
        muted_rules, write_cache, array_state, link_state, thermal_state
    ) replace (
        coalesce(controllers.name, files.controller) as controller,
        coalesce(drives.name, files.drive) as drive
    ),
    files.path as source_path,
    coalesce(runs.value_qualifier, 'exact') as value_qualifier,
    false as is_derived,
    case
        when runs.is_valid
            then {{ implausibility(
                'runs.block_bytes',
                'coalesce(files.outstanding_io_count, runs.outstanding_io_count)',
                [
                    'coalesce(files.outstanding_io_count, runs.outstanding_io_count)',
                    'coalesce(files.worker_count, runs.worker_count)', 'runtime_seconds'
                ],
                shares=['io_depth_reached_ratio']
            ) }}
    end as implausibility,
    implausibility is null as is_plausible,
    runs.is_valid and is_plausible as is_valid,
    nullif(concat_ws('; ', runs.validity_note, implausibility), '') as validity_note,
from runs
inner join {{ ref('stg_files') }} as files using (source_id)
left join {{ ref('int_own_names') }} as controllers
    on controllers.kind = 'controller' and files.controller = controllers.own_name
left join {{ ref('int_own_names') }} as drives
    on drives.kind = 'drive' and files.drive = drives.own_name
