-- The controller of the catalog that a sidecar means: the one of that name, or the only one of the
-- documents whose name ends with it ('EP420i': PRAID EP420i, and not the 'predecessor of PRAID
-- EP420i').
with said as (
    select distinct controller as name
    from {{ ref('stg_files') }}
    where controller is not null
),

meant as (
    select
        said.name,
        reverse(' ' || lower(known.name)) as ending,
        {{ slug('said.name') }} = known.name_id as is_exact,
        first_value(known.name) over (
            partition by said.name order by is_exact desc, length(known.name) asc, known.name asc
        ) as controller,
    from said
    inner join {{ ref('int_catalog') }} as known
        on
            {{ slug('said.name') }} = known.name_id
            or known.document_id is not null
            and starts_with(
                reverse(' ' || lower(known.name)), reverse(' ' || lower(trim(said.name)))
            )
    where known.kind = 'controller'
)

select
    name,
    max(controller) as controller,
from meant
group by name
having bool_or(is_exact) or bool_and(starts_with(ending, reverse(' ' || lower(controller))))
