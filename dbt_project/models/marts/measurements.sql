with facts as (
    select * from {{ ref('fct_measurements') }}
),

arrays as (
    select * from {{ ref('dim_arrays') }}
),

controllers as (
    select * from {{ ref('dim_controllers') }}
),

drives as (
    select * from {{ ref('dim_drives') }}
),

profiles as (
    select * from {{ ref('dim_load_profiles') }}
),

documents as (
    select * from {{ ref('dim_documents') }}
),

ceilings as (
    select * from {{ ref('fct_ceilings') }}
    where ceiling_kind = 'effective' and basis = 'practical'
)

select
    facts.measurement_id,
    facts.source_format,
    facts.source_path,
    facts.source_position,
    facts.document_id,
    documents.document_title,
    facts.page,
    facts.pages,
    facts.locator,
    facts.tool_name,
    facts.tool_version,
    facts.measured_at,
    coalesce(controllers.vendor, facts.vendor, drives.vendor) as vendor,
    controllers.controller,
    coalesce(controllers.controller_generation, facts.controller_generation)
        as controller_generation,
    facts.server,
    arrays.raid_level,
    facts.raid_level_as_printed,
    arrays.drive_count,
    drives.drive,
    coalesce(drives.drive_media, facts.drive_media) as drive_media,
    coalesce(drives.drive_interface, facts.drive_interface) as drive_interface,
    arrays.stripe_bytes,
    facts.profile_id,
    facts.profile_name,
    profiles.access_pattern,
    profiles.random_ratio,
    profiles.read_ratio,
    profiles.block_bytes,
    facts.condition,
    facts.outstanding_io_count,
    facts.worker_count,
    facts.requested_outstanding_io_count,
    facts.io_depth_reached_ratio,
    facts.io_engine,
    facts.defaulted_settings,
    facts.runtime_seconds,
    facts.is_steady_state_attained,
    facts.iops,
    facts.read_iops,
    facts.write_iops,
    facts.min_iops,
    facts.max_iops,
    facts.bytes_per_second,
    facts.read_bytes_per_second,
    facts.write_bytes_per_second,
    facts.min_bytes_per_second,
    facts.max_bytes_per_second,
    facts.converted_column,
    facts.latency_mean_us,
    facts.min_latency_mean_us,
    facts.max_latency_mean_us,
    facts.latency_p50_us,
    facts.latency_p95_us,
    facts.latency_p99_us,
    facts.latency_p999_us,
    facts.latency_min_us,
    facts.latency_max_us,
    facts.value_qualifier,
    facts.as_printed,
    facts.editions,
    facts.is_derived,
    facts.derivation,
    facts.limit_of,
    facts.has_own_processor,
    facts.is_valid,
    facts.validity_note,
    ceilings.iops as ceiling_iops,
    ceilings.bytes_per_second as ceiling_bytes_per_second,
    if(
        coalesce(
            facts.iops / ceilings.iops
            > coalesce(facts.bytes_per_second / ceilings.bytes_per_second, 0), false
        ),
        ceilings.iops_binding_ceiling, ceilings.binding_ceiling
    ) as binding_ceiling,
    greatest(
        facts.bytes_per_second / ceilings.bytes_per_second, facts.iops / ceilings.iops
    ) as attained_ratio,
    facts.iops * facts.latency_mean_us / 1e6 / facts.outstanding_io_count as littles_law_ratio,
    case
        when facts.converted_column is null
            then facts.bytes_per_second / (facts.iops * profiles.mean_block_bytes)
    end as throughput_ratio,
    documents.publisher,
    documents.commissioned_by,
    documents.url as document_url,
    facts.array_id,
    facts.controller_id,
    facts.drive_id,
    facts.note,
    facts.reading_note,
from facts
left join arrays using (array_id)
left join controllers on facts.controller_id = controllers.controller_id
left join drives on facts.drive_id = drives.drive_id
left join profiles on facts.profile_id = profiles.profile_id
left join documents on facts.document_id = documents.document_id
left join ceilings
    on facts.array_id = ceilings.array_id and facts.profile_id = ceilings.profile_id
