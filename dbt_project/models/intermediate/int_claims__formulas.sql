-- Claims that no measurement has to decide: what RAID levels cost by the book, and how many
-- drives it takes to bring a controller to its most.
with claims as (
    select * from {{ ref('int_claims__wanted') }}
),

profiles as (
    select distinct
        document_id,
        profile_name,
        profile_id,
        read_ratio,
    from {{ ref('int_load_profiles') }}
    where document_id is not null
),

-- what is read and written on the drives for each block that is written
penalties as (
    select
        raid_level,
        random_bytes_written + random_extra_bytes_read as access_count,
    from {{ ref('raid_levels') }}
),

write_penalties as (
    select
        claims.claim_id,
        penalties.access_count = claims.claimed_value as is_true,
        claims.claimed_value as subject_value,
        penalties.access_count as object_value,
        'count' as compared_unit,
        penalties.access_count as derived_ratio,
        'raid_levels: blocks written + read of ' || penalties.raid_level as inputs,
        'write penalty' as judged_by,
    from claims
    inner join penalties on claims.subject = penalties.raid_level
    where claims.metric = 'write_penalty'
),

-- accesses of the drives for each of the application, at the profile's share of reads
level_ratios as (
    select
        claims.claim_id,
        profiles.read_ratio + (1 - profiles.read_ratio) * subject.access_count as subject_value,
        profiles.read_ratio + (1 - profiles.read_ratio) * object.access_count as object_value,
        object_value / subject_value between claims.low_ratio and claims.high_ratio as is_true,
        'count' as compared_unit,
        object_value / subject_value as derived_ratio,
        'raid_levels: read ' || round(profiles.read_ratio, 2) || ' + written '
        || round(1 - profiles.read_ratio, 2) || ' x ' || subject.access_count || ' and x '
        || object.access_count || ' accesses' as inputs,
        'RAID formula' as judged_by,
    from claims
    inner join profiles
        on
            claims.document_id = profiles.document_id
            and claims.profile_names = profiles.profile_name
    inner join penalties as subject on claims.subject = subject.raid_level
    inner join penalties as object on claims.object = object.raid_level
    where claims.is_theory and claims.compares = 'raid_level' and claims.metric = 'iops'
),

formulas as (
    select * from write_penalties
    union all by name
    select * from level_ratios
)

select
    claim_id,
    if(is_true, 'confirmed', 'contradicted') as verdict,
    cast(null as varchar) as missing,
    subject_value,
    object_value,
    compared_unit,
    derived_ratio,
    1 as pair_count,
    inputs,
    judged_by,
from formulas
