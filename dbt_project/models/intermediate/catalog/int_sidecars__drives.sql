-- Own drives, a row a name in whatever spelling. Where sidecars define one name differently
-- the first by path counts, and the row names the others.
with definitions as (
    select
        *,
        {{ slug('drive') }} as drive_id,
        row(
            vendor, model, drive_media, drive_interface, drive_form_factor, rotation_rpm,
            capacity_bytes
        ) as content,
    from {{ ref('stg_sidecars__drives') }}
),

ranked as (
    select
        *,
        row_number() over by_path as definition_order,
        first_value(content) over by_path as leading_content,
    from definitions
    window by_path as (partition by drive_id order by defined_in)
),

differing as (
    select
        drive_id,
        'defined otherwise in ' || string_agg(defined_in, ', ' order by defined_in)
            as definition_note,
    from ranked
    where content is distinct from leading_content
    group by drive_id
)

select
    ranked.* exclude (content, leading_content, definition_order),
    differing.definition_note,
from ranked
left join differing using (drive_id)
where ranked.definition_order = 1
