-- What drives do one by one. Hard disks skip parity blocks when they read; of a mirror all could
-- read, and in practice one copy does (Fujitsu 2016, page 36). Ratings fill the gaps.
with rates as (
    select
        drive_id,
        left_out,
        map_from_entries(list((profile_id, iops))) as iops_at,
        max(bytes_per_second) filter (sequential_read_ratio = 1) as measured_read,
        max(bytes_per_second) filter (sequential_read_ratio = 0) as measured_write,
    from {{ ref('int_drive_rates') }}
    group by drive_id, left_out
),

drives as (
    select
        arrays.*,
        if(arrays.write_ratio = 0, 1, arrays.random_write_operation_count) as operations,
        -- with parity half of a write's operations are reads, of which its rating says nothing
        coalesce(rates.iops_at[arrays.profile_id], if(operations > 2, null, ratings.iops))
            as single_iops,
        coalesce(rates.measured_read, ratings.bytes_per_second) as single_read,
        coalesce(rates.measured_write, ratings.bytes_per_second) as single_write,
        if(ratings.drive_id is null, '', ' (as rated)') as if_rated,
        if(
            arrays.drive_media = 'HDD' and arrays.parity_drive_count > 0,
            arrays.data_drive_count, arrays.drive_count
        ) as reading_count,
        arrays.drive_count * single_iops / (arrays.read_ratio + arrays.write_ratio * operations)
            as derived_iops,
        try_cast(saturations.drive_count as bigint) as saturating_count,
        case
            when arrays.drive_count < saturations.drive_count
                then arrays.drive_count * saturations.most_iops_of_a_drive
        end as unsaturated_iops,
        -- seconds that each byte of the application takes of all drives together
        if(arrays.read_ratio = 0, 0, arrays.read_ratio / (reading_count * single_read))
            as read_time,
        if(arrays.write_ratio = 0, 0, arrays.write_ratio / (data_drive_count * single_write))
            as write_time,
    from {{ ref('int_configurations') }} as arrays
    left join {{ ref('int_drive_ratings') }} as ratings using (drive_id, profile_id, purpose)
    left join rates
        on arrays.drive_id = rates.drive_id and arrays.left_out is not distinct from rates.left_out
    left join {{ ref('int_printed_saturations') }} as saturations
        on
            arrays.controller_id = saturations.controller_id
            and arrays.raid_level = saturations.raid_level
            and arrays.drive_id = saturations.drive_id
            and arrays.profile_id = saturations.profile_id
            and arrays.left_out is not distinct from saturations.left_out
    where arrays.is_rated is not true
)

select
    array_id,
    profile_id,
    case
        when drive_count is null then 'number of drives not reported'
        when drive_count = 1 and purpose = 'measured' then 'a single drive is its own reference'
        when random_ratio is null or read_ratio is null
            then 'random share or share of reads not reported'
        when write_ratio > 0 and data_drive_count is null
            then 'RAID level not reported; writes depend on it'
        when random_ratio > 0 and single_iops is null
            then 'no single drive of this model was measured at this profile'
        when random_ratio = 0 and read_time + write_time is null
            then 'no single drive of this model was measured sequentially'
    end as missing_reason,
    case when random_ratio = 0 then 1 / (read_time + write_time) end as bytes_per_second,
    case when random_ratio > 0 then least(derived_iops, unsaturated_iops) end as iops,
    if(
        random_ratio = 0 and drive_media = 'HDD' and copy_count > 1,
        (read_time + write_time) / (copy_count * read_time + write_time), 1
    ) as practical_ratio,
    case
        when random_ratio > 0 and unsaturated_iops < derived_iops
            then
                {{ counted('drive_count', 'drive') }} || ' x less than '
                || {{ whole('unsaturated_iops / drive_count') }}
                || ' IO/s, since ' || saturating_count
                || ' saturate the controller, as printed'
        when random_ratio > 0
            then
                {{ counted('drive_count', 'drive') }} || ' x '
                || {{ whole('single_iops') }} || ' IO/s' || if_rated
                || ' / (' || {{ short('read_ratio') }} || ' read + ' || {{ short('write_ratio') }}
                || ' written x ' || {{ short('operations') }} || ' operations)'
        when read_ratio = 1
            then
                {{ counted(short('reading_count'), 'reading drive') }} || ' x '
                || {{ whole('single_read') }} || ' B/s' || if_rated
        when read_ratio = 0
            then
                {{ counted(short('data_drive_count'), 'data drive') }} || ' x '
                || {{ whole('single_write') }} || ' B/s' || if_rated
        else
            '1 / (' || {{ short('read_ratio') }} || ' / (' || {{ short('reading_count') }} || ' x '
            || {{ whole('single_read') }} || ' B/s) + ' || {{ short('write_ratio') }} || ' / ('
            || {{ short('data_drive_count') }} || ' x ' || {{ whole('single_write') }} || ' B/s))'
    end as formula,
from drives
