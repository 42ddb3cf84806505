-- The representative value of an array at a load profile: the highest of its printed values, or of
-- the medians of its own series. An exact value wins over others that are less than a tenth higher,
-- any value over an "up to", and the paper's usual processor over one that it names. The run
-- nearest to the median represents its series; of equal ones the newest. An array with printed
-- values and own runs has one value of each.
with runs as (
    select *
    from {{ ref('rpt_measurements') }}
    where is_valid and not is_derived and headline_value > 0 and is_superseded is not true
),

loads as (
    select
        list(measurement_id) as measurement_ids,
        median(headline_value) as median_value,
        min(headline_value) as min_headline_value,
        max(headline_value) as max_headline_value,
        median(iops) as iops,
        median(bytes_per_second) as bytes_per_second,
        median(latency_mean_us) as latency_mean_us,
        median(attained_ratio) as attained_ratio,
        count(*) as run_count,
    from runs
    group by array_id, profile_id, coalesce(series_id, measurement_id)
),

runs_of_loads as (
    select
        loads.* exclude (measurement_ids),
        runs.measurement_id,
        runs.array_id,
        runs.array_label,
        runs.profile_id,
        runs.document_id is null as is_own,
        runs.measured_at,
        runs.value_qualifier,
        runs.has_own_processor,
        runs.headline_value as run_value,
    from loads
    cross join unnest(loads.measurement_ids) as members (measurement_id)
    inner join runs using (measurement_id)
),

judged as (
    select
        *,
        value_qualifier = 'exact'
        and median_value >= 0.9 * max(median_value)
            over (partition by array_id, profile_id, is_own, has_own_processor) as is_near_exact,
    from runs_of_loads
),

ranked as (
    select
        *,
        row_number() over (
            order by
                has_own_processor asc, is_near_exact desc, value_qualifier = 'at_most' asc,
                median_value desc, value_qualifier = 'exact' desc,
                abs(run_value - median_value) asc, measured_at desc, measurement_id asc
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
        chosen.median_value as headline_value,
        chosen.iops as iops,
        chosen.bytes_per_second as bytes_per_second,
        chosen.latency_mean_us as latency_mean_us,
        chosen.attained_ratio as attained_ratio
    ),
    chosen.min_headline_value,
    chosen.max_headline_value,
    chosen.run_count,
    chosen.is_first_of_label,
    if(points.headline_metric = 'iops', points.ceiling_iops, points.ceiling_bytes_per_second)
        as ceiling_value,
from chosen
inner join {{ ref('rpt_measurements') }} as points using (measurement_id)
