-- Every source in one shape; what an array is called follows from what it is made of.
with measurements as (
    select * from {{ ref('int_white_papers__measurements') }}
    union all by name
    select * from {{ ref('int_fio__measurements') }}
    union all by name
    select * from {{ ref('int_iometer__measurements') }}
),

labelled as (
    select
        *,
        concat_ws(
            ' ',
            coalesce(controller, 'no-controller'),
            coalesce(raid_level, 'no-raid'),
            coalesce(drive_count || 'x', 'drives'),
            coalesce(drive, 'unstated'),
            'stripe ' || {{ size_label('stripe_bytes') }}
        ) as array_label,
    from measurements
)

select
    * exclude (array_label),
    {{ slug('controller') }} as controller_id,
    {{ slug('drive') }} as drive_id,
    {{ slug('array_label') }} as array_id,
from labelled
