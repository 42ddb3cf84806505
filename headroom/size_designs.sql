{#- Of each design the fewest drives that reach the targets: as measured, by the low value of a
    prediction, by its value, and by an upper bound; of data sheets alone last. More drives that are
    less sure are left out. A latency is measured only. Prices in one currency stand together. -#}
with chosen as (
    select
        sizes.*,
        profiles.headline_metric as metric,
        if(metric = 'iops', sizes.low_iops, sizes.low_bytes_per_second) as low_value,
        if(metric = 'iops', sizes.high_iops, sizes.high_bytes_per_second) as high_value,
        case
            when sizes.evidence in ('measured', 'data sheet') then sizes.evidence
            when sizes.low_iops >= coalesce($iops, 0) then 'sure'
            when sizes.value_qualifier = 'approximate' then 'likely'
            else 'possible'
        end as reach,
        list_position(['measured', 'sure', 'likely', 'possible', 'data sheet'], reach)
            as reach_order,
    from rpt_sizing as sizes
    inner join dim_load_profiles as profiles using (profile_id)
    where
        profile_id = $profile_id
        and coalesce(sizes.controller = $controller, $controller is null)
        and coalesce(sizes.raid_level = $raid_level, $raid_level is null)
        and coalesce(sizes.drive = $drive, $drive is null)
        and coalesce(sizes.drive_count = $drive_count, $drive_count is null)
        and coalesce(sizes.iops >= $iops, $iops is null)
        and coalesce(sizes.usable_terabytes >= $terabytes, $terabytes is null)
        and coalesce(sizes.latency_mean_us <= $latency_us, $latency_us is null)
        and coalesce(
            sizes.price <= $max_price and sizes.price_currency = $currency, $max_price is null
        )
        and coalesce(sizes.power_watts <= $max_power_watts, $max_power_watts is null)
    qualify
        row_number() over (
            partition by
                sizes.design_label, reach
            order by sizes.drive_count asc, sizes.iops desc
        ) = 1
),

surest as (
    select
        *,
        min(drive_count) over (
            partition by design_label, evidence = 'measured' order by reach_order
            rows between unbounded preceding and 1 preceding
        ) as surer_drive_count,
    from chosen
)

select
    drive_count,
    design_label,
    reach,
    confidence,
    {{ mark('value_qualifier') }}
    || {{ rounded_label("if(metric = 'iops', iops, bytes_per_second)", 'metric') }} as value_label,
    coalesce(
        {{ rounded_label('low_value', 'metric') }} || ' to '
        || {{ rounded_label('high_value', 'metric') }},
        'to ' || {{ rounded_label('high_value', 'metric') }},
        {{ rounded_label('latency_mean_us', "'us'") }}
    ) as range_label,
    {{ short('usable_terabytes') }} || ' TB' as usable_label,
    coalesce(source_label, binding_ceiling) as basis,
    iops,
    bytes_per_second,
    low_value,
    high_value,
    latency_mean_us,
    usable_terabytes,
    evidence,
    formula,
    price,
    price_currency,
    iops_per_price_unit,
    bytes_per_second_per_price_unit,
    power_watts,
    iops_per_watt,
    bytes_per_second_per_watt,
    {{ amount('price', 'price_currency') }}
    || coalesce(chr(10) || {{ value_per('price_unit', 'price_currency') }}, '') as price_label,
    {{ watts_label('power_watts') }}
    || coalesce(chr(10) || {{ value_per('watt', "'W'") }}, '') as power_label,
from surest
where coalesce(drive_count < surer_drive_count, surer_drive_count is null)
order by
    reach_order,
    if($sort = 'price', price_currency, null),
    case $sort when 'price' then price when 'power' then power_watts end,
    drive_count, list_position(['high', 'medium', 'low'], confidence), low_iops desc, design_label
