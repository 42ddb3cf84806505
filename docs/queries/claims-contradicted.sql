-- Which claims do the papers' own numbers contradict?
-- asked by: a buyer
select
    claim_label as claim,
    as_printed,
    verdict_label as verdict,
    source_label as source,
from fct_claims
where verdict = 'contradicted'
order by document_id, page, claim;
