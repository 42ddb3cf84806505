{%- set arrays = with_drive_rates(ref('int_configurations')) -%}
{{ limits_of_drives('(' ~ arrays ~ ')', ['array_id', 'profile_id']) }}
