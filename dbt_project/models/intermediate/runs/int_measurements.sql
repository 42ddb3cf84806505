-- Every source in one shape; what an array is called follows from what it is made of. Of a system
-- whose controller and drives nobody states all that is known is who measured it: what a document
-- says of it there, or the folder of the results. Two folders may have one slug: so the hash.
with measurements as (
    select * from {{ ref('int_white_papers__measurements') }}
    union all by name
    select * from {{ ref('int_fio__measurements') }}
    union all by name
    select * from {{ ref('int_iometer__measurements') }}
),

sourced as (
    select
        *,
        case
            when coalesce(controller, drive) is null
                then if(
                    document_id is null,
                    coalesce(nullif(regexp_extract(source_path, '^(.*)/[^/]*$', 1), ''), '.'),
                    concat_ws(': ', document_id, condition)
                )
        end as system_source,
    from measurements
),

labelled as (
    select
        *,
        concat_ws(
            ' ',
            coalesce(controller, if(system_source is null, 'no-controller', 'unstated')),
            coalesce(raid_level, 'no-raid'),
            coalesce(drive_count || 'x', 'drives'),
            coalesce(drive, 'unstated'),
            'stripe ' || {{ size_label('stripe_bytes') }},
            system_source,
            left(md5(system_source), 6)
        ) as array_label,
    from sourced
)

select
    * exclude (array_label),
    {{ slug('controller') }} as controller_id,
    {{ slug('drive') }} as drive_id,
    {{ slug('array_label') }} as array_id,
    coalesce(document_id is not null and condition like '%CPU %', false) as has_own_processor,
from labelled
