with names as (
    select
        unnest(['controller', 'drive']) as kind,
        unnest([controller, drive]) as any_name,
        {{ slug('any_name') }} as name_id,
        path,
    from {{ ref('stg_files') }}
    where
        is_example is not true
        or not exists (select 1 from {{ ref('int_superseded_examples') }})
),

unknown as (
    select
        kind,
        name_id,
        min(any_name) as name,
        count(*) as source_count,
        min(path) as first_source_path,
    from names
    anti join {{ ref('int_own_names') }} as known_names
        on names.kind = known_names.kind and names.any_name = known_names.own_name
    where name_id is not null
    group by kind, name_id
),

-- A name that is part of the other ('EP420i') has the full likeness of 1.
likely as (
    select
        unknown.*,
        known.name as known_name,
        if(
            contains(known.name_id, unknown.name_id)
            or contains(unknown.name_id, known.name_id),
            1, jaro_winkler_similarity(known.name_id, unknown.name_id)
        ) as likeness_ratio,
    from unknown
    left join {{ ref('int_catalog') }} as known using (kind)
)

select
    kind,
    name,
    source_count,
    first_source_path,
    array_to_string(
        list(known_name order by likeness_ratio desc, known_name asc)
        filter (where likeness_ratio >= 0.75)[:3],
        '; '
    ) as nearest_names,
from likely
group by all
