-- The practical limits behind each prediction, which is the lowest of them.
{%- set arrays = ref('int_what_if_configurations') %}
{%- set key = ['controller_id', 'raid_level', 'drive_id', 'drive_count', 'profile_id'] %}
with drive_limits as (
    {{ limits_of_drives(arrays, key) }}
),

link_limits as (
    {{ limits_of_links(arrays, key) }}
),

limits as (
    {{ limits_of(arrays, 'drive_limits', 'link_limits', key) }}
)

select * exclude (purpose, basis, is_unknown)
from limits
where basis = 'practical'
