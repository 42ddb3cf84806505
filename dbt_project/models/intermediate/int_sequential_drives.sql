-- What one drive reads and writes in sequence, at whatever block size that is fastest.
with sequential_profiles as (
    select distinct
        profile_id,
        read_ratio,
    from {{ ref('int_load_profiles') }}
    where random_ratio = 0
)

select
    singles.drive_id,
    max(singles.bytes_per_second) filter (profiles.read_ratio = 1) as read_bytes_per_second,
    max(singles.bytes_per_second) filter (profiles.read_ratio = 0) as write_bytes_per_second,
from {{ ref('int_single_drives') }} as singles
inner join sequential_profiles as profiles using (profile_id)
group by singles.drive_id
