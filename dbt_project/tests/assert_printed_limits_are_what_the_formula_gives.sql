-- Every interface limit in the paper that the formula comes from equals the formula to the last
-- digit, except for one cell (DMI 3.0, page 8: 3433 MB/s instead of 3380). Deviations in other
-- papers are their fault, not the formula's: expectations/ reports them.
select *
from {{ ref('fct_findings') }}
where
    finding_kind = 'differs from formula'
    and likely_reason not like 'printed as %'
    and document_id = 'fujitsu-raid-controllers-2016'
    and subject not like 'C236 host 4 x DMI 3.0%'
