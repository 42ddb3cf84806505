-- The catalog: what the papers state of each drive, leading edition, as a row a drive.
-- Conditions name special cases (a mode, a server): an unconditional mention goes before them.
with facts as (
    select
        *,
        {{ each_of('subjects') }} as drive,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'drive' and edition_order = 1
),

stated as (
    select
        *,
        row_number() over (
            partition by drive, attribute
            order by condition is not null, document_id, page, line
        ) as mention,
    from facts
)

select
    drive,
    min_by(document_id, line) filter (where mention = 1) as document_id,
    min(page) filter (where mention = 1) as page,
    any_value(as_printed) filter (where mention = 1 and attribute = 'vendor') as vendor,
    any_value(as_printed) filter (where mention = 1 and attribute = 'model') as model,
    any_value(as_printed) filter (where mention = 1 and attribute = 'media') as drive_media,
    any_value(
        case
            when regexp_matches(as_printed, '^(SAS|SATA), \d+ Gb/s$')
                then regexp_replace(as_printed, '^(\w+), (\d+) Gb/s$', '\1 \2G')
            when as_printed = 'SAS-2.0' then 'SAS 6G'
            else as_printed
        end
    ) filter (where mention = 1 and attribute = 'interface') as drive_interface,
    any_value(cast(value as bigint)) filter (
        where mention = 1 and attribute = 'capacity'
    ) as capacity_bytes,
    any_value(value) filter (where mention = 1 and attribute = 'rotation_rate') as rotation_rpm,
    any_value(as_printed) filter (
        where mention = 1 and attribute = 'drive_form_factor'
    ) as drive_form_factor,
from stated
group by drive
