-- A controller that neither a paper nor a sidecar describes has only its name, spelled as its
-- measurements spell it.
select
    * exclude (disk_port_interface, host_link),
    true as is_catalogued,
from {{ ref('int_controllers') }}
union all by name
select
    controller_id,
    min(controller) as controller,
    false as is_catalogued,
from {{ ref('fct_measurements') }}
anti join {{ ref('int_controllers') }} using (controller_id)
where controller_id is not null
group by controller_id
