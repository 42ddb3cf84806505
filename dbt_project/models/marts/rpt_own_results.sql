-- Our own results in short: one value for each array and load profile, the limit that binds it and
-- its source, whether the runs agree, and the value that papers print for the same controller and
-- RAID level: preferably of this array, then of the same drives, upper bounds last.
with own as (
    select *
    from {{ ref('int_array_values') }}
    where document_id is null
),

loads as (
    select
        array_id,
        profile_id,
        min(outstanding_io_count) as min_outstanding_io_count,
        max(outstanding_io_count) as max_outstanding_io_count,
    from {{ ref('rpt_measurements') }}
    where
        is_valid
        and not is_derived
        and document_id is null
        and headline_value > 0
        and is_superseded is not true
    group by array_id, profile_id
),

published as (
    select distinct on (own.array_id, own.profile_id) points.* replace (own.array_id as array_id),
    from own
    inner join {{ ref('int_array_values') }} as points using (profile_id, controller, raid_level)
    where points.document_id is not null
    order by
        own.array_id = points.array_id desc,
        coalesce(own.drive = points.drive, false) desc,
        points.value_qualifier = 'at_most' asc,
        points.headline_value desc, points.measurement_id asc
)

select
    own.array_id,
    own.array_label,
    own.controller,
    own.raid_level,
    own.profile_id,
    own.profile_label,
    own.headline_metric,
    own.headline_value,
    {{ rounded_label('own.headline_value', 'own.headline_metric') }} as value_label,
    own.outstanding_io_count,
    loads.min_outstanding_io_count,
    loads.max_outstanding_io_count,
    own.run_count,
    own.min_headline_value,
    own.max_headline_value,
    own.max_headline_value / own.min_headline_value - 1 as spread_ratio,
    case
        when own.attained_ratio > 1.005 then 'above the ceiling'
        when spread_ratio > 0.1 then 'measure again'
        when own.run_count = 1 then 'not repeated'
        else 'repeatable'
    end as verdict,
    own.attained_ratio,
    {{ attained_label('own.ceiling_scope', 'own.value_qualifier', 'own.attained_ratio') }}
        as attained_label,
    own.binding_ceiling,
    own.unknown_limits,
    limits.value_label as ceiling_value_label,
    limits.formula,
    limits.document_title as ceiling_document_title,
    limits.pages as ceiling_pages,
    limits.measurement_id as ceiling_measurement_id,
    if(limits.measurement_id is null, null, ceilings.known_from) as ceiling_known_from,
    published.array_label as published_array_label,
    published.headline_value as published_headline_value,
    {{ mark('published.value_qualifier') }}
    || {{ rounded_label('published.headline_value', 'published.headline_metric') }}
        as published_value_label,
    own.headline_value / published.headline_value as published_ratio,
    published.outstanding_io_count as published_outstanding_io_count,
    published.document_title as published_document_title,
    published.pages as published_pages,
    published.measurement_id as published_measurement_id,
    nullif(
        concat_ws(
            ', ',
            if(own.controller is null and own.drive_count is distinct from 1, 'controller', null),
            if(own.raid_level is null and own.drive_count is distinct from 1, 'raid_level', null),
            if(own.drive is null, 'drive', null),
            if(
                own.drive is not null and own.drive_interface is null, 'drive_interface', null
            ),
            if(own.drive_count is null, 'drive_count', null),
            if(
                own.source_format = 'fio' and own.random_ratio is null, 'access_pattern', null
            )
        ), ''
    ) as missing_fields,
    ceilings.missing_reasons as missing_limits,
    {{ sidecar_path('own.source_path') }} as sidecar_path,
    own.latency_mean_us,
    own.server,
    own.os_kernel,
    own.filesystem,
    coalesce(own.requested_runtime_seconds, own.runtime_seconds) as runtime_seconds,
    own.measured_at,
    own.measurement_id,
from own
inner join loads using (array_id, profile_id)
left join published using (array_id, profile_id)
left join {{ ref('rpt_limits') }} as limits
    on
        own.array_id = limits.array_id
        and own.profile_id = limits.profile_id
        and own.binding_ceiling = limits.kind
left join {{ ref('int_ceilings') }} as ceilings
    on
        own.array_id = ceilings.array_id
        and own.profile_id = ceilings.profile_id
        and ceilings.basis = 'practical'
