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

{#- The generation of controllers in a condition: 'SAS 12G' of '... controllers (SAS-12G)'. -#}
{% macro printed_generation(condition) -%}
    nullif(replace(regexp_extract({{ condition }}, '[(](S\w+-\w+)[)]', 1), '-', ' '), '')
{%- endmacro %}

{#- The medium in a condition, of drives that the source does not name: 'SSD' of 'SSDs; most'. -#}
{% macro printed_media(condition) -%}
    nullif(regexp_extract({{ condition }}, '(^|; )(HDD|SSD)s(;|$)', 2), '')
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

{#- One side of a claim: '16 outstanding I/Os', 'PRAID EP400i and PRAID EP420i'. -#}
{% macro claim_side(cell) -%}
    replace({{ cell }}, '; ', ' and ') || case
        when not regexp_full_match({{ cell }}, '\d+( to \d+)?') then ''
        when compares = 'drive_count' then if({{ cell }} = '1', ' drive', ' drives')
        when compares = 'outstanding_io_count'
            then if({{ cell }} = '1', ' outstanding I/O', ' outstanding I/Os')
        else ''
    end
{%- endmacro %}

{#- What a claim says of its subject: '≈ 3.5 x the IOPS of SAS-2.0-SSD 200GB'. -#}
{% macro claim_predicate() -%}
    case
        when relation in ('higher', 'increases')
            then 'higher ' || quantity || coalesce(' than ' || {{ claim_side('object') }}, '')
        when relation = 'lower'
            then 'lower ' || quantity || coalesce(' than ' || {{ claim_side('object') }}, '')
        when relation = 'similar'
            then 'about the same ' || quantity || coalesce(' as ' || {{ claim_side('object') }}, '')
        when relation = 'unaffected'
            then 'the same ' || quantity || coalesce(' as ' || {{ claim_side('object') }}, '')
        when relation = 'scales_linearly' then quantity || ' in proportion'
        when relation = 'ratio'
            then coalesce(
                {{ mark('qualifier') }} || {{ short('factor') }} || ' x the ' || quantity, as_printed,
                'a multiple of the ' || quantity
            ) || coalesce(' of ' || {{ claim_side('object') }}, '')
        when relation = 'percent_higher'
            then concat_ws(' ', as_printed, 'higher ' || quantity)
            || coalesce(' than ' || {{ claim_side('object') }}, '')
        when relation = 'limit_nearly_reached' then quantity || ' nearly at the limit'
        when relation = 'limit_not_reached' then quantity || ' below the limit'
        when relation = 'limit_reached' then quantity || ' at the limit'
        when metric = 'drives_to_saturate'
            then coalesce(as_printed, 'some') || ' of them saturate the controller'
        when metric = 'write_penalty'
            then 'a random write takes ' || coalesce(as_printed, 'several') || ' operations'
        else concat_ws(' ', quantity, as_printed)
    end
    || coalesce(' of the ' || if(relation like 'limit%', limit_of, null), '')
{%- endmacro %}

{#- What a claim's metric is called: 'mean latency', 'IOPS', 'drives to saturate'. -#}
{% macro quantity_words(metric) -%}
    case {{ metric }}
        when 'iops' then 'IOPS'
        when 'latency_mean' then 'mean latency'
        when 'latency_min' then 'minimum latency'
        when 'latency_max' then 'maximum latency'
        else replace({{ metric }}, '_', ' ')
    end
{%- endmacro %}

{#- The page of a claim, else its section: 'p. 43', 'no page given: Conclusion'. -#}
{% macro place_of_claim() -%}
    coalesce(
        'p. ' || pages, 'no page given: ' || claims.locator, 'no page given'
    )
{%- endmacro %}

{#- What a claim with insufficient data lacks, by its reason. -#}
{% macro missing_words() -%}
    case verdicts.reason
        when 'opinion' then 'the paper states an expectation without a measurement'
        when 'general statement' then 'no configuration is named, and no pair of values shows it'
        when 'only in a picture'
            then 'the ' || quantity || ' of ' || compared || ' appears only in a diagram'
        when 'values too coarse'
            then 'the printed values of ' || compared || ' are ranges, bounds or equal'
        when 'only a bound'
            then 'the formula gives at least ' || shown.subject_label
            || ' drives; more, as printed, may be needed'
        when 'estimated by the paper' then 'the paper estimates the ' || quantity
        when 'other configuration'
            then 'the printed values of ' || compared || ' differ in ' || verdicts.differing_trait
        when 'value not printed'
            then concat(
                'not printed: ', quantity, ' of ', coalesce(nullif(verdicts.unmet, ''), compared),
                ', at ' || nullif(fixed, '')
            )
    end
{%- endmacro %}

{#- What a verdict rests on, in a buyer's words; docs.md has `judged_by`. -#}
{% macro judged_words(judged_by) -%}
    {%- set words = {
        'pairs': 'printed values side by side',
        'step by step': 'printed values, load by load',
        'plateau': 'where the printed curve levels off',
        'greatest of each side': 'the highest printed value of each',
        'printed factors': 'printed factors',
        'stated facts': 'facts in the paper',
        'arithmetic': 'cost of the RAID level',
        'drives to saturate': 'number of drives by the formula',
        'limit of the drives': 'computed limit of the drives',
        'limit of the links': 'computed limit of the links',
        'limit of the controller': 'printed limit of the controller'
    } -%}
    array_to_string(
        list_transform(
            string_split({{ judged_by }}, ', '),
            lambda rule: coalesce(
                map(
                    ['{{ words.keys() | join("', '") }}'],
                    ['{{ words.values() | join("', '") }}']
                )[rule], rule
            )
        ), ', '
    )
{%- endmacro %}
