-- What does not fit: measured above what the formulas allow, and printed otherwise than they give.
-- A print has whole MB/s, some rounded and some cut off: less than one is no difference, and
-- neither is a twentieth of what is said with "about".
with above_ceiling as (
    select
        'above ceiling' as finding_kind,
        measured.measurement_id,
        measured.document_id,
        measured.page,
        concat_ws(
            ' ', measured.controller, measured.raid_level, measured.drive_count || ' x',
            measured.drive, measured.profile_name
        ) as subject,
        coalesce(
            measured.bytes_per_second / measured.ceiling_bytes_per_second
            >= coalesce(measured.iops / measured.ceiling_iops, 0), false
        ) as is_by_bytes,
        if(is_by_bytes, 'bytes_per_second', 'iops') as unit,
        if(is_by_bytes, measured.bytes_per_second, measured.iops) as observed_value,
        if(is_by_bytes, measured.ceiling_bytes_per_second, measured.ceiling_iops)
            as expected_value,
        case
            when
                measured.binding_ceiling in ('disk interface', 'host interface')
                and measured.attained_ratio <= 1 / {{ practical_ratio() }}
                then
                    'above the practical, below the theoretical limit of the '
                    || measured.binding_ceiling
            when measured.binding_ceiling = 'host interface'
                then 'the page cache of the host, or the unit: no controller gets past its link'
            when measured.file_size_bytes <= controllers.cache_bytes
                then 'cache: the file fits into the controller''s cache'
            when measured.has_own_processor
                then 'measured with another processor; the limit is for the usual one'
            when measured.binding_ceiling = 'controller'
                then 'the published limit is of another configuration'
            when
                measured.binding_ceiling = 'drives'
                and measured.drive_media = 'HDD'
                and measured.raid_level in ('RAID 1', 'RAID 1E', 'RAID 10')
                and measured.random_ratio = 0
                and measured.attained_ratio <= 2
                then 'more than one copy of the mirror was read'
            when measured.binding_ceiling = 'drives'
                then 'a cache that writes back, or the single drive was measured at another load'
            else 'unit or catalog: check the throughput''s unit and the interface in the catalog'
        end as likely_reason,
    from {{ ref('measurements') }} as measured
    left join {{ ref('dim_controllers') }} as controllers
        on measured.controller_id = controllers.controller_id
    where
        measured.attained_ratio > if(measured.value_qualifier = 'approximate', 1.05, 1.005)
        and measured.is_valid
),

printed_otherwise as (
    select
        'printed otherwise' as finding_kind,
        document_id,
        page,
        concat_ws(' ', controller, side, connection, basis) as subject,
        'bytes_per_second' as unit,
        printed_bytes_per_second as observed_value,
        derived_bytes_per_second as expected_value,
        case
            when value_qualifier != 'exact'
                then 'printed as ' || value_qualifier || ': ' || as_printed
            else
                'printed: ' || as_printed || '; the formula gives '
                || {{ whole('derived_bytes_per_second / print_step_bytes_per_second') }} || ' MB/s'
        end as likely_reason,
    from {{ ref('int_printed_limits') }}
    where
        abs(printed_bytes_per_second - derived_bytes_per_second) >= print_step_bytes_per_second
),

findings as (
    select * from above_ceiling
    union all by name
    select * from printed_otherwise
)

select
    finding_kind,
    subject,
    measurement_id,
    document_id,
    page,
    unit,
    cast(observed_value as double) as observed_value,
    cast(expected_value as double) as expected_value,
    cast(observed_value / expected_value as double) as excess_ratio,
    likely_reason,
from findings
