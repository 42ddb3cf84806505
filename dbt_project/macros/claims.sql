{#- The names of a point that a claim may use for a trait. -#}
{% macro names_of(trait) -%}
    if(
        {{ trait }} = 'profile', coalesce(points.profile_names[claims.document_id], []),
        coalesce(points.several_names[{{ trait }}], [points.traits[{{ trait }}]])
    )
{%- endmacro %}

{#- The middle of an interval; if one end is open, the other end. -#}
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

{#- One side of a claim: '16 outstanding I/Os', 'PRAID EP400i and PRAID EP420i', 'SSDs'. -#}
{% macro claim_side(cell) -%}
    array_to_string({{ cell }}, ' and ') || case
        when compares = 'drive_media' then 's'
        when compares = 'read_share' and {{ cell }}[1] like '%\%' escape '\' then ' read'
        when try_cast({{ cell }}[-1] as int) is null then ''
        when compares = 'drive_count' then if({{ cell }} = ['1'], ' drive', ' drives')
        when compares = 'outstanding_io_count'
            then if({{ cell }} = ['1'], ' outstanding I/O', ' outstanding I/Os')
        else ''
    end
{%- endmacro %}

{#- A sentence with the names in braces replaced by texts. -#}
{% macro filled(sentence, texts) -%}
    {%- set ns = namespace(text=sentence) -%}
    {%- for name, text in texts.items() -%}
        {%- set ns.text = "replace(%s, '{%s}', coalesce(%s, ''))" % (ns.text, name, text) -%}
    {%- endfor -%}
    {{ ns.text }}
{%- endmacro %}
