{%- set arrays = with_published_limits(ref('int_configurations')) -%}
{{ limits_of(
    '(' ~ arrays ~ ')', ref('int_ceilings__drives'), ref('int_ceilings__interfaces'),
    ['array_id', 'profile_id']
) }}
