with claims as (
    select
        claims.*,
        case metric
            when 'iops' then 'IOPS'
            when 'latency_mean' then 'mean latency'
            when 'latency_min' then 'minimum latency'
            when 'latency_max' then 'maximum latency'
            else replace(metric, '_', ' ')
        end as metric_name,
        -- the claim compares two gains, not two values
        if(
            statistic = 'gain' and len(controllers) = 2,
            'gain of ' || array_to_string(controllers, ' over ') || ' in ' || metric_name,
            metric_name
        ) as quantity,
        coalesce({{ mark('qualifier') }} || {{ short('factor') }} || ' x', as_printed, 'a multiple')
            as factor_label,
        concat_ws(' and ', subject, object) as compared,
        concat_ws(
            ', ', controller, raid_level, {{ counted('drive_count', 'drive') }}, drive, profile,
            condition
        ) as fixed,
        {{ claim_side('subjects') }} || ': ' || {{ filled('relations.says', {
            'quantity': 'quantity', 'printed': 'as_printed', 'factor': 'factor_label'
        }) }} || coalesce(' ' || relations.joins || ' ' || {{ claim_side('objects') }}, '')
        || coalesce(' (' || nullif(concat_ws(
            ', ', profile, nullif(access, profile), {{ percent('read_ratio') }} || ' read',
            controller, server, raid_level, {{ counted('drive_count', 'drive') }}, drive,
            nullif(drive_media || 's', drive), condition
        ), '') || ')', '') as claim_label,
    from {{ ref('int_claims') }} as claims
    left join {{ ref('claim_relations') }} as relations
        on
            claims.relation = relations.claim_relation
            and claims.limit_of is not distinct from relations.claim_limit_of
),

-- values that are not comparable are not shown
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
    where pair_verdict != 'not comparable'
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
    coalesce(claims.drive, claims.drive_media || 's') as drives,
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
    {{ filled('reasons.says', {
        'quantity': 'claims.quantity',
        'compared': 'claims.compared',
        'found': 'shown.subject_label',
        'trait': 'verdicts.differing_trait',
        'unmet': "coalesce(nullif(verdicts.unmet, ''), claims.compared)",
        'fixed': "', at ' || nullif(claims.fixed, '')",
    }) }} as missing,
    shown.subject_value,
    shown.object_value,
    shown.compared_unit,
    shown.subject_value / shown.object_value as derived_ratio,
    shown.pair_count,
    shown.measurement_id as subject_measurement_id,
    shown.object_measurement_id,
    shown.inputs,
    shown.judged_by,
    rules.says || coalesce(', ' || shown.method, '') || case claims.scope
        when 'example' then ', the paper''s example'
        when 'most' then ', ' || shown.holding_count || ' of ' || shown.pair_count || ' pairs'
        else ''
    end as judged_label,
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
    coalesce('Printed: ' || claims.as_printed || '. ', '') || 'Found: ' || data_label
        as verdict_label,
    documents.document_title,
    documents.document_title || ', ' || coalesce(
        'p. ' || pages, 'no page given: ' || claims.locator, 'no page given'
    ) as source_label,
    documents.url as document_url,
    claims.note,
    claims.reading_note,
from claims
inner join {{ ref('int_claims_verdicts') }} as verdicts using (claim_id)
left join {{ ref('claim_texts') }} as reasons on verdicts.reason = reasons.key
left join {{ ref('dim_documents') }} as documents using (document_id)
left join shown using (claim_id)
left join {{ ref('claim_texts') }} as rules on shown.judged_by = rules.key
