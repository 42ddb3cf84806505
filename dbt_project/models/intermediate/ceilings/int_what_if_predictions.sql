{{ config(materialized='view') }}
{%- set key = ['controller_id', 'raid_level', 'drive_id', 'drive_count', 'profile_id'] %}
{%- set ceilings = lowest_limits(ref('fct_predicted_limits'), key) -%}
{{ predictions(ref('int_what_if_configurations'), '(' ~ ceilings ~ ')', key) }}
