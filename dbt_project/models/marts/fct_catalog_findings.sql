with names as (
    select
        unnest(['controller', 'drive']) as kind,
        unnest([controller, drive]) as any_name,
        {{ slug('any_name') }} as name_id,
        path,
    from {{ ref('stg_files') }}
),

unknown as (
    select
        kind,
        name_id,
        min(any_name) as name,
        count(*) as source_count,
        min(path) as first_source_path,
    from names
    anti join {{ ref('int_catalog') }} using (kind, name_id)
    where name_id is not null
    group by kind, name_id
),

-- A name that is part of the other ('EP420i') is as like as one with a letter wrong.
nearest as (
    select
        unknown.kind,
        unknown.name_id,
        known.name,
        case
            when contains(known.name_id, unknown.name_id) then 1.0
            when contains(unknown.name_id, known.name_id) then 1.0
            else jaro_winkler_similarity(known.name_id, unknown.name_id)
        end as likeness_ratio,
    from unknown
    inner join {{ ref('int_catalog') }} as known using (kind)
    where likeness_ratio >= 0.75
    qualify
        row_number() over (
            partition by unknown.kind, unknown.name_id
            order by likeness_ratio desc, known.name asc
        ) <= 3
)

select
    unknown.kind,
    unknown.name,
    unknown.source_count,
    unknown.first_source_path,
    string_agg(nearest.name, '; ' order by nearest.likeness_ratio desc, nearest.name asc)
        as nearest_names,
from unknown
left join nearest using (kind, name_id)
group by all
