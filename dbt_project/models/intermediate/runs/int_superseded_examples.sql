-- Examples stand in for results of one's own, until there is a valid one.
select measurement_id
from {{ ref('int_results') }}
where
    is_example
    and exists (
        select 1
        from {{ ref('int_results') }} as others
        where others.document_id is null and not others.is_example and others.is_valid
    )
