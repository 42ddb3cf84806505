with claims as (
    select
        *,
        {{ quantity_words('metric') }} as metric_words,
        -- two gains compared, not two values
        if(
            statistic = 'gain' and compares != 'controller',
            'gain of ' || replace(controller, '; ', ' over ') || ' in ' || metric_words,
            metric_words
        ) as quantity,
        concat_ws(' and ', subject, object) as compared,
        {{ claim_side('subject') }} || ': ' || {{ claim_predicate() }} || coalesce(' (' || nullif(
            concat_ws(
                ', ', profile, controller, raid_level, {{ counted('drive_count', 'drive') }}, drive,
                if(condition in (profile, drive), null, condition)
            ), ''
        ) || ')', '') as claim_label,
        concat_ws(
            ', ', controller, raid_level, drive_count || ' drives', drive, profile, condition
        ) as fixed,
    from {{ ref('int_claims') }}
),

-- values that are not alike are not shown
shown as (
    select
        *,
        cast({{ middle('low_value', 'high_value') }} as double) as subject_value,
        cast({{ middle('object_low_value', 'object_high_value') }} as double) as object_value,
        {{ interval_label('low_value', 'high_value') }} as subject_label,
        {{ interval_label('object_low_value', 'object_high_value') }} as object_label,
        low_value = high_value and object_low_value = object_high_value
        and compared_unit != 'ratio' as has_factor,
    from {{ ref('int_claims_verdicts') }}
    where pair_verdict != 'not alike'
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
    verdicts.verdict,
    verdicts.reason,
    {{ missing_words() }} as missing,
    shown.subject_value,
    shown.object_value,
    shown.compared_unit,
    shown.subject_value / shown.object_value as derived_ratio,
    shown.pair_count,
    shown.measurement_id as subject_measurement_id,
    shown.object_measurement_id,
    shown.inputs,
    shown.judged_by,
    {{ judged_words('shown.judged_by') }} as judged_label,
    claims.claim_label,
    case
        when claims.metric = 'drives_to_saturate' then 'at least ' || shown.subject_label
        when claims.relation = 'value' then shown.subject_label
        when shown.judged_by = 'limit of the drives' and claims.limit_of = 'controller'
            then shown.subject_label || ' of ' || shown.object_label || ' that the drives allow'
        else
            if(shown.has_factor, {{ short('derived_ratio') }} || ' x: ', '')
            || shown.subject_label || ' against ' || shown.object_label
    end as data_label,
    'Printed: ' || coalesce(claims.as_printed, 'no number') || '. Found: ' || data_label
        as verdict_label,
    documents.document_title,
    documents.document_title || ', ' || {{ place_of_claim() }} as source_label,
    documents.url as document_url,
    claims.note,
    claims.reading_note,
from claims
inner join {{ ref('int_claims_verdicts') }} as verdicts using (claim_id)
left join {{ ref('dim_documents') }} as documents using (document_id)
left join shown using (claim_id)
