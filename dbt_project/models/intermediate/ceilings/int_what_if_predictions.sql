{{ config(materialized='view') }}
{%- set key = ['controller_id', 'raid_level', 'drive_id', 'drive_count', 'profile_id'] %}
{%- set limits -%}
    (select *, false as is_unknown from {{ ref('fct_predicted_limits') }})
{%- endset -%}
{%- set ceilings = lowest_limits(limits, key) -%}
{{ predictions(ref('int_what_if_configurations'), '(' ~ ceilings ~ ')', key) }}
