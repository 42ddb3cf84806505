-- A failing row is a load profile whose block shares are stated and do not sum to 1.
select
    profile_id,
    list_sum(list_transform(block_mix, lambda part: part.share_ratio)) as share_sum,
from {{ ref('int_load_profiles') }}
where abs(share_sum - 1) > 0.001
