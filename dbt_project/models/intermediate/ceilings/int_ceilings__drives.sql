-- The most that the drives of an array do: so many times what one does alone at this load, or, if
-- none was measured alone, what its data sheet rates it at most. Each bound of a data sheet holds
-- by itself, and the lowest counts: a mix has no more reads than reads alone and no more writes
-- than writes alone. A random write goes to every copy, or reads and writes data and parity; in
-- bytes, full stripes are the most. Hard disks skip parity when they read. Of a mirror all could
-- read, and in practice one copy does (Fujitsu 2016, page 36).
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
),

arrays as (
    select
        arrays.*,
        if(arrays.write_ratio = 0, 0, arrays.write_ratio * arrays.random_write_operation_count)
            as write_operations,
        rates.iops as single_iops,
        rates.measurement_id as single_id,
        sequential.* exclude (drive_id, left_out),
        rated.* exclude (drive_id, profile_id),
        -- throughput is measured with large blocks; small ones may be slower
        if(
            arrays.random_ratio > 0, rates.iops is not null,
            (arrays.read_ratio = 0 or sequential.read is not null)
            and (arrays.read_ratio = 1 or sequential.write is not null)
            and (arrays.purpose is distinct from 'what-if' or arrays.least_block_bytes >= 65536)
        ) as is_measured,
    from {{ ref('int_configurations') }} as arrays
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
),

limits as (
    select
        *,
        -- more drives than saturate the controller add nothing, nor at a level that does more work
        coalesce(
            not has_printed_limit
            and saturating_drive_count / (read_ratio + write_ratio * saturated_operation_count)
            < drive_count / (read_ratio + write_operations), false
        ) as is_saturated,
        if(is_saturated, saturating_drive_count, drive_count) as contributing_count,
        if(is_saturated, write_ratio * saturated_operation_count, write_operations)
            as contributing_operations,
        unnest(
            case
                when
                    is_measured and random_ratio > 0
                    and drive_count < saturating_drive_count
                    and most_iops_of_a_drive < single_iops / (read_ratio + write_operations)
                    then [{{ drive_limit(
                        'printed saturation', 'contributing_count', iops='most_iops_of_a_drive',
                        read='1'
                    ) }}]
                when is_measured and random_ratio > 0
                    then [{{ drive_limit(
                        'measured', 'contributing_count', iops='single_iops', read='read_ratio',
                        written='contributing_operations', source='single_id'
                    ) }}]
                when is_measured and read_ratio = 0
                    then [{{ drive_limit(
                        'measured', 'data_drive_count', bytes='write', written='write_ratio',
                        source='write_id'
                    ) }}]
                -- what a written byte takes of the drives, in bytes read
                when is_measured
                    then [{{ drive_limit(
                        'measured', 'reading_drive_count', bytes='read', read='read_ratio',
                        written='coalesce(write_ratio * reading_drive_count * read '
                        ~ '/ (data_drive_count * write), 0)',
                        source='read_id'
                    ) }}]
                else [
                    {{ drive_limit(
                        'rated', 'drive_count', iops='read_iops', read='disk_read_ratio'
                    ) }},
                    {{ drive_limit(
                        'rated', 'drive_count', iops='write_iops', written='disk_write_ratio'
                    ) }},
                    {{ drive_limit(
                        'rated', 'reading_drive_count', bytes='read_bytes_per_second',
                        read='read_ratio'
                    ) }},
                    {{ drive_limit(
                        'rated', 'data_drive_count', bytes='write_bytes_per_second',
                        written='write_ratio'
                    ) }}
                ]
            end, recursive := true
        ),
    from arrays
),

valued as (
    select
        *,
        member_count / nullif(read_factor + write_factor, 0) as weight,
        weight * member_iops as iops,
        weight * member_bytes_per_second as bytes_per_second,
        coalesce(bytes_per_second, iops * mean_block_bytes, iops) as rate,
    from limits
)

select
    array_id,
    profile_id,
    'drives' as ceiling_kind,
    case
        when drive_count is null then 'number of drives not reported'
        when drive_count = 1 and purpose = 'measured' then 'a single drive is its own reference'
        when random_ratio is null or read_ratio is null
            then 'random share or share of reads not reported'
        when write_ratio > 0 and data_drive_count is null
            then 'RAID level not reported; writes depend on it'
        when random_ratio > 0 and iops is null and bytes_per_second is null
            then 'no single drive of this model was measured or rated at this profile'
        when iops is null and bytes_per_second is null
            then 'no single drive of this model was measured or rated sequentially'
    end as missing_reason,
    if(iops is null and bytes_per_second is null, null, derivation) as derivation,
    member_count,
    member_iops,
    member_bytes_per_second,
    read_factor,
    write_factor,
    false as is_full_duplex,
    source_measurement_id,
    iops,
    bytes_per_second,
    if(
        random_ratio = 0 and drive_media = 'HDD' and copy_count > 1 and derivation = 'measured',
        (read_factor + write_factor) / (copy_count * read_factor + write_factor), 1
    ) as practical_ratio,
from valued
qualify
    row_number() over (
        partition by array_id, profile_id
        order by
            rate asc nulls last,
            row(read_factor, write_factor, member_count, member_iops) asc
    ) = 1
