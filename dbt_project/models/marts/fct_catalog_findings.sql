with named as (
    select
        'controller' as kind,
        sidecars.controller as name,
        files.path,
    from {{ ref('stg_sidecars') }} as sidecars
    inner join {{ ref('stg_files') }} as files using (file_id)
    union all
    select
        'drive' as kind,
        sidecars.drive as name,
        files.path,
    from {{ ref('stg_sidecars') }} as sidecars
    inner join {{ ref('stg_files') }} as files using (file_id)
),

known as (
    select
        'controller' as kind,
        controller as name,
        controller_id as name_id,
    from {{ ref('int_controllers') }}
    union all
    select
        'drive' as kind,
        drive as name,
        drive_id as name_id,
    from {{ ref('int_drives') }}
),

names as (
    select
        kind,
        {{ slug('name') }} as name_id,
        min(name) as name,
        count(*) as source_count,
        min(path) as first_source_path,
    from named
    where name is not null
    group by kind, name_id
),

unknown as (
    select * from names
    where (kind, name_id) not in (select (known.kind, known.name_id) from known)
),

-- A name that is part of the other ('EP420i') is as like as one with a letter wrong.
compared as (
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
    inner join known using (kind)
    where likeness_ratio >= 0.75
    qualify
        row_number() over (
            partition by unknown.kind, unknown.name_id
            order by likeness_ratio desc, known.name asc
        ) <= 3
),

nearest as (
    select
        kind,
        name_id,
        string_agg(name, '; ' order by likeness_ratio desc, name asc) as nearest_names,
    from compared
    group by kind, name_id
)

select
    unknown.kind,
    unknown.name,
    unknown.source_count,
    unknown.first_source_path,
    nearest.nearest_names,
from unknown
left join nearest using (kind, name_id)
