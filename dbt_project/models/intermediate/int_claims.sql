-- A claim that several editions make is one: what its leading edition says, with every locator. Its
-- cells are tags that points must have (of each list in `wanted` one), and the bounds between which
-- the ratio of subject and object lies if it is true.
with folded as (
    select
        * exclude (claim_id, locator, load, note, factor, min_factor, max_factor),
        document_id || '-' || claim_id as claim_id,
        string_agg(edition || ': ' || locator, ' | ' order by edition_order) over claim as locator,
        string_agg(edition || ': ' || note, ' | ' order by edition_order) over claim as note,
        factor as claimed_value,
        min_factor as min_claimed_value,
        max_factor as max_claimed_value,
        if(relation = 'percent_higher', 1, 0) as added_ratio,
        {{ claim_tolerance('factor', 'as_printed', 'qualifier') }} as tolerance,
        load as claimed_load,
        list_transform(regexp_extract_all(load, '\d+'), lambda word: cast(word as int)) as loads,
        if(load like '% per drive', ' per drive', ' outstanding') as load_unit,
    from {{ ref('stg_white_papers__claims') }}
    window claim as (partition by document_id, claim_id)
    qualify edition_order = min(edition_order) over claim
)

select
    folded.* exclude (added_ratio, tolerance, loads, load_unit),
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
        when limit_of = 'controller' and relation = 'limit_not_reached'
            then ['limit of the controller']
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
            range(loads[1], loads[-1] + 1), lambda number: number || load_unit
        )], null)
    ) as wanted_conditions,
    coalesce(bounds.low_ratio, case qualifier
        when 'at_most' then 0
        when 'at_least' then claimed_value + added_ratio
        else coalesce(min_claimed_value, claimed_value - tolerance) + added_ratio
    end) as low_ratio,
    coalesce(bounds.high_ratio, case
        when qualifier = 'at_most' then claimed_value + added_ratio
        when as_printed like '%little more%' then 1.25 * (claimed_value + added_ratio)
        when qualifier != 'at_least'
            then coalesce(max_claimed_value, claimed_value + tolerance) + added_ratio
    end, cast('infinity' as double)) as high_ratio,
from folded
left join {{ ref('claim_relations') }} as bounds
    on
        folded.relation = bounds.claim_relation
        and folded.limit_of is not distinct from bounds.claim_limit_of
