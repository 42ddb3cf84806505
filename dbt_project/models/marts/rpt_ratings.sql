-- The rating of a drive, beside the highest value that another document or an own run measured for
-- one such drive: 4 KiB for random I/O, at least 64 KiB for sequential. The highest of several
-- ratings counts; a series' rating, which is its best member's, only for drives without their own.
-- Makers rate under their own conditions, so less than the rating refutes nothing.
with ratings as (
    select
        document_id as rating_document_id,
        page,
        line,
        locator,
        {{ slug(each_of('subjects')) }} as rated_id,
        attribute,
        as_printed,
        value as rated_value,
        if(starts_with(attribute, 'rated_random'), 1, 0) as random_ratio,
        if(contains(attribute, 'read'), 1, 0) as read_ratio,
        if(random_ratio = 1, 'iops', 'bytes_per_second') as unit,
    from {{ ref('stg_white_papers__facts') }}
    where
        edition_order = 1
        and subject_type = 'drive'
        and condition is null
        and value > 0
        and attribute in (
            'rated_random_read_iops', 'rated_random_write_iops', 'rated_read', 'rated_write'
        )
),

-- filters of int_drive_rates: no sums of hosts, no cache, and nothing faster than its link
measured as (
    select
        points.*,
        unnest(list_distinct([points.drive_id, {{ slug('drives.series') }}])) as rated_id,
        if(points.random_ratio = 1, points.iops, points.bytes_per_second) as measured_value,
    from {{ ref('rpt_measurements') }} as points
    inner join {{ ref('int_drives') }} as drives using (drive_id)
    left join {{ ref('dim_interfaces') }} as links
        on drives.drive_interface = links.interface and links.interface not like 'PCIe %'
    where
        points.is_valid
        and not points.is_derived
        and points.is_example is not true
        and points.has_own_processor is not true
        and coalesce(points.combined_id, points.part_count::varchar) is null
        and points.drive_count = 1
        and coalesce(points.raid_level, 'JBOD') in ('JBOD', 'RAID 0')
        and points.value_qualifier in ('exact', 'approximate')
        and coalesce(points.bytes_per_second <= links.lane_theoretical_bytes_per_second, true)
        and (
            points.random_ratio = 1 and points.block_bytes = 4096
            or points.random_ratio = 0 and points.block_bytes >= 65536
        )
)

select
    measured.drive_id,
    ratings.attribute,
    measured.drive,
    ratings.rating_document_id,
    ratings.page,
    ratings.locator,
    ratings.as_printed,
    if(ratings.random_ratio = 1, ratings.rated_value, null) as rated_iops,
    if(ratings.random_ratio = 0, ratings.rated_value, null) as rated_bytes_per_second,
    measured.measurement_id,
    if(ratings.random_ratio = 1, measured.iops, null) as iops,
    if(ratings.random_ratio = 0, measured.bytes_per_second, null) as bytes_per_second,
    measured.measured_value / ratings.rated_value as measured_ratio,
    case
        when measured_ratio > 1.1 then 'exceeded'
        when measured_ratio >= 0.9 then 'reached'
        else 'not reached'
    end as verdict,
    measured.controller,
    measured.outstanding_io_count,
    measured.condition,
    if(ratings.random_ratio = 1, 'random', 'sequential')
    || if(ratings.read_ratio = 1, ' read', ' write') as load_label,
    {{ rounded_label('measured.measured_value', 'unit') }} as value_label,
    measured.drive || ', ' || load_label || '   ' || value_label || ', '
    || {{ rounded_percent('measured_ratio') }} as rating_label,
    concat_ws(', ', documents.document_title, 'p. ' || ratings.page, ratings.locator)
        as rating_source_label,
    measured.source_label,
from ratings
inner join measured using (rated_id, random_ratio, read_ratio)
inner join {{ ref('dim_documents') }} as documents
    on ratings.rating_document_id = documents.document_id
where
    measured.measured_value is not null
    and measured.document_id is distinct from ratings.rating_document_id
qualify
    row_number() over (
        partition by measured.drive_id, ratings.attribute
        order by
            ratings.rated_id = measured.drive_id desc, ratings.rated_value desc,
            measured.measured_value desc, measured.measurement_id asc,
            ratings.rating_document_id asc, ratings.line asc
    ) = 1
