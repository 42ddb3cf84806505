-- A value that several editions or places of a page print is one point, the first of them, with all
-- their locators. What makes two printed values one is everything they are said of, and the value.
with folded as (
    select
        * exclude (edition, edition_order, prefix_base) replace (
            string_agg(edition || ': ' || locator, ' | ' order by edition_order, line, sheet_path)
                over alike as locator,
            string_agg(edition || ': ' || note, ' | ' order by edition_order, line, sheet_path)
                over alike as note
        ),
        string_agg(cast(line as varchar), ', ' order by line) over alike as lines,
        string_agg(distinct edition, ', ' order by edition) over alike as editions,
    from {{ ref('stg_white_papers__measurements') }}
    window
        alike as (
            partition by
                document_id, page, server, controller, raid_level, drive, drive_count, stripe_bytes,
                profile, outstanding_io_count, queue_depth_per_drive, worker_count, condition,
                metric, value, min_value, max_value
        )
    qualify row_number() over (alike order by line, sheet_path) = 1
),

each_controller as (
    select * replace ({{ each_of('controller') }} as controller),
    from folded
)

select
    * exclude (profile, qualifier),
    {{ each_of('profile') }} as profile_name,
    qualifier as value_qualifier,
from each_controller
