-- What does not fit: measured above what the formulas allow, and printed otherwise than they give.
-- A print has whole MB/s, some rounded and some cut off: less than one is no difference, and
-- neither is a twentieth of what is said with "about".
with above_ceiling as (
    select
        points.*,
        controllers.cache_bytes,
        coalesce(
            points.bytes_per_second / points.ceiling_bytes_per_second
            >= coalesce(points.iops / points.ceiling_iops, 0), false
        ) as is_by_bytes,
    from {{ ref('measurements') }} as points
    left join {{ ref('dim_controllers') }} as controllers using (controller_id)
    where
        points.attained_ratio > if(points.value_qualifier = 'approximate', 1.05, 1.005)
        and points.is_valid
),

findings as (
    select
        'above ceiling' as finding_kind,
        concat_ws(' ', controller, raid_level, drive_count || ' x', drive, profile_name)
            as subject,
        measurement_id,
        document_id,
        page,
        if(is_by_bytes, 'bytes_per_second', 'iops') as unit,
        if(is_by_bytes, bytes_per_second, iops) as observed_value,
        if(is_by_bytes, ceiling_bytes_per_second, ceiling_iops) as expected_value,
        case
            when
                binding_ceiling in ('disk interface', 'host interface')
                and attained_ratio <= 1 / {{ practical_ratio() }}
                then 'above the practical, below the theoretical limit of the ' || binding_ceiling
            when binding_ceiling = 'host interface'
                then 'the page cache of the host, or the unit: no controller gets past its link'
            when file_size_bytes <= cache_bytes
                then 'cache: the file fits into the controller''s cache'
            when has_own_processor
                then 'measured with another processor; the limit is for the usual one'
            when binding_ceiling = 'controller'
                then 'the published limit is of another configuration'
            when
                binding_ceiling = 'drives'
                and drive_media = 'HDD'
                and raid_level in ('RAID 1', 'RAID 1E', 'RAID 10')
                and random_ratio = 0
                and attained_ratio <= 2
                then 'more than one copy of the mirror was read'
            when binding_ceiling = 'drives'
                then 'a cache that writes back, or the single drive was measured at another load'
            else 'unit or catalog: check the throughput''s unit and the interface in the catalog'
        end as likely_reason,
    from above_ceiling
    union all by name
    select
        'printed otherwise' as finding_kind,
        concat_ws(' ', controller, side, connection, basis) as subject,
        document_id,
        page,
        'bytes_per_second' as unit,
        cast(printed_bytes_per_second as double) as observed_value,
        cast(derived_bytes_per_second as double) as expected_value,
        if(
            value_qualifier != 'exact',
            'printed as ' || value_qualifier || ': ' || as_printed,
            'printed: ' || as_printed || '; the formula gives '
            || {{ whole('derived_bytes_per_second / print_step_bytes_per_second') }} || ' MB/s'
        ) as likely_reason,
    from {{ ref('int_printed_limits') }}
    where
        abs(printed_bytes_per_second - derived_bytes_per_second) >= print_step_bytes_per_second
)

select
    *,
    observed_value / expected_value as excess_ratio,
from findings
