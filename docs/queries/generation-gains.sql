-- How much faster is the next controller generation, all else equal?
-- asked by: a buyer
select
    controllers_label as faster,
    baseline_controllers_label as slower,
    profile_label as profile,
    configuration_label as configuration,
    factor_label as factor,
    value_label || ' : ' || baseline_value_label as of_values,
from rpt_generations
where is_faster
order by ratio desc, profile asc, faster asc;
