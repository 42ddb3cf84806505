-- What one drive of an array contributes at a load profile: at random its rate there, in sequence
-- its fastest read and write at any block size. Of several points that agree within a tenth an
-- exact one counts before others, and a printed one before a converted one. Once for each value
-- that a back-test leaves out, and once with all of them.
with profiles as (
    select distinct
        profile_id,
        case when random_ratio = 0 then read_ratio end as sequential_read_ratio,
    from {{ ref('int_load_profiles') }}
),

wanted as (
    select distinct
        drives.drive_id,
        profiles.profile_id,
        cast(null as varchar) as left_out,
    from {{ ref('int_single_drives') }} as drives
    cross join profiles
    union all
    select
        drive_id,
        profile_id,
        measurement_id as left_out,
    from {{ ref('int_back_tests') }}
    where drive_id is not null
),

candidates as (
    select
        wanted.drive_id,
        wanted.profile_id,
        wanted.left_out,
        points.profile_id as point_profile_id,
        profiles.sequential_read_ratio,
        points.* exclude (drive_id, profile_id),
        coalesce(points.bytes_per_second, points.iops) as rate,
        max(rate) over (
            partition by wanted.drive_id, wanted.profile_id, wanted.left_out, points.profile_id
        ) as greatest_rate,
    from wanted
    inner join {{ ref('int_single_drives') }} as points using (drive_id)
    inner join profiles on points.profile_id = profiles.profile_id
    left join {{ ref('int_back_tests') }} as tests on wanted.left_out = tests.measurement_id
    where
        (points.profile_id = wanted.profile_id or profiles.sequential_read_ratio in (0, 1))
        and not coalesce({{ is_left_out('points', 'tests') }}, false)
),

chosen as (
    select * from candidates
    qualify
        row_number() over (
            partition by drive_id, profile_id, left_out, point_profile_id
            order by
                rate < 0.9 * greatest_rate asc,
                is_inexact asc,
                is_converted asc,
                rate desc,
                measurement_id asc
        ) = 1
)

select
    drive_id,
    profile_id,
    left_out,
    max(iops) filter (point_profile_id = profile_id) as iops,
    max(measurement_id) filter (point_profile_id = profile_id) as measurement_id,
    max(bytes_per_second) filter (sequential_read_ratio = 1) as read_bytes_per_second,
    max(bytes_per_second) filter (sequential_read_ratio = 0) as write_bytes_per_second,
from chosen
group by drive_id, profile_id, left_out
