-- A failing row is a load profile whose block shares are stated and do not sum to 1.
select
    profile_id,
    sum(share_ratio) as share_sum,
from {{ ref('dim_load_profile_blocks') }}
where share_ratio is not null
group by profile_id
having abs(sum(share_ratio) - 1) > 0.001
