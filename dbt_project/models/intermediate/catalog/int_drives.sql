-- The catalog of drives. A series is a name under which a document rates several drives together;
-- it gives its medium and interface to drives for which no document states them. Ratings with a
-- text come from documents, the others from a sidecar.
with drives as (
    select
        drives.*,
        coalesce(drives.texts['media'], series.texts['media']) as media,
        coalesce(drives.texts['interface'], series.texts['interface']) as interface,
    from {{ ref('int_catalog') }} as drives
    left join {{ ref('int_catalog') }} as series
        on series.kind = 'drive' and {{ slug("drives.texts['series']") }} = series.name_id
    where drives.kind = 'drive'
)

select
    name as drive,
    name_id as drive_id,
    document_id,
    page,
    texts['vendor'] as vendor,
    texts['model'] as model,
    if(media in ('HDD', 'SSD'), media, null) as drive_media,
    -- papers write SAS 6G as 'SAS-2.0' and 'SAS, 6 Gb/s' too
    regexp_replace(
        if(interface = 'SAS-2.0', 'SAS 6G', interface),
        '^(SAS|SATA), (\d+) Gb/s$', '\1 \2G'
    ) as drive_interface,
    texts['series'] as series,
    try_cast(numbers['capacity'] as bigint) as capacity_bytes,
    numbers['rotation_rate'] as rotation_rpm,
    texts['drive_form_factor'] as drive_form_factor,
    numbers['rated_random_read_iops'] as rated_random_read_iops,
    numbers['rated_random_write_iops'] as rated_random_write_iops,
    numbers['rated_read'] as rated_read_bytes_per_second,
    numbers['rated_write'] as rated_write_bytes_per_second,
    numbers['power'] as power_watts,
    texts['rated_random_read_iops'] is null and rated_random_read_iops is not null
    or texts['rated_random_write_iops'] is null and rated_random_write_iops is not null
    or texts['rated_read'] is null and rated_read_bytes_per_second is not null
    or texts['rated_write'] is null and rated_write_bytes_per_second is not null
    or power_watts is not null as is_own_rating,
    nullif(concat_ws('; ', rated_in, if(is_own_rating, texts['rated_by'], null)), '') as rated_by,
    {{ stated_price() }}
    defined_in,
    definition_note,
from drives
