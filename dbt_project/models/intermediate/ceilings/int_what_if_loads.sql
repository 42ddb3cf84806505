-- The load profiles that are predicted of a drive: those that documents name and at which one was
-- measured alone or for which its data sheet gives an upper bound. A drive's measured throughput
-- in sequence is that of large blocks, and predicts nothing of small ones.
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
)

select
    alone.drive_id,
    profiles.profile_id,
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
union
select
    bounds.drive_id,
    bounds.profile_id,
from {{ ref('int_drive_bounds') }} as bounds
inner join {{ ref('int_load_profiles') }} as profiles using (profile_id)
where profiles.published_names is not null
