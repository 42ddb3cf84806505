{#- Arrays at load profiles, with the inputs of their ceilings. A single drive without a RAID level
    is JBOD; one on PCIe without a controller's ports is its own controller. -#}
{% macro configurations(arrays) -%}
select
    arrays.* replace (
        coalesce(levels.raid_level, arrays.raid_level) as raid_level,
        coalesce(drives.drive_media, arrays.drive_media) as drive_media,
        coalesce(drives.drive_interface, arrays.drive_interface) as drive_interface
    ),
    controllers.disk_port_interface,
    controllers.disk_port_count,
    controllers.host_interface,
    controllers.host_lane_count,
    regexp_matches(coalesce(drives.drive_interface, arrays.drive_interface), '^PCIe [\d.]')
    and controllers.disk_port_interface is null as is_own_controller,
    profiles.* exclude (profile_id, profile_names, published_names, block_mix, block_bytes),
    profiles.block_mix[1].block_bytes as least_block_bytes,
    1 - profiles.read_ratio as write_ratio,
    levels.copy_count,
    levels.parity_drive_count,
    nullif(greatest(arrays.drive_count / levels.copy_count - levels.parity_drive_count, 0), 0)
        as data_drive_count,
    -- a small array reads the rest of the stripe: fewer blocks than old data and parity
    least(
        levels.extra_read_bytes_ratio,
        if(levels.raid_level in ('RAID 5', 'RAID 6'), data_drive_count - 1, null)
    ) as extra_read_ratio,
    levels.written_bytes_ratio + extra_read_ratio as random_write_operation_count,
    -- hard disks skip parity when they read in sequence
    if(
        profiles.random_ratio = 0
        and coalesce(drives.drive_media, arrays.drive_media) = 'HDD'
        and levels.parity_drive_count > 0,
        data_drive_count, arrays.drive_count
    ) as reading_drive_count,
    -- bytes that the drives read and write for each byte that the application reads or writes
    -- (without parity, random and sequential writes cost the same)
    profiles.read_ratio + if(
        write_ratio = 0 or levels.extra_read_bytes_ratio = 0,
        0, write_ratio * profiles.random_ratio * extra_read_ratio
    ) as disk_read_ratio,
    write_ratio * case
        when write_ratio = 0 then 0
        when profiles.random_ratio = 1 or levels.extra_read_bytes_ratio = 0
            then levels.written_bytes_ratio
        else
            profiles.random_ratio * levels.written_bytes_ratio
            + (1 - profiles.random_ratio) * arrays.drive_count / data_drive_count
    end as disk_write_ratio,
from {{ arrays }} as arrays
inner join {{ ref('int_load_profiles') }} as profiles using (profile_id)
left join {{ ref('int_controllers') }} as controllers using (controller_id)
left join {{ ref('int_drives') }} as drives using (drive_id)
left join {{ ref('dim_raid_levels') }} as levels
    on levels.raid_level = coalesce(arrays.raid_level, if(arrays.drive_count = 1, 'JBOD', null))
{%- endmacro %}

{#- Arrays with the rate of one of their drives alone, measured or rated, and the number of drives
    that is printed to saturate the controller. -#}
{% macro with_drive_rates(arrays) -%}
with sequential as (
    select
        drive_id,
        left_out,
        max(bytes_per_second) filter (sequential_read_ratio = 1) as read,
        max(bytes_per_second) filter (sequential_read_ratio = 0) as write,
        arg_max(measurement_id, (bytes_per_second, measurement_id)) filter (
            sequential_read_ratio = 1
        ) as read_id,
        arg_max(measurement_id, (bytes_per_second, measurement_id)) filter (
            sequential_read_ratio = 0
        ) as write_id,
    from {{ ref('int_drive_rates') }}
    group by drive_id, left_out
)

select
    arrays.*,
    if(arrays.write_ratio = 0, 0, arrays.write_ratio * arrays.random_write_operation_count)
        as write_operations,
    rates.iops as single_iops,
    rates.measurement_id as single_id,
    sequential.* exclude (drive_id, left_out),
    rated.* exclude (drive_id, profile_id),
    saturations.* exclude (controller_id, raid_level, drive_id, profile_id, left_out),
    -- throughput is measured with large blocks; small ones may be slower
    if(
        arrays.random_ratio > 0, rates.iops is not null,
        (arrays.read_ratio = 0 or sequential.read is not null)
        and (arrays.read_ratio = 1 or sequential.write is not null)
        and (arrays.purpose is distinct from 'what-if' or arrays.least_block_bytes >= 65536)
    ) as is_measured,
from {{ arrays }} as arrays
left join {{ ref('int_drive_rates') }} as rates
    on
        arrays.drive_id = rates.drive_id
        and arrays.profile_id = rates.profile_id
        and arrays.left_out is not distinct from rates.left_out
left join sequential
    on
        arrays.drive_id = sequential.drive_id
        and arrays.left_out is not distinct from sequential.left_out
left join {{ ref('int_drive_bounds') }} as rated
    on arrays.drive_id = rated.drive_id and arrays.profile_id = rated.profile_id
left join {{ ref('int_printed_saturations') }} as saturations
    on
        arrays.controller_id = saturations.controller_id
        and arrays.raid_level = saturations.raid_level
        and arrays.drive_id = saturations.drive_id
        and arrays.profile_id = saturations.profile_id
        and arrays.left_out is not distinct from saturations.left_out
{%- endmacro %}

{#- Arrays with the published limit of their controller. -#}
{% macro with_published_limits(arrays) -%}
select
    arrays.*,
    limits.iops as published_iops,
    limits.bytes_per_second as published_bytes_per_second,
    limits.measurement_id as published_id,
    limits.known_from,
    points.rounding_ratio,
from {{ arrays }} as arrays
left join {{ ref('int_controller_limits') }} as limits
    on
        arrays.controller_id = limits.controller_id
        and arrays.profile_id = limits.profile_id
        and arrays.raid_level = limits.raid_level
        and arrays.left_out is not distinct from limits.left_out
left join {{ ref('int_white_papers__measurements') }} as points
    on limits.measurement_id = points.measurement_id
{%- endmacro %}
