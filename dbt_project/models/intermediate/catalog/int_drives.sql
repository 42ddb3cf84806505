-- The catalog of drives. A series is the name of others that a document rates together with one.
select
    name as drive,
    name_id as drive_id,
    document_id,
    page,
    texts['vendor'] as vendor,
    texts['model'] as model,
    texts['media'] as drive_media,
    -- papers write SAS 6G as 'SAS-2.0' and 'SAS, 6 Gb/s' too
    regexp_replace(
        if(texts['interface'] = 'SAS-2.0', 'SAS 6G', texts['interface']),
        '^(SAS|SATA), (\d+) Gb/s$', '\1 \2G'
    ) as drive_interface,
    texts['series'] as series,
    cast(numbers['capacity'] as bigint) as capacity_bytes,
    numbers['rotation_rate'] as rotation_rpm,
    texts['drive_form_factor'] as drive_form_factor,
    defined_in,
    definition_note,
from {{ ref('int_catalog') }}
where kind = 'drive'
