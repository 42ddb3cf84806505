-- A value that several editions or places of a page print is one point with all their locators.
-- What makes two printed values one is everything they are said of, and the value.
with printed as (
    select
        *,
        row(line, sheet_path) as place,
    from {{ ref('stg_white_papers__measurements') }}
),

folded as (
    select
        document_id,
        page,
        server,
        controller,
        raid_level,
        drive,
        drive_count,
        stripe_bytes,
        profile,
        outstanding_io_count,
        queue_depth_per_drive,
        worker_count,
        condition,
        metric,
        value,
        min_value,
        max_value,
        arg_min_null(file_id, place) as file_id,
        arg_min_null(sheet_path, place) as sheet_path,
        arg_min_null(last_page, place) as last_page,
        arg_min_null(raid_level_as_printed, place) as raid_level_as_printed,
        arg_min_null(qualifier, place) as qualifier,
        arg_min_null(as_printed, place) as as_printed,
        arg_min_null(derivation, place) as derivation,
        arg_min_null(limit_of, place) as limit_of,
        arg_min_null(reading_note, place) as reading_note,
        string_agg(edition || ': ' || locator, ' | ' order by edition_order, place) as locator,
        min(line) as first_line,
        string_agg(cast(line as varchar), ', ' order by line) as lines,
        string_agg(distinct edition, ', ' order by edition) as editions,
        string_agg(edition || ': ' || note, ' | ' order by edition_order, place) as note,
    from printed
    group by all
),

expanded as (
    select
        * exclude (controller, profile),
        {{ each_of('controller') }} as controller,
        profile,
    from folded
)

select
    * exclude (profile),
    {{ each_of('profile') }} as profile,
from expanded
