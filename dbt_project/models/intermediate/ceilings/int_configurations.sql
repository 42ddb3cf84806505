-- What ceilings are derived for: arrays with the profiles they were measured with; arrays that
-- could be built, with the profiles that can be predicted of their drive; and again what was
-- measured, as if it were not (`left_out`), to test predictions. Predicted are the profiles that
-- documents name and at which the drive was measured alone or for which its data sheet gives an
-- upper bound; a drive's measured throughput in sequence is that of large blocks, and predicts
-- nothing of small ones. Where sidecars disagree on a drive that the catalog does not know, the
-- first by name counts. A single drive without a RAID level is JBOD; one on PCIe without a
-- controller's ports is its own.
with alone as (
    select
        drive_id,
        list(profile_id) filter (iops is not null) as profile_ids,
        bool_or(sequential_read_ratio = 1 and bytes_per_second is not null)
        and bool_or(sequential_read_ratio = 0 and bytes_per_second is not null)
            as is_sequential_known,
    from {{ ref('int_drive_rates') }}
    where left_out is null
    group by drive_id
),

published as (
    select *
    from {{ ref('int_load_profiles') }}
    where published_names is not null
),

predictable as (
    select
        alone.drive_id,
        published.profile_id,
    from alone
    inner join published
        on
            published.read_ratio is not null
            and case
                when published.random_ratio > 0
                    then list_contains(alone.profile_ids, published.profile_id)
                when published.random_ratio = 0
                    then alone.is_sequential_known and published.block_mix[1].block_bytes >= 65536
            end
    union
    select
        drive_id,
        profile_id,
    from {{ ref('int_drive_bounds') }}
    inner join published using (profile_id)
),

arrays as (
    select
        coalesce('back-test-' || left_out, array_id) as array_id,
        profile_id,
        any_value(controller_id) as controller_id,
        any_value(drive_id) as drive_id,
        any_value(raid_level) as raid_level,
        any_value(drive_count) as drive_count,
        min(drive_interface) as drive_interface,
        min(drive_media) as drive_media,
        left_out,
        if(left_out is null, 'measured', 'back-test') as purpose,
    from (
        -- as it was, and what is tested once more
        select
            *,
            null as left_out,
        from {{ ref('fct_measurements') }}
        union all by name
        select
            *,
            measurement_id as left_out,
        from ({{ back_tests() }}) as tested
    ) as measured
    group by all
    union all by name
    select
        what_if.*,
        predictable.profile_id,
        'what-if' as purpose,
    from {{ ref('int_what_if_arrays') }} as what_if
    inner join predictable using (drive_id)
)

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
    saturations.* exclude (controller_id, raid_level, drive_id, profile_id, left_out),
    levels.random_write_operation_count,
    levels.copy_count,
    levels.parity_drive_count,
    nullif(greatest(arrays.drive_count / levels.copy_count - levels.parity_drive_count, 0), 0)
        as data_drive_count,
    -- hard disks skip parity when they read in sequence
    if(
        profiles.random_ratio = 0
        and coalesce(drives.drive_media, arrays.drive_media) = 'HDD'
        and levels.parity_drive_count > 0,
        data_drive_count, arrays.drive_count
    ) as reading_drive_count,
    -- bytes that the drives read and write for each byte that the application reads or writes
    -- (without parity as many of random as of sequential writes)
    profiles.read_ratio + if(
        write_ratio = 0 or levels.extra_read_bytes_ratio = 0,
        0, write_ratio * profiles.random_ratio * levels.extra_read_bytes_ratio
    ) as disk_read_ratio,
    write_ratio * case
        when write_ratio = 0 then 0
        when profiles.random_ratio = 1 or levels.extra_read_bytes_ratio = 0
            then levels.written_bytes_ratio
        else
            profiles.random_ratio * levels.written_bytes_ratio
            + (1 - profiles.random_ratio) * arrays.drive_count / data_drive_count
    end as disk_write_ratio,
from arrays
inner join {{ ref('int_load_profiles') }} as profiles using (profile_id)
left join {{ ref('int_controllers') }} as controllers using (controller_id)
left join {{ ref('int_drives') }} as drives using (drive_id)
left join {{ ref('dim_raid_levels') }} as levels
    on levels.raid_level = coalesce(arrays.raid_level, if(arrays.drive_count = 1, 'JBOD', null))
left join {{ ref('int_printed_saturations') }} as saturations
    on
        arrays.controller_id = saturations.controller_id
        and coalesce(levels.raid_level, arrays.raid_level) = saturations.raid_level
        and arrays.drive_id = saturations.drive_id
        and arrays.profile_id = saturations.profile_id
        and arrays.left_out is not distinct from saturations.left_out
