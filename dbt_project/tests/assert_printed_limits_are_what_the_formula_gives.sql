-- Every interface limit of the paper that the formula is from is the formula's to the last digit,
-- but for the one cell that is not (DMI 3.0, page 8: 3433 MB/s instead of 3380). What other papers
-- print otherwise is their fault, not the formula's: expectations/ reports it.
select *
from {{ ref('fct_findings') }}
where
    finding_kind = 'differs from formula'
    and likely_reason not like 'printed as %'
    and document_id = 'fujitsu-raid-controllers-2016'
    and subject not like 'C236 host 4 x DMI 3.0%'
