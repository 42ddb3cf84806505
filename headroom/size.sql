{#- The limits of an array that could be built, the least first, and then what that predicts. -#}
with chosen as (
    select
        *,
        dim_load_profiles.headline_metric as metric,
        if(metric = 'iops', iops, bytes_per_second) as value,
        if(metric = 'iops', low_iops, low_bytes_per_second) as low_value,
        if(metric = 'iops', high_iops, high_bytes_per_second) as high_value,
    from fct_predictions
    inner join dim_load_profiles using (profile_id)
    left join (
        select
            controller,
            raid_level,
            drive_id,
            drive_count,
            profile_id,
            price,
            price_currency,
            iops_per_price_unit,
            bytes_per_second_per_price_unit,
            power_watts,
            iops_per_watt,
            bytes_per_second_per_watt,
        from rpt_sizing
        where evidence != 'measured'
    ) as costs using (controller, raid_level, drive_id, drive_count, profile_id)
    where
        controller = $controller
        and raid_level = $raid_level
        and drive = $drive
        and drive_count = $drive_count
        and profile_id = $profile_id
),

predicted_limits as (
    select
        chosen.metric,
        limits.ceiling_kind,
        limits.ceiling_kind = chosen.binding_ceiling as is_binding,
        limits.iops,
        limits.bytes_per_second,
        if(chosen.metric = 'iops', limits.iops, limits.bytes_per_second) as value,
        coalesce(
            limits.missing_reason,
            replace(limits.formula, '(data sheet)', '(' || drives.rated_by || ')'),
            limits.formula
        ) as basis,
        regexp_extract(limits.formula, '^published: ([^, ]+)', 1) as measurement_id,
        contains(coalesce(limits.formula, ''), '(data sheet)') as is_rated,
    from chosen
    inner join fct_predicted_limits as limits
        using (controller_id, raid_level, drive_id, drive_count, profile_id)
    left join dim_drives as drives using (drive_id)
),

told as (
    select
        limits.ceiling_kind,
        if(limits.is_rated, '≤ ', {{ mark('printed.value_qualifier') }})
        || {{ rounded_label('limits.value', 'limits.metric') }} as value_label,
        if(
            printed.measurement_id is null, limits.basis,
            replace(
                limits.basis, printed.measurement_id,
                split_part(printed.as_printed, '; ', 1) || ' (' || concat_ws(
                    ', ', printed.document_id, 'p. ' || printed.pages
                ) || ')'
            )
        ) as basis,
        limits.is_binding,
        limits.iops,
        limits.bytes_per_second,
        null as low_value,
        null as high_value,
        null as evidence,
        limits.value,
    from predicted_limits as limits
    left join measurements as printed using (measurement_id)
    union all by name
    select
        'prediction' as ceiling_kind,
        {{ mark('chosen.value_qualifier') }}
        || {{ rounded_label('value', 'metric') }} as value_label,
        concat_ws(
            '; ',
            concat_ws(
                ', ',
                'low ' || coalesce(
                    {{ rounded_label('low_value', 'metric') }}
                    || ' (' || shown.as_printed || ', ' || shown.source_label || ')',
                    {{ rounded_label('low_value', 'metric') }},
                    'not known'
                ),
                'high ' || {{ rounded_label('high_value', 'metric') }}
            ),
            chosen.evidence,
            if(chosen.needs_expander, 'needs an expander', null),
            case
                when chosen.evidence = 'data sheet' then 'no single drive was measured'
                when chosen.saturating_drive_count is null
                    then 'drives are the limit at any number'
                else 'saturated by ' || chosen.saturating_drive_count || ' drives'
            end
        ) as basis,
        false as is_binding,
        chosen.iops,
        chosen.bytes_per_second,
        chosen.low_value,
        chosen.high_value,
        chosen.evidence,
        chosen.value,
        chosen.price,
        chosen.price_currency,
        chosen.iops_per_price_unit,
        chosen.bytes_per_second_per_price_unit,
        chosen.power_watts,
        chosen.iops_per_watt,
        chosen.bytes_per_second_per_watt,
    from chosen
    left join measurements as shown on chosen.shown_measurement_id = shown.measurement_id
)

select * from told
order by ceiling_kind = 'prediction' asc, value asc nulls last, is_binding desc, ceiling_kind asc
