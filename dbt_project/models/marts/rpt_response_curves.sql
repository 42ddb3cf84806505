-- A curve has the measurements of one array, profile, condition, engine and number of workers, in
-- one folder, by outstanding I/Os. Runs of one point are one row: their median, with the binding
-- ceiling of the run closest to its ceiling. The knee is where latency begins to grow faster than
-- throughput, and does so to the end. Boards name and colour a curve by its letter.
with measured as (
    select
        points.*,
        {% for name in ['p50', 'p99', 'p999'] -%}
            facts.min_latency_{{ name }}_us,
            facts.max_latency_{{ name }}_us,
        {% endfor -%}
    from {{ ref('rpt_measurements') }} as points
    left join {{ ref('fct_measurements') }} as facts using (measurement_id)
    where
        points.is_valid
        and points.outstanding_io_count is not null
        and points.iops is not null
        and points.is_superseded is not true
),

points as (
    select
        source,
        array_id,
        array_label,
        controller_label as controller,
        raid_level_label as raid_level,
        drive_media_label as drive_media,
        profile_id,
        profile_label,
        nullif(concat_ws('; ', condition, io_engine), '') as curve_condition,
        {{ folder('source_path') }} as folder,
        document_id is null as is_own,
        if(is_own, nullif(folder, ''), null) as own_folder,
        bool_or(is_example) as is_example,
        worker_count,
        md5(concat_ws('|', source, array_id, profile_id, curve_condition, folder, worker_count))
            as curve_id,
        outstanding_io_count,
        median(iops) as iops,
        median(bytes_per_second) as bytes_per_second,
        {% for name in ['mean', 'p50', 'p99', 'p999'] -%}
            {% set latency = 'latency_' ~ name ~ '_us' -%}
            median({{ latency }}) as {{ latency }},
            if(count({{ latency }}) = 0, min(min_{{ latency }}), null) as min_{{ latency }},
            if(count({{ latency }}) = 0, max(max_{{ latency }}), null) as max_{{ latency }},
        {% endfor -%}
        any_value(ceiling_iops) as ceiling_iops,
        max_by(binding_ceiling, (attained_ratio, binding_ceiling)) as binding_ceiling,
        min(vendor_label) as vendor,
        count(*) as measurement_count,
        min(measurement_id) as measurement_id,
        string_agg(measurement_id, ', ' order by measurement_id) as measurement_ids,
    from measured
    group by all
),

steps as (
    select
        *,
        lead(latency_mean_us) over curve / latency_mean_us
        > lead(iops) over curve / iops as is_steeper,
    from points
    window curve as (partition by curve_id order by outstanding_io_count)
    qualify count(*) over (partition by curve_id) > 1
),

curves as (
    select
        * exclude (curve_condition, folder, own_folder, is_steeper),
        curve_condition as condition,
        concat_ws(
            ', ', array_label, curve_condition, {{ counted('worker_count', 'worker') }}, own_folder
        ) as curve_label,
        concat_ws(', ', array_label, curve_condition, own_folder) as curve_name,
        {{ latency_range('latency_p99_us') }} as latency_p99_range,
        outstanding_io_count || ' / '
        || {{ quantity_label(three_digits('latency_mean_us'), "'us'") }} as knee_label,
        {{ compared_label('iops', "'iops'") }} as iops_label,
        coalesce(cast(worker_count as varchar), 'not reported') as worker_label,
        'ceiling (' || binding_ceiling || '), ' || {{ rounded_label('ceiling_iops', "'iops'") }}
            as ceiling_label,
        (
            is_steeper
            and lag(is_steeper ignore nulls) over curve is not true
            and bool_and(is_steeper) over (curve rows between current row and unbounded following)
        ) is true as is_knee,
    from steps
    window curve as (partition by curve_id order by outstanding_io_count)
)

select
    *,
    dense_rank() over (partition by profile_id order by curve_name, source) as curve_number,
    chr(65 + cast((curve_number - 1) % 26 as integer))
    || if(curve_number > 26, cast((curve_number - 1) // 26 + 1 as varchar), '') as curve_letter,
    curve_letter || ': ' || curve_name as lettered_label,
    max(
        if(
            is_knee,
            'knee at ' || {{ counted('outstanding_io_count', 'I/O') }} || ': '
            || {{ rounded_label('iops', "'iops'") }} || ', '
            || {{ rounded_label('latency_mean_us', "'us'") }},
            null
        )
    ) over (partition by curve_id) as knee_sentence,
from curves
