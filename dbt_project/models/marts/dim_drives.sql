-- A drive that neither a paper nor a sidecar describes has only its name, spelled as its
-- measurements spell it.
select
    * exclude (series, is_own_rating),
    true as is_catalogued,
from {{ ref('int_drives') }}
union all by name
select
    drive_id,
    min(drive) as drive,
    false as is_catalogued,
from {{ ref('fct_measurements') }}
anti join {{ ref('int_drives') }} using (drive_id)
where drive_id is not null
group by drive_id
