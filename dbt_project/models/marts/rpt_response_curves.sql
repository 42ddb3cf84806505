-- A curve is what was measured of one array, profile, condition, engine and number of workers, in
-- one folder, while the outstanding I/Os grew; runs of one point are one row, their median, with
-- what binds the one that comes nearest. The knee is where latency begins to grow faster than
-- throughput, and does so to the end.
with points as (
    select
        coalesce(document_id, source_format) as source,
        array_id,
        profile_id,
        concat_ws('; ', condition, io_engine) as condition,
        {{ folder('source_path') }} as folder,
        worker_count,
        outstanding_io_count,
        median(iops) as iops,
        median(bytes_per_second) as bytes_per_second,
        median(latency_mean_us) as latency_mean_us,
        median(latency_p50_us) as latency_p50_us,
        median(latency_p99_us) as latency_p99_us,
        median(latency_p999_us) as latency_p999_us,
        any_value(ceiling_iops) as ceiling_iops,
        arg_max(binding_ceiling, (attained_ratio, binding_ceiling)) as binding_ceiling,
        count(*) as measurement_count,
        string_agg(measurement_id, ', ' order by measurement_id) as measurement_ids,
    from {{ ref('measurements') }}
    where is_valid and outstanding_io_count is not null and iops is not null
    group by all
),

steps as (
    select
        *,
        lead(iops) over curve / iops as throughput_growth,
        lead(latency_mean_us) over curve / latency_mean_us as latency_growth,
        count(*) over (
            partition by source, array_id, profile_id, condition, folder, worker_count
        ) as point_count,
    from points
    window curve as (
        partition by source, array_id, profile_id, condition, folder, worker_count
        order by outstanding_io_count
    )
),

curves as (
    select
        *,
        md5(concat_ws('|', source, array_id, profile_id, condition, folder, worker_count))
            as curve_id,
        coalesce(
            max(outstanding_io_count) filter (where latency_growth <= throughput_growth) over (
                partition by source, array_id, profile_id, condition, folder, worker_count
            ), 0
        ) as last_good_step,
    from steps
)

select
    curves.curve_id,
    curves.source,
    curves.array_id,
    arrays.array_label,
    coalesce(controllers.vendor, 'not stated') as vendor,
    coalesce(controllers.controller, 'not stated') as controller,
    coalesce(arrays.raid_level, 'not stated') as raid_level,
    curves.profile_id,
    profiles.profile_label,
    curves.condition,
    concat_ws(
        ', ', arrays.array_label, curves.condition, {{ counted('curves.worker_count', 'worker') }},
        case when curves.source in ('fio', 'iometer') then curves.folder end
    ) as curve_label,
    curves.worker_count,
    coalesce(curves.worker_count::varchar, 'not stated') as worker_label,
    curves.outstanding_io_count,
    (curves.iops)::double as iops,
    (curves.bytes_per_second)::double as bytes_per_second,
    (curves.latency_mean_us)::double as latency_mean_us,
    (curves.latency_p50_us)::double as latency_p50_us,
    (curves.latency_p99_us)::double as latency_p99_us,
    (curves.latency_p999_us)::double as latency_p999_us,
    curves.ceiling_iops,
    curves.binding_ceiling,
    'ceiling (' || curves.binding_ceiling || '): ' || arrays.array_label as ceiling_label,
    coalesce(
        curves.outstanding_io_count = min(curves.outstanding_io_count) filter (
            where
            curves.latency_growth > curves.throughput_growth
            and curves.outstanding_io_count > curves.last_good_step
        ) over (partition by curves.curve_id),
        false
    ) as is_knee,
    curves.measurement_count,
    string_split(curves.measurement_ids, ', ')[1] as measurement_id,
    curves.measurement_ids,
from curves
inner join {{ ref('dim_arrays') }} as arrays using (array_id)
inner join {{ ref('dim_load_profiles') }} as profiles
    on curves.profile_id = profiles.profile_id
left join {{ ref('dim_controllers') }} as controllers
    on arrays.controller_id = controllers.controller_id
where curves.point_count > 1
