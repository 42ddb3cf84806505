-- The controller or drive of the catalog that a sidecar means. It matches by name; else by another
-- name, with or without vendor: an alias, a part or model number (not '980 PRO', the model name of
-- several drives), for controllers a full name; else as the end of the name of only one controller
-- in documents ('EP420i': PRAID EP420i, and not the 'predecessor of PRAID EP420i').
with own_names as (
    select distinct
        unnest(['controller', 'drive']) as kind,
        unnest([controller, drive]) as own_name,
    from {{ ref('stg_files') }}
),

further_names as (
    select
        kind,
        name,
        texts['vendor'] as vendor,
        unnest(list_concat(
            string_split(texts['alias'], '; '),
            list_filter(
                list_concat(
                    string_split(texts['model'], '; '), string_split(texts['part_number'], '; ')
                ),
                lambda number: kind = 'controller' or regexp_matches(number, '^[A-Z0-9/-]{8,}$')
            ),
            [if(kind = 'controller', texts['full_name'], null)]
        )) as further_name,
    from {{ ref('int_catalog') }}
),

other_names as (
    select
        kind,
        name,
        unnest([further_name, vendor || ' ' || further_name]) as other_name,
    from further_names
),

matches as (
    select
        own_names.*,
        known.name,
        1 as match_order,
    from own_names
    inner join {{ ref('int_catalog') }} as known
        on own_names.kind = known.kind and {{ slug('own_names.own_name') }} = known.name_id
    union all
    select distinct
        own_names.*,
        other_names.name,
        2 as match_order,
    from own_names
    inner join other_names
        on
            own_names.kind = other_names.kind
            and {{ slug('own_names.own_name') }} = {{ slug('other_names.other_name') }}
    union all
    select
        own_names.*,
        known.name,
        3 as match_order,
    from own_names
    inner join {{ ref('int_catalog') }} as known
        on
            own_names.kind = 'controller'
            and known.kind = 'controller'
            and known.document_id is not null
            and starts_with(
                reverse(' ' || lower(known.name)), reverse(' ' || lower(trim(own_names.own_name)))
            )
),

best as (
    select
        *,
        reverse(' ' || lower(name)) as ending,
        first_value(name) over (
            partition by kind, own_name order by length(name) asc, name asc
        ) as shortest_name,
    from matches
    qualify match_order = min(match_order) over (partition by kind, own_name)
)

select
    kind,
    own_name,
    min(shortest_name) as name,
from best
group by kind, own_name
-- several matches count as the shortest one if the others end with it
having bool_and(starts_with(ending, reverse(' ' || lower(shortest_name))))
