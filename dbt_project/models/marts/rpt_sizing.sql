-- What could be built, by prediction, and what was measured, in one shape: to be filtered by what
-- is wanted. Decimal megabytes and terabytes, since that is what people type in.
with candidates as (
    select * exclude (controller_id, drive, saturating_drive_count)
    from {{ ref('fct_predictions') }}
    union all by name
    select
        'measured' as evidence,
        controller,
        raid_level,
        drive_id,
        drive_count,
        profile_id,
        iops,
        bytes_per_second,
        latency_mean_us,
        binding_ceiling,
        measurement_id,
        value_qualifier,
        as_printed,
        source_label,
    from {{ ref('measurements') }}
    where
        is_valid
        and not is_derived
        and drive_count is not null
        and coalesce(iops, bytes_per_second) is not null
),

sized as (
    select
        candidates.* replace (
            coalesce(candidates.controller, 'not stated') as controller,
            coalesce(candidates.raid_level, 'not stated') as raid_level,
            -- a printed limit by its paper and page, not by its id
            coalesce(
                regexp_replace(
                    candidates.formula, '^published: [^ ,]+',
                    'published: ' || limits.as_printed || ' (' || limits.source_label || ')'
                ), candidates.formula
            ) as formula
        ),
        coalesce(drives.drive, 'not stated') as drive,
        coalesce(drives.drive_media, 'not stated') as drive_media,
        concat_ws(', ', candidates.controller, candidates.raid_level, drives.drive)
            as design_label,
        drives.capacity_bytes / 1e12 as drive_terabytes,
        concat_ws(
            ', ', candidates.controller, candidates.raid_level,
            candidates.drive_count || ' x ' || coalesce(drives.drive, 'drives not stated')
        ) as sized_label,
        case
            when candidates.evidence = 'measured' then 'measured'
            when candidates.value_qualifier = 'at_most' then 'low'
            when candidates.evidence = 'printed limit' then 'high'
            else 'medium'
        end as confidence,
        profiles.profile_label,
        {{ mark('candidates.value_qualifier') }}
        || {{ rounded_label('candidates.iops', "'iops'") }} as qualified_iops,
        {{ mark('candidates.value_qualifier') }}
        || {{ rounded_label('candidates.bytes_per_second', "'bytes_per_second'") }}
            as qualified_throughput,
        candidates.bytes_per_second / 1e6 as megabytes_per_second,
        cast(
            (candidates.drive_count / levels.copy_count - levels.parity_drive_count)
            * drives.capacity_bytes / 1e12 as double
        ) as usable_terabytes,
    from candidates
    inner join {{ ref('dim_load_profiles') }} as profiles using (profile_id)
    left join {{ ref('dim_drives') }} as drives using (drive_id)
    left join {{ ref('dim_raid_levels') }} as levels
        on
            coalesce(candidates.raid_level, if(candidates.drive_count = 1, 'JBOD', null))
            = levels.raid_level
    left join {{ ref('measurements') }} as limits
        on limits.measurement_id = regexp_extract(candidates.formula, '^published: ([^ ,]+)', 1)
)

select
    *,
    qualified_iops || coalesce(
        ', at the worst ' || {{ rounded_label('low_iops', "'iops'") }}, ''
    ) as predicted_iops_label,
    qualified_throughput || coalesce(
        ', at the worst ' || {{ rounded_label('low_bytes_per_second', "'bytes_per_second'") }}, ''
    ) as predicted_throughput_label,
    {{ short(three_digits('usable_terabytes')) }} || ' TB of ' || drive_count || ' x '
    || {{ short(three_digits('drive_terabytes')) }} || ' TB' as capacity_label,
    {% for column in ['drive_count', 'iops', 'megabytes_per_second', 'usable_terabytes'] -%}
        if(evidence = 'measured', null, lag({{ column }}) over design)
            as fewer_drives_{{ column | replace('drive_count', 'count') }},
    {% endfor -%}
from sized
window
    design as (
        partition by evidence = 'measured', controller, raid_level, drive_id, profile_id
        order by drive_count
    )
