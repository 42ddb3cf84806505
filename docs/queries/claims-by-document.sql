-- How many of each paper's claims hold, and who sponsored the paper?
-- asked by: a buyer
select
    document_id,
    documents.publisher,
    documents.commissioned_by,
    count(*) filter (where claims.verdict = 'confirmed') as confirmed,
    count(*) filter (where claims.verdict = 'consistent') as consistent,
    count(*) filter (where claims.verdict = 'contradicted') as contradicted,
    count(*) filter (where claims.verdict = 'insufficient data') as insufficient_data,
from fct_claims as claims
inner join dim_documents as documents using (document_id)
group by all
order by document_id;
