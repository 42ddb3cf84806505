{#- The members of a cell of claims.csv as tags that points have: a number is one of drives or of
    outstanding I/Os, and a name may be one that the document gives to a load profile. -#}
{% macro claim_tags(cell, counted="''") -%}
    flatten(list_transform(
        string_split({{ cell }}, '; '),
        lambda member: case
            when regexp_full_match(member, '\d+') then [member || {{ counted }}]
            else [member, document_id || ' ' || member]
        end
    ))
{%- endmacro %}

{#- How far a printed factor may be from the truth: one step of its last digit, for some are rounded
    and some cut off, and not more than 5 %; "about" doubles the step, and allows 25 %. -#}
{% macro claim_tolerance(value, as_printed, qualifier) -%}
    least(
        power(
            10, -coalesce(length(regexp_extract({{ as_printed }}, '[0-9]+[.]([0-9]+)', 1)), 0)
        ) * if({{ as_printed }} like '%\%%' escape '\', 0.01, 1)
        * if({{ qualifier }} = 'approximate', 2, 1),
        {{ value }} * if({{ qualifier }} = 'approximate', 0.25, 0.05)
    )
{%- endmacro %}

{#- "Similar", "in proportion" and "nearly" are within 10 %, "unaffected" and "reached" within 5 %;
    what drives or links could do more than 10 % of is not their limit. -#}
{% macro similar_ratio() -%} 0.9 {%- endmacro %}
{% macro unaffected_ratio() -%} 0.95 {%- endmacro %}

{#- What two points may differ in besides, because what is compared entails it: another drive has
    another formatting, another controller another default stripe. -#}
{% macro entailed_traits(compares) -%}
    case {{ compares }}
        when 'controller' then ['controller', 'stripe']
        when 'generation' then ['controller', 'drive', 'stripe', 'formatting', 'drive_cache']
        when 'raid_level' then ['raid_level', 'stripe']
        when 'drive' then ['drive', 'controller', 'formatting', 'drive_cache']
        when 'drive_count' then ['drive_count', 'raid_level', 'stripe', 'controller', 'drive_cache']
        when 'server' then ['server', 'raid_level', 'drive_count', 'stripe', 'cpu']
        when 'profile' then ['profile', 'block', 'random', 'read']
        when 'block_size' then ['profile', 'block']
        when 'read_share' then ['profile', 'read']
        when 'outstanding_io_count' then ['load']
        else [{{ compares }}]
    end
{%- endmacro %}

{#- Whether a point is one of those that a claim names in a dimension, or it names none. -#}
{% macro meets(dimension) -%}
    coalesce(list_has_any(points.tags, claims.wanted_{{ dimension }}), true)
{%- endmacro %}
