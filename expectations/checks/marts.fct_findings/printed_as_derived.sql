-- a printed interface limit agrees with the formula
-- severity: warning
select
    document_id,
    page,
    subject,
    observed_value,
    expected_value,
    likely_reason,
from marts.fct_findings
where
    finding_kind = 'differs from formula'
    and abs(excess_ratio - 1) > $printed_limit_tolerance_ratio
