-- no value is above the theoretical limit of its links; see marts.fct_findings
-- severity: warning
select
    source_path,
    source_position,
    binding_ceiling,
    attained_ratio,
from marts.measurements
where is_valid and binding_ceiling like '%interface' and attained_ratio > $attained_ratio_max
