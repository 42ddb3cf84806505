{#- The members of a cell of claims.csv as tags of one dimension: 'SSDs' is the medium, 'single
    drive' an array of one, '67% read' a share, a profile its own document's. Null for an empty cell. -#}
{% macro claim_tags(dimension, cell) -%}
    list_transform(
        string_split({{ cell }}, '; '),
        lambda member: {{ dimension }} || '=' || case
            when member like 'single %' then 'single'
            when {{ dimension }} = 'profile' and not starts_with(member, 'sequential ')
                then document_id || ' ' || member
            when member in ('SSDs', 'HDDs') then member[:3]
            when member = 'reads' then '1.0'
            when member = 'writes' then '0.0'
            when regexp_matches(member, '^\d+% read$')
                then cast(cast(string_split(member, '%')[1] as double) / 100 as varchar)
            when regexp_matches(member, '^\d+% write$')
                then cast(1 - cast(string_split(member, '%')[1] as double) / 100 as varchar)
            else member
        end
    )
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

{#- "Similar" and "in proportion" are within 10 %, "unaffected" within 5 %; a limit is reached at
    nine tenths of it, and where one step more adds less than 5 %. -#}
{% macro similar_ratio() -%} 0.9 {%- endmacro %}
{% macro unaffected_ratio() -%} 0.95 {%- endmacro %}
{% macro reached_ratio() -%} 0.9 {%- endmacro %}

{#- What two points may differ in besides, because what is compared entails it: another drive has
    another formatting, another controller another default stripe. -#}
{% macro entailed_traits(compares) -%}
    case {{ compares }}
        when 'controller' then ['controller', 'stripe']
        when 'generation'
            then ['controller', 'drive', 'stripe', 'formatting', 'drive_cache']
        when 'raid_level' then ['raid_level', 'stripe']
        when 'drive' then ['drive', 'controller', 'formatting', 'drive_cache']
        when 'drive_count' then ['drive_count', 'raid_level', 'stripe', 'controller', 'drive_cache']
        when 'server' then ['server', 'raid_level', 'drive_count', 'stripe', 'cpu']
        when 'profile' then ['profile', 'block', 'random']
        when 'read_share' then ['profile']
        when 'outstanding_io_count' then ['load']
        when 'cpu' then ['cpu']
        when 'formatting' then ['formatting']
        else []
    end
{%- endmacro %}

{#- Tags as people read them: 'profile=some-paper Restore' becomes 'Restore'. -#}
{% macro tag_names(tags) -%}
    array_to_string(
        list_sort(
            list_distinct(
                list_transform(
                    {{ tags }},
                    lambda tag: regexp_replace(
                        tag, '^(profile=' || document_id || ' |\w+=)', ''
                    )
                )
            )
        ), '; '
    )
{%- endmacro %}

{#- What a claim is about, as the reason for an open verdict names it. -#}
{% macro quantity_name(metric) -%}
    case {{ metric }}
        when 'iops' then 'a transaction rate'
        when 'throughput' then 'a throughput'
        when 'latency_mean' then 'a mean latency'
        when 'latency_max' then 'a maximum latency'
        else 'a value'
    end
{%- endmacro %}
