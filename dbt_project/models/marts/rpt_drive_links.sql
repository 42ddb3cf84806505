-- How much of its link one drive fills, by year: for each medium, interface and year, the highest
-- non-random throughput of a single drive beside the practical limit of its link. Where no single
-- drive was measured on such a link, a drive's share of an array counts. The year is that of the
-- document, or of our own run.
with drives as (
    select
        points.measurement_id,
        points.drive_media,
        points.drive_interface,
        points.drive,
        points.drive_count,
        points.bytes_per_second / points.drive_count as bytes_per_second,
        points.value_qualifier,
        limits.bytes_per_second / points.drive_count as link_bytes_per_second,
        cast(coalesce(
            year(points.measured_at),
            year(documents.published_date),
            try_cast(regexp_extract(documents.published_as_printed, '\b(19|20)\d\d\b') as bigint)
        ) as bigint) as measured_year,
        points.source_label,
    from {{ ref('rpt_measurements') }} as points
    inner join {{ ref('fct_ceilings') }} as limits using (array_id, profile_id)
    left join {{ ref('dim_documents') }} as documents using (document_id)
    where
        points.is_valid
        and not points.is_derived
        and points.is_example is not true
        and points.drive_media is not null
        and points.drive_interface is not null
        and coalesce(points.random_ratio, 0) = 0
        and points.value_qualifier in ('exact', 'approximate')
        and points.bytes_per_second is not null
        and coalesce(points.combined_id, cast(points.part_count as varchar)) is null
        -- arrays need a port per drive, and no parity or copies on its link
        and (
            points.drive_count = 1
            or limits.member_count = points.drive_count
            and limits.read_factor + limits.write_factor between 0.999 and 1.001
        )
        and limits.ceiling_kind = 'disk interface'
        and limits.basis = 'practical'
        and limits.bytes_per_second is not null
    qualify
        points.drive_count = 1
        or min(points.drive_count) over (
            partition by points.drive_media, points.drive_interface
        ) > 1
)

select
    measurement_id,
    measured_year,
    drive_media,
    drive_interface,
    drive,
    drive_count,
    bytes_per_second,
    link_bytes_per_second,
    bytes_per_second / link_bytes_per_second as link_ratio,
    concat_ws(
        ', ', drive_media || ' on ' || drive_interface,
        coalesce(cast(measured_year as varchar), 'year not reported'),
        if(drive_count > 1, '1 of ' || drive_count, null)
    ) || '   ' || {{ mark('value_qualifier') }}
    || {{ rounded_label('bytes_per_second', "'bytes_per_second'") }} || ', '
    || {{ rounded_percent('link_ratio') }} || ' of the link' as link_label,
    source_label,
from drives
qualify
    row_number() over (
        partition by measured_year, drive_media, drive_interface
        order by bytes_per_second desc, measurement_id asc
    ) = 1
