-- Findings, one sentence each: claims that the data contradicts, ratings that drives exceed,
-- inconsistencies, and runs that do not repeat (more than a tenth apart).
with findings as (
    select
        'claim contradicted' as topic,
        claim_label || '. ' || verdict_label || '.' as statement,
        derived_ratio as size_ratio,
        document_id,
        source_label,
        subject_measurement_id as measurement_id,
    from {{ ref('fct_claims') }}
    where verdict = 'contradicted'
    union all by name
    select
        'rating exceeded' as topic,
        drive || ', ' || load_label || ': ' || value_label || ', rated at ' || as_printed || '.'
            as statement,
        measured_ratio as size_ratio,
        rating_document_id as document_id,
        source_label,
        measurement_id,
    from {{ ref('rpt_ratings') }}
    where verdict = 'exceeded'
    union all by name
    select
        findings.finding_kind as topic,
        findings.subject || if(
            findings.finding_kind = 'above ceiling',
            ': ' || {{ quantity_label('findings.observed_value', 'findings.unit') }}
            || '; the ceiling is '
            || {{ quantity_label('findings.expected_value', 'findings.unit') }}
            || coalesce('. Likely: ' || findings.likely_reason, ''),
            ', ' || findings.likely_reason
        ) || '.' as statement,
        findings.excess_ratio as size_ratio,
        findings.document_id,
        coalesce(
            documents.document_title || ', p. ' || findings.page, points.source_label
        ) as source_label,
        findings.measurement_id,
    from {{ ref('fct_findings') }} as findings
    left join {{ ref('dim_documents') }} as documents using (document_id)
    left join {{ ref('rpt_measurements') }} as points using (measurement_id)
    -- papers print the same value more than once
    qualify
        row_number() over (
            partition by findings.document_id, findings.subject, findings.observed_value
            order by findings.measurement_id
        ) = 1
    union all by name
    select
        'runs apart' as topic,
        runs.array_label || ' at ' || profiles.profile_short_label || ', ' || runs.load_label
        || ': median ' || runs.value_label || ', ' || {{ percent('spread_ratio') }} || ' apart.'
            as statement,
        1 + spread_ratio as size_ratio,
        source_label,
        measurement_id,
    from {{ ref('rpt_repeated_runs') }} as runs
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    where spread_ratio > 0.1
    -- keeps the load at which the runs are furthest apart
    qualify
        row_number() over (
            partition by runs.array_id, runs.profile_id
            order by spread_ratio desc, measured_at desc nulls last, measurement_id asc
        ) = 1
),

ranked as (
    select
        *,
        row_number() over (
            partition by topic
            order by size_ratio desc nulls last, statement asc, measurement_id asc
        ) as rank_in_topic,
    from findings
)

-- the largest of each topic come first, then the second largest
select
    topic,
    statement,
    size_ratio,
    row_number() over (
        order by rank_in_topic asc, list_position([
            'runs apart', 'claim contradicted', 'rating exceeded', 'above ceiling',
            'differs from formula'
        ], topic) asc
    ) as finding_order,
    document_id,
    source_label,
    measurement_id,
from ranked
