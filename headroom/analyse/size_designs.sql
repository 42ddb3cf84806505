-- For each design the fewest drives that reach the targets: as measured, by the low value of a
-- prediction, by its value, by an upper bound, or by data sheets alone. A prediction stays
-- only if no surer prediction needs as few drives. Latency is only measured; a capacity is exact.
-- Prices sort within a currency.
with chosen as (
    select
        *,
        case
            when evidence = 'measured' and ($iops is null or value_qualifier != 'at_most')
                then evidence
            when $iops is null or low_iops >= $iops then 'sure'
            when evidence = 'data sheet' then evidence
            when value_qualifier = 'approximate' and iops >= $iops then 'likely'
            else 'possible'
        end as reach,
        list_position(['measured', 'sure', 'likely', 'possible', 'data sheet'], reach)
            as reach_order,
    from rpt_sizing
    where
        profile_id = $profile_id
        and coalesce(controller = $controller, $controller is null)
        and coalesce(raid_level = $raid_level, $raid_level is null)
        and coalesce(drive = $drive, $drive is null)
        and coalesce(drive_count = $drive_count, $drive_count is null)
        and coalesce(
            iops >= $iops or value_qualifier = 'approximate' and high_iops >= $iops, $iops is null
        )
        and coalesce(usable_terabytes >= $terabytes, $terabytes is null)
        and coalesce(latency_mean_us <= $latency_us, $latency_us is null)
        and coalesce(price <= $max_price and price_currency = $currency, $max_price is null)
        and coalesce(power_watts <= $max_power_watts, $max_power_watts is null)
    qualify
        row_number() over (
            partition by design_label, reach
            order by drive_count asc, iops desc, measurement_id asc
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
    value_label,
    range_label,
    latency_label,
    usable_label,
    coalesce(source_label, binding_ceiling) as basis,
    iops,
    bytes_per_second,
    low_headline_value as low_value,
    high_headline_value as high_value,
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
    price_label || coalesce(chr(10) || value_per_price_label, '') as price_label,
    power_label || coalesce(chr(10) || value_per_watt_label, '') as power_label,
from surest
where coalesce(drive_count < surer_drive_count, surer_drive_count is null)
order by
    reach_order,
    if($sort = 'price', price_currency, null),
    case $sort when 'price' then price when 'power' then power_watts end,
    drive_count, list_position(['high', 'medium', 'low'], confidence), low_iops desc, design_label,
    measurement_id
