-- Measurements with the labels and the headline value of boards, reports and comparisons: IOPS of
-- small blocks, throughput of large ones. Refs leave out the database name, which differs in a
-- published copy of the file.
{{ config(materialized='view') }}
select
    points.*,
    arrays.array_label,
    profiles.profile_label,
    profiles.profile_short_label,
    profiles.headline_metric,
    if(profiles.headline_metric = 'iops', points.iops, points.bytes_per_second) as headline_value,
    points.bytes_per_second / 1048576 as mebibytes_per_second,
    documents.commissioned_by,
    documents.url as document_url,
    coalesce(points.document_id, points.source_format) as source,
    concat_ws(
        ', ', points.document_title, 'p. ' || points.pages,
        if(points.document_id is null, points.source_path, null)
    ) as source_label,
    {{ attained_label('points.ceiling_scope', 'points.value_qualifier', 'points.attained_ratio') }}
        as attained_label,
    arrays.array_label || case points.value_qualifier
        when 'approximate' then ' (about)'
        when 'at_least' then ' (at least)'
        when 'at_most' then ' (up to)'
        else ''
    end as marked_label,
    concat_ws(', ', arrays.array_label, points.condition, points.io_engine) as setup_label,
    -- for filters: 'not reported' can be chosen, so All includes every row
    {% for column in ['vendor', 'controller', 'raid_level', 'drive_media'] -%}
        coalesce(points.{{ column }}, 'not reported') as {{ column }}_label,
    {% endfor -%}
    lpad(points.worker_count::varchar, 5, ' ') as worker_label,
    points.outstanding_io_count // points.worker_count as worker_outstanding_io_count,
    lpad(worker_outstanding_io_count::varchar, 5, ' ') as worker_outstanding_label,
from {{ ref('measurements').include(database=false) }} as points
left join {{ ref('dim_arrays').include(database=false) }} as arrays using (array_id)
left join {{ ref('dim_load_profiles').include(database=false) }} as profiles using (profile_id)
left join {{ ref('dim_documents').include(database=false) }} as documents using (document_id)
