-- What one drive does at each load profile that it was measured at alone. Of several points that
-- agree within a tenth an exact one counts before others, and a printed one before a converted one.
-- Once for each value that a back-test leaves out, and once with all of them.
with leaving_out as (
    select
        *,
        measurement_id as left_out,
    from {{ ref('int_measurements') }}
    where is_back_test and drive_id is not null
    union all by name
    select distinct drive_id from {{ ref('int_single_drives') }}
),

candidates as (
    select
        points.*,
        leaving_out.left_out,
        coalesce(points.bytes_per_second, points.iops) as rate,
        max(rate) over (partition by points.drive_id, points.profile_id, leaving_out.left_out)
            as greatest_rate,
    from {{ ref('int_single_drives') }} as points
    inner join leaving_out using (drive_id)
    where
        (
            points.profile_id = coalesce(leaving_out.profile_id, points.profile_id)
            or points.sequential_read_ratio in (0, 1)
        )
        and not coalesce({{ is_left_out('points', 'leaving_out') }}, false)
)

select distinct on (drive_id, profile_id, left_out)
    drive_id,
    profile_id,
    left_out,
    sequential_read_ratio,
    iops,
    bytes_per_second,
    measurement_id,
from candidates
order by
    rate < 0.9 * greatest_rate asc,
    is_inexact asc,
    is_converted asc,
    rate desc,
    measurement_id asc
