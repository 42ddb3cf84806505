-- The load profiles that are predicted of a drive: those that documents name and at which one was
-- measured alone, else (`is_rated`) those for which its data sheet gives an upper bound. A drive's
-- measured throughput in sequence is that of large blocks, and predicts nothing of small ones.
with alone as (
    select
        drive_id,
        list(profile_id) filter (iops is not null) as profile_ids,
        bool_or(sequential_read_ratio = 1 and bytes_per_second is not null)
        and bool_or(sequential_read_ratio = 0 and bytes_per_second is not null)
            as is_sequential_known,
    from {{ ref('int_drive_rates') }}
    where left_out is null
    group by drive_id
),

loads as (
    select
        alone.drive_id,
        profiles.profile_id,
        false as is_rated,
    from alone
    inner join {{ ref('int_load_profiles') }} as profiles
        on
            profiles.published_names is not null
            and profiles.read_ratio is not null
            and case
                when profiles.random_ratio > 0
                    then list_contains(alone.profile_ids, profiles.profile_id)
                when profiles.random_ratio = 0
                    then alone.is_sequential_known and profiles.block_mix[1].block_bytes >= 65536
            end
    union all by name
    select
        drive_id,
        profile_id,
        true as is_rated,
    from {{ ref('int_drive_bounds') }}
)

select
    drive_id,
    profile_id,
    bool_and(is_rated) as is_rated,
from loads
group by drive_id, profile_id
