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

{#- How far a printed factor may be from the truth: one step of its last digit, for some are rounded
    and some cut off, and not more than 5 %; "about" doubles the step, and allows 25 %. A bound is
    none of these. -#}
{% macro claim_tolerance(value, as_printed, qualifier) -%}
    case
        when {{ qualifier }} in ('at_least', 'at_most') then 0
        else least(
            power(
                10, -coalesce(length(regexp_extract({{ as_printed }}, '[0-9]+[.]([0-9]+)', 1)), 0)
            ) * if({{ as_printed }} like '%\%%' escape '\', 0.01, 1)
            * if({{ qualifier }} = 'approximate', 2, 1),
            {{ value }} * if({{ qualifier }} = 'approximate', 0.25, 0.05)
        )
    end
{%- endmacro %}

{#- What two points may differ in: what is compared and what that entails, for another drive has
    another formatting, another controller another default stripe; of maxima, the load that each was
    reached at; and a single drive beside an array, what only an array has. -#}
{% macro free_traits(compares, statistic, is_single) -%}
    if({{ is_single }}, ['drive_count', 'raid_level', 'controller'], [])
    || case {{ statistic }}
        when 'maximum'
            then ['profile', 'block_size', 'random', 'read_share', 'outstanding_io_count']
        else []
    end
    || case {{ compares }}
        when 'controller' then ['controller', 'stripe']
        when 'generation' then ['controller', 'drive', 'stripe', 'formatting', 'drive_cache']
        when 'raid_level' then ['raid_level', 'stripe']
        when 'drive' then ['drive', 'controller', 'formatting', 'drive_cache']
        when 'drive_count' then ['drive_count', 'raid_level', 'stripe', 'controller', 'drive_cache']
        when 'server' then ['server', 'raid_level', 'drive_count', 'stripe', 'cpu']
        when 'profile' then ['profile', 'block_size', 'random', 'read_share']
        when 'block_size' then ['profile', 'block_size']
        when 'read_share' then ['profile', 'read_share']
        else [{{ compares }}]
    end
{%- endmacro %}

{#- Whether a point is one of those that a claim names in a dimension, or it names none. -#}
{% macro meets(dimension) -%}
    coalesce(list_has_any(points.tags, claims.wanted_{{ dimension }}), true)
{%- endmacro %}

{#- The middle of an interval; of one without an end, the other end. -#}
{% macro middle(low, high) -%}
    case
        when {{ high }} = 'infinity' then {{ low }}
        when {{ low }} = 0 then {{ high }}
        else ({{ low }} + {{ high }}) / 2
    end
{%- endmacro %}

{#- An interval as people read it: '8 to 9 kIOPS', 'more than 300 kIOPS'. -#}
{% macro interval_label(low, high) -%}
    case
        when {{ low }} = {{ high }} then {{ quantity_label(low, 'judged.compared_unit') }}
        when {{ high }} = 'infinity'
            then 'more than ' || {{ quantity_label(low, 'judged.compared_unit') }}
        when {{ low }} = 0 then 'less than ' || {{ quantity_label(high, 'judged.compared_unit') }}
        else
            {{ quantity_label(low, 'judged.compared_unit') }} || ' to '
            || {{ quantity_label(high, 'judged.compared_unit') }}
    end
{%- endmacro %}
