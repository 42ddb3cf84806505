-- The catalog of drives: what the papers state, a row a drive.
select
    subject as drive,
    min(document_id) as document_id,
    min_by(page, (document_id, page)) as page,
    any_value(as_printed) filter (attribute = 'vendor') as vendor,
    any_value(as_printed) filter (attribute = 'model') as model,
    any_value(as_printed) filter (attribute = 'media') as drive_media,
    any_value(
        case
            when regexp_matches(as_printed, '^(SAS|SATA), \d+ Gb/s$')
                then regexp_replace(as_printed, '^(\w+), (\d+) Gb/s$', '\1 \2G')
            when as_printed = 'SAS-2.0' then 'SAS 6G'
            else as_printed
        end
    ) filter (attribute = 'interface') as drive_interface,
    any_value(cast(value as bigint)) filter (attribute = 'capacity') as capacity_bytes,
    any_value(value) filter (attribute = 'rotation_rate') as rotation_rpm,
    any_value(as_printed) filter (attribute = 'drive_form_factor') as drive_form_factor,
from {{ ref('int_catalog_facts') }}
where subject_type = 'drive'
group by subject
