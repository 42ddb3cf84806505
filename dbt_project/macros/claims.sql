{#- The members of a cell of claims.csv as tags that points have: a number is one of drives or of
    outstanding I/Os, and a name may be one that the document gives to a load profile. -#}
{% macro claim_tags(cell, dimension="''") -%}
    flatten(list_transform(
        string_split({{ cell }}, '; '),
        lambda member: case
            when not regexp_full_match(member, '\d+') then [member, document_id || ' ' || member]
            when {{ dimension }} = 'drive_count' then [member || ' drives']
            when {{ dimension }} = 'outstanding_io_count' then [member || ' outstanding']
            else [member]
        end
    ))
{%- endmacro %}

{#- The middle of an interval; of one without an end, the other end. -#}
{% macro middle(low, high) -%}
    if({{ high }} = 'infinity', {{ low }}, if({{ low }} = 0, {{ high }}, ({{ low }} + {{ high }}) / 2))
{%- endmacro %}

{#- An interval as people read it: '8 to 9 kIOPS', 'more than 300 kIOPS'. -#}
{% macro interval_label(low, high) -%}
    case
        when {{ high }} = 'infinity' then 'more than ' || {{ quantity_label(low, 'compared_unit') }}
        when {{ low }} = 0 then 'less than ' || {{ quantity_label(high, 'compared_unit') }}
        else
            {{ quantity_label(low, 'compared_unit') }}
            || if({{ low }} < {{ high }}, ' to ' || {{ quantity_label(high, 'compared_unit') }}, '')
    end
{%- endmacro %}
