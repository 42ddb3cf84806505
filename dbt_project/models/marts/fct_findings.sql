-- Measurements more than 0.5 % above their ceiling (5 % if printed as "about"), and printed limits
-- that differ from the formula. Papers print whole MB/s, of 2^20 or 10^6 bytes, some rounded and
-- some cut off: a difference below one is no finding. Interfaces in one cell ('SAS 6G / SATA 6G')
-- have one rate. A limit with slower drives names the drives' interface.
with findings as (
    select
        'above ceiling' as finding_kind,
        concat_ws(
            ' ', points.controller, points.raid_level, points.drive_count || ' x', points.drive,
            points.profile_name
        ) as subject,
        points.measurement_id,
        points.document_id,
        points.page,
        if(points.value_qualifier = 'approximate', 1.05, 1.005) as allowed_ratio,
        points.bytes_per_second / points.ceiling_bytes_per_second as bytes_ratio,
        points.iops / points.ceiling_iops as iops_ratio,
        -- in the profile's headline metric, unless only the other one is above its ceiling
        case
            when points.headline_metric = 'iops' and iops_ratio > allowed_ratio then false
            when points.headline_metric = 'bytes_per_second' and bytes_ratio > allowed_ratio
                then true
            else bytes_ratio >= coalesce(iops_ratio, 0)
        end as is_by_bytes,
        if(is_by_bytes, 'bytes_per_second', 'iops') as unit,
        if(is_by_bytes, points.bytes_per_second, points.iops) as observed_value,
        if(is_by_bytes, points.ceiling_bytes_per_second, points.ceiling_iops) as expected_value,
        case
            when
                points.binding_ceiling in ('disk interface', 'host interface')
                and points.attained_ratio <= 1 / {{ practical_ratio() }}
                then
                    'above the practical, below the theoretical limit of the '
                    || points.binding_ceiling
            when points.binding_ceiling = 'host interface'
                then 'page cache of the host, or the unit: no controller exceeds its link'
            when points.file_size_bytes <= controllers.cache_bytes
                then 'cache: the file fits into the controller''s cache'
            when points.has_own_processor
                then 'measured with another processor; the limit is for the usual one'
            when points.binding_ceiling = 'controller'
                then 'the published limit is for another configuration'
            when
                points.binding_ceiling = 'drives'
                and points.drive_media = 'HDD'
                and points.raid_level in ('RAID 1', 'RAID 1E', 'RAID 10')
                and points.random_ratio = 0
                and points.attained_ratio <= 2
                then 'more than one copy of the mirror was read'
            when points.binding_ceiling = 'drives'
                then
                    'the drive is faster than ' || if(
                        ceilings.derivation = 'rated', 'its rating', 'when measured alone'
                    )
                    || ', or ' || if(points.read_ratio = 1, 'reads', 'writes') || ' were cached'
            else 'unit or catalog: check the throughput''s unit and the interface in the catalog'
        end as likely_reason,
    from {{ ref('rpt_measurements') }} as points
    left join {{ ref('dim_controllers') }} as controllers using (controller_id)
    left join {{ ref('fct_ceilings') }} as ceilings
        on
            points.array_id = ceilings.array_id
            and points.profile_id = ceilings.profile_id
            and ceilings.ceiling_kind = 'drives'
            and ceilings.basis = 'practical'
    where
        points.attained_ratio > allowed_ratio
        and points.is_valid
        and points.is_superseded is not true
    union all by name
    select
        'differs from formula' as finding_kind,
        concat_ws(' ', printed.controller, printed.side, printed.connection, printed.basis)
            as subject,
        printed.document_id,
        printed.page,
        'bytes_per_second' as unit,
        cast(printed.value as double) as observed_value,
        printed.link_count * if(
            printed.basis = 'practical',
            links.lane_practical_bytes_per_second, links.lane_theoretical_bytes_per_second
        ) as expected_value,
        case printed.prefix_base when 2 then 1048576 else 1000000 end as print_step,
        'printed: ' || printed.as_printed || '; the formula gives '
        || {{ whole('expected_value / print_step') }} || ' MB/s' as likely_reason,
    from {{ ref('stg_white_papers__limits') }} as printed
    inner join {{ ref('dim_interfaces') }} as links
        on split_part(printed.interface, ' / ', 1) = links.interface
    where
        printed.basis != 'line_rate'
        and printed.edition_order = 1
        and abs(observed_value - expected_value) >= print_step
)

select
    * exclude (allowed_ratio, bytes_ratio, iops_ratio, is_by_bytes, print_step),
    observed_value / expected_value as excess_ratio,
from findings
