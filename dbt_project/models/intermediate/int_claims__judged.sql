-- Every claim with its verdict, or with what is missing for one.
with judged as (
    select * from {{ ref('int_claims__formulas') }}
    union all by name
    select * from {{ ref('int_claims__saturations') }}
    union all by name
    select * from {{ ref('int_claims__limits') }}
    union all by name
    select * from {{ ref('int_claims__compared') }}
)

select
    reasons.claim_id,
    coalesce(judged.verdict, 'not decidable') as verdict,
    case
        when judged.verdict in ('confirmed', 'contradicted') then null
        else coalesce(judged.missing, reasons.missing)
    end as missing,
    judged.subject_value,
    judged.object_value,
    judged.compared_unit,
    judged.derived_ratio,
    judged.pair_count,
    judged.subject_measurement_id,
    judged.object_measurement_id,
    judged.inputs,
    judged.judged_by,
from {{ ref('int_claims__reasons') }} as reasons
left join judged using (claim_id)
