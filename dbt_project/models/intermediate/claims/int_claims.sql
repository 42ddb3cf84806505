-- One row per claim: the text of the leading edition, with the locators and notes of all editions.
-- Its cells become the traits that a number must have; its words become the bounds between which
-- the ratio of subject to object lies if the claim is true. A printed factor may be off by one step
-- of its last digit, as some are rounded and some truncated, but by at most 5 %; "about" allows two
-- steps, at most 25 %.
with printed as (
    select
        claims.* exclude (
            file_id, quantity, number, low_number, high_number, unit, read_percent
        ),
        claims.read_percent / 100 as read_ratio,
        editions.edition_order,
        -- 0.67 for '67%' and 4.6 for '4.6 times'; counts stay as printed
        {{ printed_in_base_unit('factor', 'null') }},
    from {{ source('raw', 'white_paper_claims') }} as claims
    inner join {{ ref('stg_white_papers__editions') }} as editions
        using (file_id, document_id, edition)
),

editions as (
    select
        arg_min(printed, edition_order) as first_printed,
        {{ of_editions('locator', 'edition_order') }} as locator,
        {{ of_editions('note', 'edition_order') }} as note,
    from printed
    group by document_id, claim_id
),

claims as (
    select
        first_printed.* exclude (locator, note),
        locator,
        note,
    from editions
),

folded as (
    select
        * replace (document_id || '-' || claim_id as claim_id),
        string_split(controller, '; ') as controllers,
        string_split(subject, '; ') as subjects,
        string_split(object, '; ') as objects,
        statistic = 'gain' and compares = 'controller' as is_gain,
        list_transform(regexp_extract_all(load, '\d+'), lambda word: cast(word as int)) as loads,
        power(10, -length(regexp_extract(as_printed, '\d[.](\d+)', 1)))
        * if(contains(as_printed, '%'), 0.01, 1) as last_digit,
        case
            when qualifier in ('at_least', 'at_most') then 0
            when qualifier = 'approximate' then least(2 * last_digit, 0.25 * factor)
            else least(last_digit, 0.05 * factor)
        end as tolerance,
    from claims
)

select
    folded.* exclude (is_gain, last_digit, tolerance),
    case
        when statistic = 'gain' then 'gain'
        when statistic = 'theoretical' and limit_of = 'controller' then 'limit of the drives'
        when statistic = 'theoretical' or metric in ('write_penalty', 'drives_to_saturate')
            then 'derived'
        else 'stated'
    end as subject_kind,
    case
        when is_gain then 'claim'
        when subject_kind = 'limit of the drives' then 'stated'
        else coalesce(relations.object_kind, subject_kind)
    end as object_kind,
    map {
        -- a gain is the factor of the first controller over the second
        'controller': if(statistic = 'gain', [controllers[1]], controllers),
        'base': case
            when is_gain then objects
            when statistic = 'gain' then [controllers[2]]
        end,
        'server': string_split(server, '; '),
        'raid_level': string_split(raid_level, '; '),
        'drive': string_split(drive, '; '),
        'drive_media': [drive_media],
        'drive_count': string_split(drive_count, '; '),
        'profile': string_split(profile, '; '),
        'access': [access],
        'read_share': [{{ percent_label('read_ratio') }} || '%'],
        'outstanding_io_count': if(
            starts_with(load, 'maximum'), [load], list_transform(
                range(loads[1], loads[-1] + 1),
                lambda number: number || if(load like '% per drive', ' per drive', '')
            )
        )
    } as required_traits,
    -- names that the deciding pairs must cover
    case
        when scope is null and coalesce(statistic, '') not in ('maximum', 'gain')
            then list_filter(
                list_concat(
                    controllers, string_split(profile, '; '),
                    if(from_step is null, subjects, null),
                    if(from_step is null and object_kind = subject_kind, objects, null)
                ), lambda name: name not like 'other %' and name not like 'all %'
            )
        else []
    end as required_names,
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
