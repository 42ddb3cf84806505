-- The least of the practical limits that can be derived; what none is known of is named.
with limits as (
    select
        *,
        bytes_per_second * if(is_link, {{ practical_ratio() }}, 1) as practical_bytes_per_second,
        iops * if(is_link, {{ practical_ratio() }}, 1) as practical_iops,
        {{ least_first('practical_bytes_per_second') }} as bytes_rank,
    from {{ ref('int_ceilings') }}
    where not is_measured
),

predictions as (
    select
        array_id,
        profile_id,
        min(practical_bytes_per_second) as bytes_per_second,
        min(practical_iops) as iops,
        arg_min(ceiling_kind, bytes_rank) as binding_ceiling,
        arg_min(formula || if(is_link, ', of which 90 % are practical', ''), bytes_rank)
            as formula,
        string_agg(ceiling_kind, ', ' order by ceiling_kind)
        filter (where missing_reason is not null) as missing_limits,
    from limits
    group by array_id, profile_id
),

described as (
    select
        predictions.*,
        arrays.controller_id,
        arrays.raid_level,
        arrays.drive_id,
        arrays.drive_count,
    from predictions
    inner join {{ ref('int_what_if_arrays') }} as arrays using (array_id)
)

select
    described.controller_id,
    controllers.controller,
    described.raid_level,
    described.drive_id,
    drives.drive,
    cast(described.drive_count as bigint) as drive_count,
    coalesce(described.drive_count > controllers.disk_port_count, false) as needs_expander,
    described.profile_id,
    cast(described.iops as double) as iops,
    cast(described.bytes_per_second as double) as bytes_per_second,
    described.binding_ceiling,
    min(described.drive_count) filter (where described.binding_ceiling != 'drives')
        over configuration as saturating_drive_count,
    described.formula,
    described.missing_limits,
from described
inner join {{ ref('dim_controllers') }} as controllers using (controller_id)
inner join {{ ref('dim_drives') }} as drives using (drive_id)
window configuration as (
    partition by
        described.controller_id, described.raid_level, described.drive_id, described.profile_id
)
