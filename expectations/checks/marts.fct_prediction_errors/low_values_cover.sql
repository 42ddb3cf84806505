-- low values of predictions are below four of five printed numbers
-- severity: warning
select
    evidence,
    value_qualifier,
    missing_limits,
    drive_media,
    has_parity,
    tested_number_count,
    low_coverage_ratio,
from marts.fct_prediction_errors
where worst_ratio is not null and low_coverage_ratio < 0.8
