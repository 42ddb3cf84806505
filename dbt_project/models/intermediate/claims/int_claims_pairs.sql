-- The pairs of values that a claim compares, with a verdict from the interval of their ratio. A
-- pair counts if all traits known of both values are equal, except the compared trait and those
-- that follow from it. If the claim names no RAID level, an unknown level differs from a known one.
-- Values of other documents or own runs must agree in every other trait, known or not, and in their
-- condition; a difference of less than 10 % between them decides nothing.
{%- set unknown = {
    'raid_level': "if(claims.raid_level is null and objects.kind = subjects.kind, '', null)"
} %}
with sides as (
    select
        *,
        concat_ws(
            ';', document_id,
            if(is_elsewhere, coalesce(condition, ''), null),
            if(is_elsewhere, array_to_string(list_transform(
                map_keys(traits),
                lambda trait: if(list_contains(free_traits, trait), '', coalesce(traits[trait], ''))
            ), ';'), null)
        ) as kept_with,
    from {{ ref('int_claims_sides') }}
),

subjects as (
    select
        *,
        unnest([kept_with, 'any', 'as printed']) as held_against,
    from sides
    where is_subject
),

-- limits apply to values of any source; the object of some claims is their own printed number
objects as (
    select * replace (if(is_limit, 'any', kept_with) as kept_with)
    from sides
    where is_object
    union all by name
    select
        claim_id,
        'as printed' as kept_with,
    from {{ ref('int_claims') }}
    where object_kind = 'claim'
)

select
    subjects.claim_id,
    subjects.point_id,
    objects.point_id as object_point_id,
    subjects.measurement_id,
    objects.measurement_id as object_measurement_id,
    subjects.source || '; ' || coalesce(objects.source, 'as printed') as inputs,
    subjects.compared_unit,
    subjects.method,
    subjects.low_value,
    subjects.high_value,
    if(claims.relation = 'value', claims.factor, 1) as claimed_value,
    coalesce(objects.low_value, claimed_value) as object_low_value,
    coalesce(objects.high_value, claimed_value) as object_high_value,
    list_concat(subjects.names_met, objects.names_met) as names_met,
    subjects.is_elsewhere,
    coalesce(subjects.is_of_page and objects.is_of_page, false) as is_all_of_page,
    subjects.is_derived or objects.is_derived as is_of_estimate,
    coalesce(subjects.locator = objects.locator, false) as is_one_value,
    if(objects.kind = subjects.kind, list_concat(subjects.free_traits, objects.free_traits), [])
        as entailed_traits,
    list_filter([
        {%- for trait in [
            'server', 'controller', 'base', 'raid_level', 'drive', 'drive_count', 'profile',
            'block_size', 'random', 'read_share', 'outstanding_io_count', 'stripe', 'workers',
            'cpu', 'formatting', 'drive_cache'
        ] %}
            if(
                coalesce(subjects.traits['{{ trait }}'], {{ unknown[trait] or 'null' }})
                != coalesce(objects.traits['{{ trait }}'], {{ unknown[trait] or 'null' }})
                and list_contains(entailed_traits, '{{ trait }}') is not true, '{{ trait }}', null
            ),
        {%- endfor %}
    ], lambda trait: trait is not null) as differing_traits,
    if(claims.relation = 'scales_linearly', subjects.step / objects.step, 1) as steps_ratio,
    if(subjects.is_elsewhere, 1.1, 1) as noise,
    -- a miss of less than 10 % does not contradict "about"
    if(claims.qualifier = 'approximate', 1.1, noise) as edge,
    subjects.low_value / object_high_value / steps_ratio as least_ratio,
    coalesce(subjects.high_value / nullif(object_low_value, 0), cast('infinity' as double))
    / steps_ratio as greatest_ratio,
    claims.relation in ('higher', 'lower', 'increases') as is_order,
    -- equal on both sides: a range, a value printed once, an approximate value, or a factor
    [subjects.low_value, subjects.high_value] = [object_low_value, object_high_value] and (
        subjects.high_value > subjects.low_value
        and subjects.high_value < cast('infinity' as double)
        or is_one_value
        or list_contains([subjects.value_qualifier, objects.value_qualifier], 'approximate')
        or subjects.compared_unit = 'ratio'
    ) as is_same_print,
    case
        when is_of_estimate or len(differing_traits) > 0 or is_one_value and not is_order
            then 'not comparable'
        when is_order and is_same_print then 'equal'
        when claims.relation = 'similar' and is_same_print then 'confirmed'
        -- a drive in an array does at most what it does alone, so the formula gives a lower bound;
        -- the limit of a twin confirms nothing
        when
            claims.metric = 'drives_to_saturate'
            and (
                greatest_ratio < claims.low_ratio
                or subjects.value_qualifier = 'approximate' and least_ratio <= claims.high_ratio
            )
            then 'left open'
        when greatest_ratio * edge < claims.low_ratio or least_ratio / edge > claims.high_ratio
            then 'contradicted'
        when least_ratio / noise >= claims.low_ratio and greatest_ratio * noise <= claims.high_ratio
            then 'confirmed'
        else 'left open'
    end as pair_verdict,
    least(
        least_ratio / nullif(claims.low_ratio, 0), claims.high_ratio / nullif(greatest_ratio, 0)
    ) as margin_ratio,
from subjects
inner join objects
    on subjects.claim_id = objects.claim_id and subjects.held_against = objects.kept_with
inner join {{ ref('int_claims') }} as claims on subjects.claim_id = claims.claim_id
where
    subjects.point_id is distinct from objects.point_id
    and case
        when claims.from_step is null then true
        -- a plateau: its step is compared with later steps
        when claims.relation like 'limit%' then coalesce(subjects.step < objects.step, true)
        when coalesce(claims.first_step < claims.last_step, claims.to_step = 'more')
            then subjects.step > objects.step
        else subjects.step < objects.step
    end
