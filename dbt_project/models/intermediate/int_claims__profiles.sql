-- By what names a claim may mean a load profile: those that a document gives to just this load,
-- and those of a load that leaves something unstated which is stated here.
with names as (
    select distinct
        document_id,
        profile_name,
        profile_id,
        random_ratio,
        read_ratio,
        block_bytes,
    from {{ ref('int_load_profiles') }}
)

select
    profiles.profile_id,
    min(profiles.random_ratio) as random_ratio,
    min(profiles.read_ratio) as profile_read_ratio,
    any_value(profiles.block_bytes) as block_bytes,
    list_sort(list(distinct 'profile=' || names.document_id || ' ' || names.profile_name))
        as profile_tags,
from names as profiles
inner join names
    on
        profiles.profile_id = names.profile_id
        or names.profile_id like '%unstated%'
        and coalesce(profiles.random_ratio = names.random_ratio, names.random_ratio is null)
        and coalesce(profiles.read_ratio = names.read_ratio, names.read_ratio is null)
        and coalesce(profiles.block_bytes = names.block_bytes, names.block_bytes is null)
where names.document_id is not null
group by profiles.profile_id
