-- Own controllers, a row a name in whatever spelling. Where sidecars define one name differently
-- the first by path counts, and the row names the others.
with definitions as (
    select
        *,
        {{ slug('controller') }} as controller_id,
        row(
            vendor, full_name, controller_generation, form_factor, disk_interfaces, host_interface,
            raid_levels, disk_port_count, host_lane_count, max_drive_count, cache_bytes,
            default_stripe_bytes
        ) as content,
    from {{ ref('stg_sidecars__controllers') }}
),

ranked as (
    select
        *,
        row_number() over by_path as definition_order,
        first_value(content) over by_path as leading_content,
    from definitions
    window by_path as (partition by controller_id order by defined_in)
),

differing as (
    select
        controller_id,
        'defined otherwise in ' || string_agg(defined_in, ', ' order by defined_in)
            as definition_note,
    from ranked
    where content is distinct from leading_content
    group by controller_id
)

select
    ranked.* exclude (content, leading_content, definition_order),
    differing.definition_note,
from ranked
left join differing using (controller_id)
where ranked.definition_order = 1
