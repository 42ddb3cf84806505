# Models that grow with the results: Trino builds these.
LARGE = (
    "staging.stg_fio__jobs",
    "staging.stg_fio__latency_bins",
    "staging.stg_iometer__blocks",
    "intermediate.int_fio__directions",
    "intermediate.int_fio__percentiles",
    "marts.fct_latency_bins",
    "marts.fct_latency_percentiles",
    "marts.fct_time_series",
    "marts.fct_measurements",
    "marts.measurements",
)
