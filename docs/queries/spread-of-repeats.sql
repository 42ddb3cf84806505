-- How much do repeats of the same run vary, and which difference is therefore significant?
-- asked by: a lab
select
    repeats.series_name as series,
    measurements.requested_runtime_seconds as runtime_seconds,
    repeats.metric,
    count(*) as runs,
    cast(median(repeats.value) as bigint) as median_value,
    cast(min(repeats.value) as bigint) as least,
    cast(max(repeats.value) as bigint) as greatest,
    round(stddev_samp(repeats.value) / avg(repeats.value), 3) as coefficient_of_variation,
from fct_repeated_measurements as repeats
inner join measurements using (measurement_id)
group by repeats.series_id, series, measurements.requested_runtime_seconds, repeats.metric
order by coefficient_of_variation desc, series asc, repeats.metric asc;
