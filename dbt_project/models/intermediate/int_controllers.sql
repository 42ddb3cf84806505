-- The catalog: what the papers state of each controller, leading edition, as a row a controller.
-- Conditions name special cases (a mode, a server): an unconditional mention goes before them.
with facts as (
    select
        *,
        {{ each_of('subjects') }} as controller,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'controller' and edition_order = 1
),

stated as (
    select
        *,
        row_number() over (
            partition by controller, attribute
            order by condition is not null, document_id, page, line
        ) as mention,
    from facts
)

select
    controller,
    min_by(document_id, line) filter (where mention = 1) as document_id,
    min(page) filter (where mention = 1) as page,
    any_value(as_printed) filter (where mention = 1 and attribute = 'vendor') as vendor,
    any_value(as_printed) filter (where mention = 1 and attribute = 'full_name') as full_name,
    any_value(as_printed) filter (
        where mention = 1 and attribute = 'generation'
    ) as controller_generation,
    any_value(as_printed) filter (where mention = 1 and attribute = 'form_factor') as form_factor,
    any_value(as_printed) filter (
        where mention = 1 and attribute = 'disk_interface'
    ) as disk_interfaces,
    any_value(as_printed) filter (where mention = 1 and attribute = 'raid_levels') as raid_levels,
    any_value(
        regexp_extract(replace(as_printed, 'PCI-Express', 'PCIe'), '^((?:PCIe|DMI) [\d.]+)', 1)
    ) filter (where mention = 1 and attribute = 'host_link') as host_interface,
    any_value(
        try_cast(regexp_extract(as_printed, ' x(\d+)', 1) as bigint)
    ) filter (where mention = 1 and attribute = 'host_link') as host_lane_count,
    any_value(cast(value as bigint)) filter (
        where mention = 1 and attribute = 'disk_port_count'
    ) as disk_port_count,
    any_value(cast(value as bigint)) filter (
        where mention = 1 and attribute = 'max_drives'
    ) as max_drive_count,
    any_value(cast(value as bigint)) filter (
        where mention = 1 and attribute = 'cache'
    ) as cache_bytes,
    any_value(cast(value as bigint)) filter (
        where mention = 1 and attribute = 'default_stripe'
    ) as default_stripe_bytes,
from stated
group by controller
