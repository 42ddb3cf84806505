-- The lines of an array that could be built: limits, prediction, price and power.
select
    kind as ceiling_kind,
    value_label,
    reason as basis,
    is_binding,
    iops,
    bytes_per_second,
    headline_value as value,
    low_headline_value as low_value,
    high_headline_value as high_value,
    evidence,
    price,
    price_currency,
    power_watts,
    iops_per_price_unit,
    bytes_per_second_per_price_unit,
    iops_per_watt,
    bytes_per_second_per_watt,
    profile_label,
from rpt_predicted_limits
where
    controller = $controller
    and raid_level = $raid_level
    and drive = $drive
    and drive_count = $drive_count
    and profile_id = $profile_id
order by line_order
