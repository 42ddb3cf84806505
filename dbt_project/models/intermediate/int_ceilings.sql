-- What limits an array at a load profile, a row a limit, in bytes and in I/Os per second; what
-- cannot be derived says why. Links carry each direction for itself: the busier one counts.
-- `is_link`: only nine tenths of it are practical.
with links as (
    select * from {{ ref('int_links') }}
),

disk_interfaces as (
    select
        array_id,
        profile_id,
        'disk interface' as ceiling_kind,
        true as is_link,
        case
            when disk_bytes_per_second is null
                then 'no interface of ports or drives is known by its name'
            when disk_link_count is null then 'neither ports nor drives are counted'
            when read_ratio is null then 'the share of reads is not known'
            when bytes_written_per_write is null or bytes_read_per_write is null
                then 'writes depend on RAID level, drive count and randomness: one is not known'
        end as missing_reason,
        disk_link_count * disk_bytes_per_second / greatest(
            read_ratio + write_ratio * bytes_read_per_write, write_ratio * bytes_written_per_write
        ) as bytes_per_second,
        cast(null as double) as iops,
        disk_link_count || ' x ' || disk_link || ' / max('
        || {{ short('read_ratio + write_ratio * bytes_read_per_write') }} || ' read, '
        || {{ short('write_ratio * bytes_written_per_write') }}
        || ' written on disk for each byte)' as formula,
    from links
),

host_interfaces as (
    select
        array_id,
        profile_id,
        'host interface' as ceiling_kind,
        true as is_link,
        case
            when is_own_controller then 'the link of a drive on PCIe is the disk interface'
            when host_bytes_per_second is null then 'the link to the host is not known'
            when read_ratio is null then 'the share of reads is not known'
        end as missing_reason,
        host_bytes_per_second / greatest(read_ratio, write_ratio) as bytes_per_second,
        cast(null as double) as iops,
        host_interface || ' x' || host_lane_count || ' / max(' || {{ short('read_ratio') }}
        || ' read, ' || {{ short('write_ratio') }} || ' written)' as formula,
    from links
),

single_drives as (
    select
        links.*,
        singles.iops as single_iops,
        sequential.read_bytes_per_second as single_read_bytes_per_second,
        sequential.write_bytes_per_second as single_write_bytes_per_second,
        case
            when links.drive_media = 'HDD' and links.parity_drive_count > 0
                then links.data_drive_count
            else links.drive_count
        end as reading_drive_count,
    from links
    left join {{ ref('int_single_drives') }} as singles using (drive_id, profile_id)
    left join {{ ref('int_sequential_drives') }} as sequential using (drive_id)
),

drives as (
    select
        array_id,
        profile_id,
        'drives' as ceiling_kind,
        false as is_link,
        case
            when drive_count is null then 'the drives are not counted'
            when drive_count = 1 and is_measured then 'one drive is its own measure'
            when random_ratio is null or read_ratio is null
                then 'randomness or share of reads is not known'
            when write_ratio > 0 and data_drive_count is null
                then 'the RAID level is not known, which writes depend on'
            when random_ratio > 0 and single_iops is null
                then 'no single drive of this model was measured at this profile'
            when
                random_ratio = 0
                and (
                    read_ratio > 0 and single_read_bytes_per_second is null
                    or write_ratio > 0 and single_write_bytes_per_second is null
                )
                then 'no single drive of this model was measured in sequence'
        end as missing_reason,
        case
            when random_ratio = 0
                then 1 / (
                    if(
                        read_ratio = 0, 0,
                        read_ratio / (reading_drive_count * single_read_bytes_per_second)
                    )
                    + if(
                        write_ratio = 0, 0,
                        write_ratio / (data_drive_count * single_write_bytes_per_second)
                    )
                )
        end as bytes_per_second,
        case
            when random_ratio > 0
                then drive_count * single_iops / (
                    read_ratio
                    + if(write_ratio = 0, 0, write_ratio * operations_per_random_write)
                )
        end as iops,
        case
            when random_ratio > 0
                then
                    drive_count || ' drives x ' || {{ whole('single_iops') }} || ' IO/s / ('
                    || {{ short('read_ratio') }} || ' read + ' || {{ short('write_ratio') }}
                    || ' written x '
                    || {{ short('if(write_ratio = 0, 1, operations_per_random_write)') }}
                    || ' operations)'
            when read_ratio = 1
                then
                    {{ short('reading_drive_count') }} || ' reading drives x '
                    || {{ whole('single_read_bytes_per_second') }} || ' B/s'
            when read_ratio = 0
                then
                    {{ short('data_drive_count') }} || ' drives of data x '
                    || {{ whole('single_write_bytes_per_second') }} || ' B/s'
            else
                '1 / (' || {{ short('read_ratio') }} || ' / ('
                || {{ short('reading_drive_count') }} || ' x '
                || {{ whole('single_read_bytes_per_second') }} || ' B/s) + '
                || {{ short('write_ratio') }} || ' / (' || {{ short('data_drive_count') }} || ' x '
                || {{ whole('single_write_bytes_per_second') }} || ' B/s))'
        end as formula,
    from single_drives
),

controllers as (
    select
        links.array_id,
        links.profile_id,
        'controller' as ceiling_kind,
        false as is_link,
        case
            when links.controller_id is null then 'the controller is not known'
            when maxima.measurement_id is null
                then 'no document states a maximum of this controller at this level and profile'
            when maxima.array_id = links.array_id then 'the published maximum is of this array'
        end as missing_reason,
        maxima.bytes_per_second,
        maxima.iops,
        'published: ' || maxima.measurement_id as formula,
    from links
    left join {{ ref('int_published_maxima') }} as maxima
        on
            links.controller_id = maxima.controller_id
            and links.profile_id = maxima.profile_id
            and links.raid_level = maxima.raid_level
),

limits as (
    select * from disk_interfaces
    union all by name
    select * from host_interfaces
    union all by name
    select * from drives
    union all by name
    select * from controllers
)

select
    limits.array_id,
    limits.profile_id,
    links.is_measured,
    limits.ceiling_kind,
    limits.is_link,
    limits.missing_reason,
    case
        when limits.missing_reason is null
            then coalesce(limits.bytes_per_second, limits.iops * links.mean_block_bytes)
    end
        as bytes_per_second,
    case
        when limits.missing_reason is null
            then coalesce(limits.iops, limits.bytes_per_second / links.mean_block_bytes)
    end
        as iops,
    case when limits.missing_reason is null then limits.formula end as formula,
from limits
inner join links using (array_id, profile_id)
