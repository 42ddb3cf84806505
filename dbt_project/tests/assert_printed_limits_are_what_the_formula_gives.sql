-- Every printed interface limit is the formula's to the last digit, but for the one cell that is
-- not (DMI 3.0, page 8: 3433 MB/s instead of 3380), and those that are not printed as exact.
select *
from {{ ref('fct_findings') }}
where
    finding_kind = 'printed otherwise'
    and likely_reason not like 'printed as %'
    and not (
        document_id = 'fujitsu-raid-controllers-2016' and subject like 'C236 host 4 x DMI 3.0%'
    )
