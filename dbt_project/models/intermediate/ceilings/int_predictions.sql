{%- set practical -%}
    (select * exclude (purpose) from {{ ref('int_ceilings') }} where basis = 'practical')
{%- endset -%}
{{ predictions(ref('int_configurations'), practical, ['array_id', 'profile_id']) }}
