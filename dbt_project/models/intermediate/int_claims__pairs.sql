-- Every two measured points that a claim compares: alike in all that both are known to be but
-- what is compared, and not one printed value said of both. The verdict of a pair is that of its
-- interval.
with points as (
    select * from {{ ref('int_claims__sides') }}
    where
        not is_derived
        and not is_theory
        and not is_general
        and unread is null
        and (relation not in ('limit_reached', 'limit_not_reached') or knee is not null)
    qualify
        case
            when is_of_low_load then load = min(load) over (partition by claim_id)
            when is_of_high_load then load = max(load) over (partition by claim_id)
            when is_of_maxima
                then value = max(value) over (partition by claim_id, side, drive_count)
            else true
        end
),

paired as (
    select
        subjects.claim_id,
        subjects.* exclude (claim_id, side, tags, traits),
        subjects.tags as subject_point_tags,
        objects.tags as object_point_tags,
        objects.measurement_id as object_measurement_id,
        objects.source as object_source,
        objects.value as object_value,
        objects.point_qualifier as object_qualifier,
        objects.low_value as object_low_value,
        objects.high_value as object_high_value,
        coalesce(subjects.printed_in = objects.printed_in, false) as is_one_printed_value,
        len(
            list_filter(
                map_keys(subjects.traits),
                lambda trait: subjects.traits[trait] != objects.traits[trait]
                and not list_contains({{ entailed_traits('subjects.compares') }}, trait)
                and not (subjects.is_of_maxima and trait in ('profile', 'block', 'random', 'load'))
                and not (
                    trait in ('drive_count', 'raid_level', 'controller')
                    and (subjects.is_counterpart or objects.is_counterpart)
                )
            )
        ) = 0
        -- a processor is named where it is not the document's usual one
        and (
            subjects.compares = 'cpu'
            or coalesce(subjects.traits['cpu'], '') = coalesce(objects.traits['cpu'], '')
        ) as is_alike,
        if(subjects.relation = 'scales_linearly', subjects.step / objects.step, 1) as steps_ratio,
    from points as subjects
    inner join points as objects
        on
            subjects.claim_id = objects.claim_id
            and subjects.side = 'subject'
            and objects.side = 'object'
            and subjects.point_document_id is not distinct from objects.point_document_id
            and subjects.point_id != objects.point_id
            and (subjects.steps is null or subjects.step > objects.step)
),

ratios as (
    select
        *,
        case when object_high_value = 'infinity' then 0 else low_value / object_high_value end
        / steps_ratio as least_ratio,
        case
            when object_low_value = 0 or high_value = 'infinity' then cast('infinity' as double)
            else high_value / object_low_value
        end / steps_ratio as greatest_ratio,
    from paired
)

select
    *,
    case
        when
            relation in ('higher', 'lower', 'increases') and least_ratio = 1 and greatest_ratio = 1
            and 'approximate' in (point_qualifier, object_qualifier)
            then 'left open'
        when greatest_ratio < low_ratio or least_ratio > high_ratio then 'contradicted'
        when least_ratio >= low_ratio and greatest_ratio <= high_ratio then 'confirmed'
        else 'left open'
    end as pair_verdict,
    least(least_ratio / nullif(low_ratio, 0), high_ratio / nullif(greatest_ratio, 0))
        as margin_ratio,
    -- of an interval the end that is nearer to the contrary
    coalesce(value, if(relation = 'lower', high_value, low_value)) as shown_subject_value,
    coalesce(object_value, if(relation = 'lower', object_low_value, object_high_value))
        as shown_object_value,
from ratios
