-- How much do repeats of the same run vary, and which difference is therefore significant?
-- asked by: a lab
select
    series_name as series,
    metric,
    count(*) as runs,
    cast(median(value) as bigint) as median_value,
    cast(min(value) as bigint) as least,
    cast(max(value) as bigint) as greatest,
    round(stddev_samp(value) / avg(value), 3) as coefficient_of_variation,
from fct_repeated_measurements
group by series_name, metric
order by coefficient_of_variation desc, series asc, metric asc;
