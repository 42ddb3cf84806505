-- The representative value of an array at a load profile: the highest of its printed values, or of
-- the medians of its own series. An exact value wins over others that are less than a tenth higher,
-- any value over an "up to", and the paper's usual processor over one that it names. The run
-- nearest to the median represents its series; of equal ones the newest. An array with printed
-- values and own runs has one value of each.
{%- set values = [
    'iops', 'bytes_per_second', 'latency_mean_us', 'attained_ratio', 'headline_value'
] %}
with runs as (
    select
        measurement_id,
        array_id,
        array_label,
        profile_id,
        document_id is null as is_own,
        measured_at,
        value_qualifier,
        has_own_processor,
        headline_value,
        {% for value in values -%}
            median({{ value }}) over series as median_{{ value }},
        {% endfor -%}
        min(headline_value) over series as min_headline_value,
        max(headline_value) over series as max_headline_value,
        count(*) over series as run_count,
    from {{ ref('rpt_measurements') }}
    where is_valid and not is_derived and headline_value > 0 and is_superseded is not true
    window series as (partition by array_id, profile_id, coalesce(series_id, measurement_id))
),

judged as (
    select
        *,
        value_qualifier = 'exact'
        and median_headline_value >= 0.9 * max(median_headline_value)
            over (partition by array_id, profile_id, is_own, has_own_processor) as is_near_exact,
    from runs
),

ranked as (
    select
        *,
        row_number() over (
            order by
                has_own_processor asc, is_near_exact desc, value_qualifier = 'at_most' asc,
                median_headline_value desc, value_qualifier = 'exact' desc,
                abs(headline_value - median_headline_value) asc, measured_at desc,
                measurement_id asc
        ) as place,
    from judged
),

chosen as (
    select
        *,
        -- arrays that differ only in their stripes have one label
        place = min(place) over (partition by array_label, profile_id, is_own) as is_first_of_label,
    from ranked
    qualify place = min(place) over (partition by array_id, profile_id, is_own)
)

select
    points.* exclude (attained_label) replace (
        {% for value in values -%}
            chosen.median_{{ value }} as {{ value }}{% if not loop.last %},{% endif %}
        {% endfor -%}
    ),
    chosen.min_headline_value,
    chosen.max_headline_value,
    chosen.run_count,
    chosen.is_first_of_label,
    if(points.headline_metric = 'iops', points.ceiling_iops, points.ceiling_bytes_per_second)
        as ceiling_value,
from chosen
inner join {{ ref('rpt_measurements') }} as points using (measurement_id)
