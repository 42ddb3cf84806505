-- The controller of the catalog that a sidecar means: the one of that name, or the only one of the
-- documents whose name ends with it ('EP420i': PRAID EP420i, and not the 'predecessor of PRAID
-- EP420i').
with sidecar_names as (
    select distinct controller as name
    from {{ ref('stg_files') }}
    where controller is not null
),

candidates as (
    select
        sidecar_names.name,
        reverse(' ' || lower(known.name)) as ending,
        {{ slug('sidecar_names.name') }} = known.name_id as is_exact,
        first_value(known.name) over (
            partition by sidecar_names.name
            order by is_exact desc, length(known.name) asc, known.name asc
        ) as controller,
    from sidecar_names
    inner join {{ ref('int_catalog') }} as known
        on
            {{ slug('sidecar_names.name') }} = known.name_id
            or known.document_id is not null
            and starts_with(
                reverse(' ' || lower(known.name)), reverse(' ' || lower(trim(sidecar_names.name)))
            )
    where known.kind = 'controller'
)

select
    name,
    max(controller) as controller,
from candidates
group by name
having bool_or(is_exact) or bool_and(starts_with(ending, reverse(' ' || lower(controller))))
