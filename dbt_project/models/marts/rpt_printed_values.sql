-- Printed values, to be found by their digits: measured values, stated facts and limits, and
-- claims. `search_text` has each word after a space, numbers also without thousands separators. A
-- value printed in prefixed bytes (MB/s) shows the prefix as a factor, if the printed number times
-- the factor gives the value.
with printed as (
    select
        points.*,
        'measured' as printed_kind,
        array_label || ': ' || profile_label as printed_of,
        case
            when coalesce(facts.converted_column != 'iops', true) and points.iops > 0 then 'iops'
            when points.bytes_per_second > 0 then 'bytes_per_second'
            else 'us'
        end as unit,
        case unit
            when 'iops' then points.iops
            when 'bytes_per_second' then points.bytes_per_second
            else points.latency_mean_us
        end as quantity,
    from {{ ref('rpt_measurements') }} as points
    left join {{ ref('fct_measurements') }} as facts using (measurement_id)
    where points.document_id is not null
    union all by name
    select
        *,
        if(attribute like '%limit', 'limit', 'fact') as printed_kind,
        concat_ws(': ', subject, replace(attribute, '_', ' '), condition) as printed_of,
        value_unit as unit,
        value as quantity,
    from {{ ref('fct_document_facts') }}
    where attribute != 'definition'
    union all by name
    select
        *,
        'claim' as printed_kind,
        claim_label as printed_of,
        'count' as unit,
        claimed_value as quantity,
        subject_measurement_id as measurement_id,
    from {{ ref('fct_claims') }}
),

converted as (
    select
        *,
        regexp_extract(as_printed, '(\d[\d,.]*) ?[kKMGT]i?B', 1) as number_text,
        quantity / nullif(try_cast(replace(number_text, ',', '') as double), 0) as factor,
        number_text || ' x ' || {{ power_label('factor') }}
        || if(unit = 'bytes', ' B = ', ' B/s = ') as conversion,
    from printed
)

select
    printed.document_id,
    documents.document_title,
    printed.page,
    printed.pages,
    printed.locator,
    printed.as_printed,
    {{ mark('printed.value_qualifier') }} || if(unit like 'bytes%', coalesce(conversion, ''), '')
    || case
        when unit in ('iops', 'bytes_per_second', 'us')
            then {{ quantity_label('printed.quantity', 'unit') }}
        when unit = 'count' then {{ short('printed.quantity') }}
        when printed.quantity >= 1e6
            then format('{:,}', try_cast(printed.quantity as bigint)) || ' ' || unit
        else {{ short('printed.quantity') }} || ' ' || unit
    end as value_label,
    printed.printed_kind,
    printed.printed_of,
    printed.measurement_id,
    lower(
        regexp_replace(
            concat_ws(
                ' ', '', printed.as_printed,
                regexp_replace(printed.as_printed, '(\d)[, ](\d{3})\b', '\1\2', 'g')
            ), '[^0-9A-Za-z.%]+', ' ', 'g'
        )
    ) as search_text,
from converted as printed
left join {{ ref('dim_documents') }} as documents using (document_id)
where printed.as_printed is not null
