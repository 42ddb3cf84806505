{#- The id of a load profile describes its load, whatever its name: 'random-read67-64KiB'. -#}
{% macro profile_id(random_ratio, read_ratio, block_mix, block_option='null') -%}
    {{ access_label(random_ratio) }}
    || '-' || coalesce('read' || {{ percent_label(read_ratio) }}, 'read-unstated')
    || '-' || {{ block_label(block_mix, block_option) }}
{%- endmacro %}

{#- The name of a profile that has none: 'random, 67 % read, 64KiB'. -#}
{% macro plain_profile_name(random_ratio, read_ratio, block_mix, block_option='null') -%}
    {{ access_label(random_ratio) }}
    || ', ' || coalesce({{ percent_label(read_ratio) }} || ' % read', 'read-unstated')
    || ', ' || {{ block_label(block_mix, block_option) }}
{%- endmacro %}

{% macro access_label(random_ratio) -%}
    case {{ random_ratio }}
        when 1 then 'random'
        when 0 then 'sequential'
        else coalesce('random' || {{ percent_label(random_ratio) }}, 'access-unstated')
    end
{%- endmacro %}

{#- The label of one block size, of a mix of several (a list of {block_bytes, share_ratio}; the hash
    covers all, with shares in thousandths), or of a text without sizes. -#}
{% macro block_label(block_mix, block_option) -%}
    case
        when {{ block_mix }}[1].block_bytes is null
            then coalesce('block-' || {{ slug(block_option) }}, 'block-unstated')
        when len({{ block_mix }}) = 1 then {{ size_label(block_mix ~ '[1].block_bytes') }}
        else
            {{ size_label(block_mix ~ '[1].block_bytes') }}
            || '-to-' || {{ size_label(block_mix ~ '[-1].block_bytes') }}
            || '-mix-' || left(md5(array_to_string(list_transform(
                {{ block_mix }},
                lambda part: part.block_bytes || ' x '
                || coalesce(try_cast(round(part.share_ratio * 1000) as int), 0)
            ), ', ')), 6)
    end
{%- endmacro %}
