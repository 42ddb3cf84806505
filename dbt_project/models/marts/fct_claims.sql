with claims as (
    select * from {{ ref('int_claims') }}
),

judged as (
    select * from {{ ref('int_claims_verdicts') }}
    where pair_verdict != 'not alike'
),

reasons as (
    select * from {{ ref('int_claims_reasons') }}
)

select
    claims.claim_id,
    claims.document_id,
    claims.page,
    {{ page_span('claims.page', 'claims.last_page') }} as pages,
    claims.locator,
    claims.compares,
    claims.subject,
    claims.object,
    claims.controller as controllers,
    claims.raid_level as raid_levels,
    claims.drive as drives,
    claims.drive_count as drive_counts,
    claims.profile as profile_names,
    claims.condition,
    claims.metric,
    claims.relation,
    claims.as_printed,
    claims.qualifier as value_qualifier,
    claims.factor as claimed_value,
    claims.min_factor as min_claimed_value,
    claims.max_factor as max_claimed_value,
    coalesce(judged.verdict, 'insufficient data') as verdict,
    reasons.reason,
    reasons.missing,
    cast({{ middle('judged.low_value', 'judged.high_value') }} as double) as subject_value,
    cast({{ middle('judged.object_low_value', 'judged.object_high_value') }} as double)
        as object_value,
    judged.compared_unit,
    subject_value / object_value as derived_ratio,
    judged.pair_count,
    judged.measurement_id as subject_measurement_id,
    judged.object_measurement_id,
    judged.inputs,
    judged.judged_by,
    concat_ws(
        ' ', claims.subject, replace(claims.relation, '_', ' '), claims.object
    ) || ': ' || concat_ws(
        ', ', replace(claims.metric, '_', ' '), claims.controller, claims.raid_level,
        {{ counted('claims.drive_count', 'drive') }},
        claims.drive,
        claims.profile,
        claims.condition
    ) as claim_label,
    {{ interval_label('judged.low_value', 'judged.high_value') }}
    || case
        when judged.judged_by = 'limit of the drives' and claims.limit_of = 'controller'
            then
                ' of '
                || {{ interval_label('judged.object_low_value', 'judged.object_high_value') }}
                || ' that the drives allow'
        else
            ' against '
            || {{ interval_label('judged.object_low_value', 'judged.object_high_value') }}
            || if(
                judged.low_value = judged.high_value
                and judged.object_low_value = judged.object_high_value,
                ': ' || {{ short('derived_ratio') }} || ' times', ''
            )
    end as data_label,
    claims.note,
    claims.reading_note,
from claims
left join judged using (claim_id)
left join reasons using (claim_id)
