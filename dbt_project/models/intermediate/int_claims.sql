-- A claim that several editions make is one: what its leading edition says, with every locator. Its
-- cells are tags that points must have (of each list in `wanted` one), and the interval in which
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
        case compares
            when 'drive_count' then ' drives'
            when 'outstanding_io_count' then ' outstanding'
            else ''
        end as counted,
        load as claimed_load,
        list_transform(regexp_extract_all(load, '\d+'), lambda word: cast(word as int)) as loads,
        cast('infinity' as double) as no_end,
        if(load like '% per drive', ' per drive', ' outstanding') as load_unit,
    from {{ ref('stg_white_papers__claims') }}
    window claim as (partition by document_id, claim_id)
    qualify edition_order = min(edition_order) over claim
)

select
    * exclude (added_ratio, tolerance, counted, loads, load_unit, no_end),
    case
        when statistic = 'gain' then 'gain'
        when statistic = 'theoretical' or metric in ('write_penalty', 'drives_to_saturate')
            then 'derived'
        else 'stated'
    end as subject_kind,
    case
        when subject_kind = 'gain' and compares = 'controller' or relation = 'value'
            then 'claim'
        when limit_of = 'drives' or limit_of = 'controller' and relation = 'limit_reached'
            then 'limit of the drives'
        when limit_of = 'links' then 'limit of the links'
        else subject_kind
    end as object_kind,
    -- a curve is compared at each two of its steps
    case
        when object_kind = 'claim' and subject_kind = 'gain' then [subject || ' over ' || object]
        when from_step is null then {{ claim_tags('subject', 'counted') }}
    end as subject_tags,
    case
        when limit_of = 'controller' and relation = 'limit_not_reached'
            then ['limit of the controller']
        when from_step is null and object_kind = subject_kind
            then {{ claim_tags('object', 'counted') }}
    end as object_tags,
    case
        when statistic = 'gain' and compares = 'controller' then [subject || ' over ' || object]
        when statistic = 'gain' then [replace(controller, '; ', ' over ')]
        else {{ claim_tags('controller') }}
    end as wanted_controllers,
    {{ claim_tags('raid_level') }} as wanted_raid_levels,
    {{ claim_tags('drive') }} as wanted_drives,
    {{ claim_tags('drive_count', "' drives'") }} as wanted_drive_counts,
    {{ claim_tags('profile') }} as wanted_profiles,
    list_concat(
        list_transform(string_split(requires, '; '), lambda word: [word]),
        if(len(loads) > 0, [list_transform(
            range(loads[1], loads[-1] + 1), lambda number: number || load_unit
        )], null)
    ) as wanted_conditions,
    case
        when relation in ('higher', 'increases') then [1 + 1e-9, no_end]
        when relation = 'lower' then [0, 1 - 1e-9]
        when relation in ('similar', 'scales_linearly')
            then [{{ similar_ratio() }}, 1 / {{ similar_ratio() }}]
        when relation = 'unaffected' then [{{ unaffected_ratio() }}, 1 / {{ unaffected_ratio() }}]
        when relation = 'limit_nearly_reached' or relation = 'limit_reached' and limit_of = 'drives'
            then [{{ similar_ratio() }}, no_end]
        when relation = 'limit_reached' and limit_of is null
            then [{{ unaffected_ratio() }}, no_end]
        when relation in ('limit_reached', 'limit_not_reached') then [0, {{ similar_ratio() }}]
        when relation = 'value' then [1, 1]
        when qualifier = 'at_most' then [0, claimed_value + added_ratio]
        when qualifier = 'at_least' and as_printed like '%little more%'
            then [claimed_value + added_ratio, 1.25 * (claimed_value + added_ratio)]
        when qualifier = 'at_least' then [claimed_value + added_ratio, no_end]
        when qualifier = 'range'
            then [min_claimed_value + added_ratio, max_claimed_value + added_ratio]
        else [claimed_value + added_ratio - tolerance, claimed_value + added_ratio + tolerance]
    end as ratio_bounds,
    ratio_bounds[1] as low_ratio,
    ratio_bounds[2] as high_ratio,
from folded
