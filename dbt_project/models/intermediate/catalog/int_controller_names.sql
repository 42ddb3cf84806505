-- The controller of the catalog that a sidecar means: the one of that name, or the only one whose
-- name ends with it ('EP420i': PRAID EP420i, and not the 'predecessor of PRAID EP420i').
with meant as (
    select
        files.controller as name,
        known.name as controller,
        first_value(known.name) over (
            partition by files.controller order by length(known.name), known.name
        ) as shortest,
    from {{ ref('stg_files') }} as files
    inner join {{ ref('int_catalog') }} as known
        on
            {{ slug('files.controller') }} = known.name_id
            or ends_with(lower(known.name), ' ' || lower(trim(files.controller)))
    where known.kind = 'controller'
)

select
    name,
    max(shortest) as controller,
from meant
group by name
having bool_and(ends_with(' ' || lower(controller), ' ' || lower(shortest)))
