{#- Last night beside the night before, in the columns of compare_output.sql that are printed. -#}
select
    'nights' as pair_kind,
    series_name as setting,
    series_name as pair_id,
    {{ quantity_name('metric') }} as quantity,
    {{ rounded_label('previous_value', metric_unit('metric')) }} as a_label,
    previous_night || ', ' || {{ counted('previous_run_count', 'run') }} as a_basis,
    {{ rounded_label('value', metric_unit('metric')) }} as b_label,
    night || ', ' || {{ counted('run_count', 'run') }} as b_basis,
    {{ times_label('value / previous_value') }} || case
        when low_value is null then ''
        else ', ' || verdict || coalesce(', known: ' || acknowledged_reason, '')
    end as factor_label,
    coalesce(
        'band of ' || (night_count - 1) || ' nights: '
        || {{ rounded_label('low_value', metric_unit('metric')) }} || ' to '
        || {{ rounded_label('high_value', metric_unit('metric')) }},
        verdict
    ) as interval_label,
    is_outside,
    is_regression,
    value / previous_value as factor,
    profile_id,
    metric,
    previous_night,
    previous_value,
    night,
    value,
    low_value,
    high_value,
    night_count,
    change_id,
from quality.last_night
where previous_night is not null and coalesce(profile_id = $profile, $profile is null)
order by is_outside desc nulls last, setting asc, metric asc
