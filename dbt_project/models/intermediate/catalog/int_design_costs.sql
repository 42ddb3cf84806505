-- What a controller and one drive behind it cost and draw; prices in two currencies have no sum.
-- Drives beyond the controller's SAS ports take an expander, of which nothing is known.
select
    controllers.controller_id,
    drives.drive_id,
    if(controllers.disk_interfaces like '%SAS%', controllers.disk_port_count, null)
        as most_drive_count,
    if(controllers.price_currency = drives.price_currency, controllers.price, null)
        as controller_price,
    drives.price as drive_price,
    drives.price_currency,
    controllers.power_watts as controller_watts,
    drives.power_watts as drive_watts,
from {{ ref('int_controllers') }} as controllers
inner join {{ ref('int_drives') }} as drives
    on
        controllers.price_currency = drives.price_currency
        or controllers.power_watts + drives.power_watts is not null
