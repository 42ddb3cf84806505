-- A claim that several editions make is one: what its leading edition says, with every locator. Its
-- cells become tags, of which a point must have one for each entry of `wanted`; its words become
-- the bounds between which the ratio of subject and object lies if it is true. A printed factor may
-- be off by a step of its last digit, for some are rounded and some cut off, and not by more than
-- 5 %; "about" doubles the step, and allows 25 %.
with folded as (
    select
        * replace (
            document_id || '-' || claim_id as claim_id,
            {{ of_editions('locator', 'edition_order', 'claim') }} as locator,
            {{ of_editions('note', 'edition_order', 'claim') }} as note
        ),
        statistic = 'gain' and compares = 'controller' as is_gain,
        if(statistic = 'gain', replace(controller, '; ', ' over '), controller) as controllers,
        list_transform(regexp_extract_all(load, '\d+'), lambda word: cast(word as int)) as loads,
        power(10, -length(regexp_extract(as_printed, '\d[.](\d+)', 1)))
        * if(contains(as_printed, '%'), 0.01, 1) as last_digit,
        case
            when qualifier in ('at_least', 'at_most') then 0
            when qualifier = 'approximate' then least(2 * last_digit, 0.25 * factor)
            else least(last_digit, 0.05 * factor)
        end as tolerance,
    from {{ ref('stg_white_papers__claims') }}
    window claim as (partition by document_id, claim_id)
    qualify edition_order = min(edition_order) over claim
)

select
    folded.* exclude (is_gain, controllers, loads, last_digit, tolerance),
    case
        when statistic = 'gain' then 'gain'
        when statistic = 'theoretical' or metric in ('write_penalty', 'drives_to_saturate')
            then 'derived'
        else 'stated'
    end as subject_kind,
    if(is_gain, 'claim', coalesce(relations.object_kind, subject_kind)) as object_kind,
    -- a curve is compared at each two of its steps
    case
        when is_gain then [subject || ' over ' || object]
        when from_step is null then {{ claim_tags('subject', 'compares') }}
    end as subject_tags,
    case
        when from_step is not null or object_kind != subject_kind then null
        when limit_of = 'controller' then ['limit of the controller']
        else {{ claim_tags('object', 'compares') }}
    end as object_tags,
    list_concat(
        [
            struct_pack(dimension := 'controller', tags := {{ claim_tags('controllers') }}),
            struct_pack(dimension := 'raid_level', tags := {{ claim_tags('raid_level') }}),
            struct_pack(dimension := 'drive', tags := {{ claim_tags('drive') }}),
            struct_pack(
                dimension := 'drive_count', tags := {{ claim_tags('drive_count', "'drive_count'") }}
            ),
            struct_pack(dimension := 'profile', tags := {{ claim_tags('profile') }}),
            struct_pack(dimension := 'load', tags := list_transform(
                range(loads[1], loads[-1] + 1),
                lambda number: number || if(load like '% per drive', ' per drive', ' outstanding')
            ))
        ],
        list_transform(
            string_split(requires, '; '),
            lambda word: struct_pack(dimension := 'condition', tags := [word])
        )
    ) as wanted,
    try_cast(from_step as double) as first_step,
    try_cast(to_step as double) as last_step,
    coalesce(relations.added_to_factor, 0) as added_ratio,
    coalesce(
        relations.low_ratio,
        if(qualifier = 'at_most', 0, coalesce(min_factor, factor - tolerance) + added_ratio)
    ) as low_ratio,
    coalesce(
        relations.high_ratio,
        if(qualifier = 'at_least', null, coalesce(max_factor, factor + tolerance) + added_ratio),
        cast('infinity' as double)
    ) as high_ratio,
from folded
left join {{ ref('claim_relations') }} as relations
    on
        folded.relation = relations.claim_relation
        and folded.limit_of is not distinct from relations.claim_limit_of
