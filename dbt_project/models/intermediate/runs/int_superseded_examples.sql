-- Examples are used until there is a valid own result.
select distinct file_id
from {{ ref('stg_files') }}
where
    is_example
    and exists (
        select 1
        from ({{ described_runs() }}) as own
        where not own.is_example and own.is_valid
    )
