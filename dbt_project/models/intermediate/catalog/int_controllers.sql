-- The catalog of controllers. If documents name several servers for one, the largest counts.
with in_servers as (
    select
        {{ slug('condition') }} as name_id,
        max(value) as most_drives,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'server' and attribute = 'max_drives'
    group by name_id
)

select
    catalog.name as controller,
    name_id as controller_id,
    catalog.document_id,
    catalog.page,
    catalog.texts['vendor'] as vendor,
    catalog.texts['full_name'] as full_name,
    catalog.texts['generation'] as controller_generation,
    catalog.texts['form_factor'] as form_factor,
    catalog.texts['disk_interface'] as disk_interfaces,
    -- the fastest of 'SATA 6G, SAS 12G'; a speed may be a fact of its own ('SAS', '6 Gb/s')
    case
        when disk_interfaces like '%SAS%' then 'SAS '
        when disk_interfaces like '%SATA%' then 'SATA '
    end
    || format('{:g}', list_max(list_transform(
        regexp_extract_all(
            coalesce(catalog.texts['disk_interface_speed'] || 'G', disk_interfaces),
            '([\d.]+)[ -]?G', 1
        ),
        lambda number: try_cast(number as double)
    )))
    || 'G' as disk_port_interface,
    catalog.texts['raid_levels'] as raid_levels,
    replace(catalog.texts['host_link'], 'PCI-Express', 'PCIe') as host_link,
    coalesce(
        nullif(regexp_extract(host_link, '^(PCIe|DMI) [\d.]+'), ''),
        catalog.texts['host_interface']
    ) as host_interface,
    coalesce(
        try_cast(regexp_extract(host_link, ' x(\d+)', 1) as bigint),
        try_cast(catalog.numbers['host_lane_count'] as bigint)
    ) as host_lane_count,
    -- '-16i' at the end of a name: 16 ports, internal (i) or external (e)
    try_cast(
        coalesce(
            catalog.numbers['disk_port_count'],
            try_cast(regexp_extract(catalog.name, '-(\d+)[ie]$', 1) as double)
        ) as bigint
    ) as disk_port_count,
    try_cast(catalog.numbers['max_drives'] as bigint) as max_drive_count,
    try_cast(in_servers.most_drives as bigint) as max_server_drive_count,
    try_cast(catalog.numbers['cache'] as bigint) as cache_bytes,
    try_cast(catalog.numbers['default_stripe'] as bigint) as default_stripe_bytes,
    catalog.numbers['power'] as power_watts,
    if(power_watts is null, null, catalog.texts['rated_by']) as rated_by,
    {{ stated_price() }}
    catalog.defined_in,
    catalog.definition_note,
from {{ ref('int_catalog') }} as catalog
left join in_servers using (name_id)
where catalog.kind = 'controller'
