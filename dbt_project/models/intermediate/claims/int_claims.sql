-- A claim that several editions make is one: what its leading edition says, with every locator. Its
-- cells are tags that points must have (of each list in `wanted` one), and the bounds between which
-- the ratio of subject and object lies if it is true.
with folded as (
    select
        * replace (
            document_id || '-' || claim_id as claim_id,
            string_agg(edition || ': ' || locator, ' | ' order by edition_order) over claim
                as locator,
            string_agg(edition || ': ' || note, ' | ' order by edition_order) over claim as note
        ),
        if(relation = 'percent_higher', 1, 0) as added_ratio,
        {{ claim_tolerance('factor', 'as_printed', 'qualifier') }} as tolerance,
        list_transform(regexp_extract_all(load, '\d+'), lambda word: cast(word as int)) as loads,
    from {{ ref('stg_white_papers__claims') }}
    window claim as (partition by document_id, claim_id)
    qualify edition_order = min(edition_order) over claim
)

select
    folded.* exclude (added_ratio, tolerance, loads),
    case
        when statistic = 'gain' then 'gain'
        when statistic = 'theoretical' or metric in ('write_penalty', 'drives_to_saturate')
            then 'derived'
        else 'stated'
    end as subject_kind,
    case
        when subject_kind = 'gain' and compares = 'controller' or relation = 'value' then 'claim'
        when limit_of = 'controller' and relation = 'limit_not_reached' then subject_kind
        else coalesce('limit of the ' || replace(limit_of, 'controller', 'drives'), subject_kind)
    end as object_kind,
    -- a curve is compared at each two of its steps
    case
        when object_kind = 'claim' and subject_kind = 'gain' then [subject || ' over ' || object]
        when from_step is null then {{ claim_tags('subject', 'compares') }}
    end as subject_tags,
    case
        when limit_of = 'controller' and object_kind = 'stated' then ['limit of the controller']
        when from_step is null and object_kind = subject_kind
            then {{ claim_tags('object', 'compares') }}
    end as object_tags,
    case
        when statistic = 'gain' and compares = 'controller' then [subject || ' over ' || object]
        when statistic = 'gain' then [replace(controller, '; ', ' over ')]
        else {{ claim_tags('controller') }}
    end as wanted_controllers,
    {{ claim_tags('raid_level') }} as wanted_raid_levels,
    {{ claim_tags('drive') }} as wanted_drives,
    {{ claim_tags('drive_count', "'drive_count'") }} as wanted_drive_counts,
    {{ claim_tags('profile') }} as wanted_profiles,
    list_concat(
        list_transform(string_split(requires, '; '), lambda word: [word]),
        if(len(loads) > 0, [list_transform(
            range(loads[1], loads[-1] + 1),
            lambda number: number || if(load like '% per drive', ' per drive', ' outstanding')
        )], null)
    ) as wanted_conditions,
    coalesce(
        bounds.low_ratio,
        if(qualifier = 'at_most', 0, coalesce(min_factor, factor - tolerance) + added_ratio)
    ) as low_ratio,
    coalesce(
        bounds.high_ratio,
        if(qualifier = 'at_least', null, coalesce(max_factor, factor + tolerance) + added_ratio),
        cast('infinity' as double)
    ) as high_ratio,
from folded
left join {{ ref('claim_relations') }} as bounds
    on
        folded.relation = bounds.claim_relation
        and folded.limit_of is not distinct from bounds.claim_limit_of
