-- Every two values that a claim compares, with the verdict of the interval that their ratio lies
-- in. A pair counts if both are alike in all that is known of both, but for what is compared and
-- what that entails. Of a claim without a RAID level it has to be known of both or of neither, and
-- of values from elsewhere than the claim's paper all has to be, and their conditions are the same;
-- those differ from a tenth on.
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

-- limits hold for values of any source; of some claims the object is what they print
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
    -- missing "about" by less than 10 % is no contradiction
    if(claims.qualifier = 'approximate', 1.1, noise) as edge,
    subjects.low_value / object_high_value / steps_ratio as least_ratio,
    coalesce(subjects.high_value / nullif(object_low_value, 0), cast('infinity' as double))
    / steps_ratio as greatest_ratio,
    claims.relation in ('higher', 'lower', 'increases') as is_order,
    -- one range printed of both, or one value that is exact of neither or printed once, or a factor
    [subjects.low_value, subjects.high_value] = [object_low_value, object_high_value] and (
        subjects.high_value > subjects.low_value
        and subjects.high_value < cast('infinity' as double)
        or is_one_value
        or list_contains([subjects.value_qualifier, objects.value_qualifier], 'approximate')
        or subjects.compared_unit = 'ratio'
    ) as is_same_print,
    case
        when is_of_estimate or len(differing_traits) > 0 or is_one_value and not is_order
            then 'not alike'
        when is_order and is_same_print then 'equal'
        when claims.relation = 'similar' and is_same_print then 'confirmed'
        -- in an array drives do at most what they do alone, so the formula gives a lower bound; a
        -- twin's limit confirms nothing
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
        -- a plateau: from this step on nothing more
        when claims.relation like 'limit%' then coalesce(subjects.step < objects.step, true)
        when coalesce(claims.first_step < claims.last_step, claims.to_step = 'more')
            then subjects.step > objects.step
        else subjects.step < objects.step
    end
