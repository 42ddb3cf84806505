-- Each measurement with the ceiling of its array. `fct_measurements` has less common facts,
-- `rpt_measurements` labels.
with points as (
    select
        measured.* exclude (
            other_paths, per_drive_outstanding_io_count, system_source, rounding_ratio,
            converted_column, derivation, editions, reading_note, raid_level_as_printed,
            requested_outstanding_io_count, defaulted_settings, derived_settings, device_names,
            device_busy_ratio, is_steady_state_attained, min_sampled_iops, max_sampled_iops,
            stddev_sampled_iops,
            {% for name in ['p50', 'p95', 'p99', 'p999'] -%}
                min_latency_{{ name }}_us, max_latency_{{ name }}_us{{ ',' if not loop.last }}
            {% endfor -%}
        ) replace (controllers.controller as controller, drives.drive as drive),
        documents.document_title,
        profiles.access_pattern,
        profiles.random_ratio,
        profiles.read_ratio,
        profiles.block_bytes,
        ceilings.iops as ceiling_iops,
        ceilings.bytes_per_second as ceiling_bytes_per_second,
        ceilings.binding_ceiling,
        ceilings.iops_binding_ceiling,
        ceilings.unknown_limits,
        best.measurement_id is not null as is_best_of_array,
        measured.iops * measured.latency_mean_us / 1e6 / nullif(measured.outstanding_io_count, 0)
            as littles_law_ratio,
        if(
            measured.converted_column is null,
            measured.bytes_per_second / (measured.iops * profiles.mean_block_bytes), null
        ) as throughput_ratio,
    from {{ ref('fct_measurements') }} as measured
    left join {{ ref('dim_documents') }} as documents using (document_id)
    left join {{ ref('dim_controllers') }} as controllers using (controller_id)
    left join {{ ref('dim_drives') }} as drives using (drive_id)
    left join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    left join {{ ref('int_ceilings') }} as ceilings
        on
            measured.array_id = ceilings.array_id
            and measured.profile_id = ceilings.profile_id
            and ceilings.basis = 'practical'
    left join {{ ref('int_best_measurements') }} as best using (measurement_id)
)

select
    * exclude (iops_binding_ceiling) replace (
        if(
            iops / ceiling_iops
            > coalesce(bytes_per_second / ceiling_bytes_per_second, 0),
            iops_binding_ceiling, binding_ceiling
        ) as binding_ceiling
    ),
    greatest(bytes_per_second / ceiling_bytes_per_second, iops / ceiling_iops) as attained_ratio,
    case
        when attained_ratio is null then null
        when limit_of in (binding_ceiling, iops_binding_ceiling) then 'value is the limit'
        when has_own_processor and 'controller' in (binding_ceiling, iops_binding_ceiling)
            then 'limit of another processor'
        when unknown_limits is not null then 'some limits unknown'
        else 'all limits known'
    end as ceiling_scope,
from points
-- keeps the rows of a board's query together
order by profile_id, measurement_id
