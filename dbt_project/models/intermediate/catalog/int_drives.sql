-- The catalog of drives, a row each: what the papers state; what they leave open, and those
-- they do not have, from the sidecars' own definitions.
with stated as (
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
),

own as (
    select * from {{ ref('int_sidecars__drives') }}
)

select
    coalesce(stated.drive, own.drive) as drive,
    {{ slug('coalesce(stated.drive, own.drive)') }} as drive_id,
    stated.document_id,
    stated.page,
    coalesce(stated.vendor, own.vendor) as vendor,
    coalesce(stated.model, own.model) as model,
    coalesce(stated.drive_media, own.drive_media) as drive_media,
    coalesce(stated.drive_interface, own.drive_interface) as drive_interface,
    coalesce(stated.capacity_bytes, own.capacity_bytes) as capacity_bytes,
    coalesce(stated.rotation_rpm, own.rotation_rpm) as rotation_rpm,
    coalesce(stated.drive_form_factor, own.drive_form_factor) as drive_form_factor,
    own.defined_in,
    own.definition_note,
from stated
full outer join own on {{ slug('stated.drive') }} = own.drive_id
