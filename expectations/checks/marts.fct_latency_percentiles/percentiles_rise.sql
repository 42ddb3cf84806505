-- a higher percentile is not a lower latency
-- severity: warning
-- A large table is sampled: each day other measurements, with all their rows. The window uses their
-- hash, because sorting by the texts themselves takes three times as long.
with failing as (
    select
        *,
        lag(latency_us) over (
            partition by hash(measurement_id, direction, latency_kind) order by percentile_ratio
        ) as lower_percentile_us,
    from marts.fct_latency_percentiles as percentiles
    where
        hash(percentiles.measurement_id, current_date) <= (
            select cast(18446744073709551615 // (1 + count(*) // $sample_max_rows) as ubigint)
            from marts.fct_latency_percentiles
        )
    qualify latency_us < lower_percentile_us
)

select
    source_path,
    source_position,
    failing.* exclude (measurement_id),
from failing
inner join marts.measurements using (measurement_id)
