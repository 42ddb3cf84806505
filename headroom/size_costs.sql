{#- What an array that could be built costs and draws, of which parts, or why that is not known; no
    row where it is known of no part. -#}
with chosen as (
    select
        sizes.*,
        profiles.headline_metric as metric,
        controllers.price as controller_price,
        controllers.price_currency as controller_currency,
        concat_ws(', ', controllers.price_by, controllers.price_date) as controller_price_by,
        controllers.power_watts as controller_watts,
        controllers.rated_by as controller_rated_by,
        drives.price as drive_price,
        drives.price_currency as drive_currency,
        concat_ws(', ', drives.price_by, drives.price_date) as drive_price_by,
        drives.power_watts as drive_watts,
        drives.rated_by as drive_rated_by,
    from rpt_sizing as sizes
    inner join dim_load_profiles as profiles using (profile_id)
    inner join dim_controllers as controllers using (controller)
    inner join dim_drives as drives using (drive_id)
    where
        sizes.evidence != 'measured'
        and sizes.controller = $controller
        and sizes.raid_level = $raid_level
        and sizes.drive = $drive
        and sizes.drive_count = $drive_count
        and sizes.profile_id = $profile_id
)

select
    '' as is_binding,
    'price' as cost_kind,
    coalesce({{ amount('price', 'price_currency') }}, 'not reported') as value_label,
    case
        when price is not null
            then
                {{ value_per('price_unit', 'price_currency') }} || '; controller '
                || {{ amount('controller_price', 'controller_currency') }} || ' ('
                || controller_price_by || '), ' || drive_count || ' x '
                || {{ amount('drive_price', 'drive_currency') }} || ' (' || drive_price_by || ')'
        when needs_expander then 'an expander is needed, whose price is not known'
        when controller_price is null then 'the controller has no price'
        when drive_price is null then 'the drive has no price'
        else 'the controller costs ' || controller_currency || ', the drive ' || drive_currency
    end as basis,
from chosen
where coalesce(controller_price, drive_price) is not null
union all by name
select
    '' as is_binding,
    'power' as cost_kind,
    coalesce({{ watts_label('power_watts') }}, 'not reported') as value_label,
    case
        when power_watts is not null
            then
                {{ value_per('watt', "'W'") }} || '; controller '
                || {{ watts_label('controller_watts') }} || ' (' || controller_rated_by || '), '
                || drive_count || ' x ' || {{ watts_label('drive_watts') }} || ' ('
                || drive_rated_by || ')'
        when needs_expander then 'an expander is needed, whose power is not known'
        when controller_watts is null then 'the power of the controller is not known'
        else 'the power of the drive is not known'
    end as basis,
from chosen
where coalesce(controller_watts, drive_watts) is not null
