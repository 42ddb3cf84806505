-- no value is above the ceiling of its drives or controller; see marts.fct_findings
-- severity: warning
with read_again as (
    select measurement_id
    from marts.fct_measurements
    where reading_note like 'read again%'
)

select
    source_path,
    source_position,
    binding_ceiling,
    attained_ratio,
from marts.measurements
anti join read_again using (measurement_id)
where
    is_valid
    and not has_own_processor
    and binding_ceiling not like '%interface'
    and attained_ratio > $attained_ratio_of_drives_max
