-- What each document holds, and which facts of its controllers and drives are still missing: facts
-- that limits are derived from and that another document may print.
with printed as (
    select
        document_id,
        count(*) as value_count,
        count(*) filter (drive_count > 1) as array_value_count,
        count(*) filter (limit_of is not null) as limit_count,
    from {{ ref('stg_white_papers__measurements') }}
    where edition_order = 1
    group by document_id
),

facts as (
    select
        document_id,
        count(*) as fact_count,
    from {{ ref('stg_white_papers__facts') }}
    where edition_order = 1
    group by document_id
),

claims as (
    select
        document_id,
        count(*) as claim_count,
        count(*) filter (verdict != 'insufficient data') as judged_claim_count,
    from {{ ref('fct_claims') }}
    group by document_id
),

forecasts as (
    select
        document_id,
        count(*) as forecast_count,
        median(predicted_ratio) as median_predicted_ratio,
    from {{ ref('rpt_forecasts') }}
    group by document_id
),

parts as (
    select
        document_id,
        {{ slug(each_of('subjects')) }} as name_id,
        subject_type as kind,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type in ('controller', 'drive')
    union
    select
        document_id,
        unnest([controller_id, drive_id]) as name_id,
        unnest(['controller', 'drive']) as kind,
    from {{ ref('fct_measurements') }}
),

gaps as (
    select
        'controller' as kind,
        controller_id as name_id,
        controller as name,
        list_filter([
            if(host_lane_count is null, 'host link', null),
            if(disk_port_interface is null or disk_port_count is null, 'ports', null),
            if(raid_levels is null, 'RAID levels', null)
        ], lambda gap: gap is not null) as gaps,
    from {{ ref('int_controllers') }}
    union all
    select
        'drive' as kind,
        drive_id as name_id,
        drive as name,
        list_filter([
            if(drive_media is null, 'medium', null),
            if(
                regexp_matches(drive_interface, '^(SAS|SATA) [\d.]+G$|^PCIe [\d.]+ x\d+$'),
                null, 'interface'
            )
        ], lambda gap: gap is not null) as gaps,
    from {{ ref('int_drives') }}
),

missing as (
    select
        parts.document_id,
        string_agg(
            gaps.name || ': ' || array_to_string(gaps.gaps, ', '), '; ' order by gaps.name
        ) as missing_facts,
    from parts
    inner join gaps using (kind, name_id)
    where len(gaps.gaps) > 0
    group by parts.document_id
)

select
    documents.document_id,
    documents.document_title,
    documents.publisher,
    coalesce(documents.published_as_printed, cast(documents.published_date as varchar))
        as published,
    case
        when printed.array_value_count > 0 then 'arrays'
        when printed.value_count > 0 then 'drives'
        else 'facts'
    end as document_kind,
    documents.page_count,
    coalesce(printed.value_count, 0) as value_count,
    coalesce(printed.limit_count, 0) as limit_count,
    coalesce(facts.fact_count, 0) as fact_count,
    coalesce(claims.claim_count, 0) as claim_count,
    coalesce(claims.judged_claim_count, 0) as judged_claim_count,
    coalesce(forecasts.forecast_count, 0) as forecast_count,
    forecasts.median_predicted_ratio,
    missing.missing_facts,
    documents.rights,
    documents.text_source,
    documents.url as document_url,
from {{ ref('dim_documents') }} as documents
left join printed using (document_id)
left join facts using (document_id)
left join claims using (document_id)
left join forecasts using (document_id)
left join missing using (document_id)
