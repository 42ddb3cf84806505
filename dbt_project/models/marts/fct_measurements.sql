-- Every source in one shape. The catalog overrides a source's facts about a controller or a drive.
-- Implausible results are invalid. An array's id names its parts; without controller and drive, it
-- names the document and condition, or the results folder, with a hash because two folders may have
-- the same slug.
with measurements as (
    select
        printed.* exclude (
            sheet_path, is_stripe_controller_default, stated, io_rate, data_rate, is_valid
        )
        replace (
            coalesce(printed.stripe_bytes, controllers.default_stripe_bytes) as stripe_bytes
        ),
        regexp_replace(files.path, 'document\.yml$', printed.sheet_path) as source_path,
        case
            when printed.is_valid
                then {{ implausibility(
                    'profiles.block_bytes', 'printed.outstanding_io_count',
                    ['printed.outstanding_io_count', 'printed.worker_count'],
                    ends=['min_iops', 'max_iops', 'max_bytes_per_second'],
                    others=[
                        'min_bytes_per_second', 'min_latency_mean_us', 'max_latency_mean_us',
                        'latency_min_us', 'latency_max_us', 'latency_p50_us', 'latency_p95_us',
                        'latency_p99_us', 'latency_p999_us'
                    ],
                    is_exact="printed.value_qualifier = 'exact'"
                ) }}
        end as implausibility,
        implausibility is null as is_plausible,
        printed.is_valid and is_plausible as is_valid,
        implausibility as validity_note,
        false as is_example,
    from {{ ref('int_white_papers__measurements') }} as printed
    inner join {{ ref('stg_files') }} as files using (file_id)
    left join {{ ref('int_controllers') }} as controllers
        on
            {{ slug('printed.controller') }} = controllers.controller_id
            and printed.is_stripe_controller_default
            and printed.raid_level != 'JBOD'
    left join {{ ref('int_load_profiles') }} as profiles using (profile_id)
    union all by name
    select * from ({{ described_runs() }}) as described
    union all by name
    select * exclude (part_ids) from {{ ref('int_combined_results') }}
),

parts as (
    select
        measurement_id as combined_id,
        unnest(part_ids) as part_id,
    from {{ ref('int_combined_results') }}
),

named as (
    select
        *,
        case
            when coalesce(controller, drive) is null
                then coalesce(folder, concat_ws(': ', document_id, condition))
        end as system_source,
        concat_ws(
            ' ',
            coalesce(controller, if(system_source is null, 'no-controller', 'unstated')),
            coalesce(raid_level, 'no-raid'),
            coalesce(drive_count || 'x', 'drives'),
            coalesce(drive, drive_media || 's', 'unstated'),
            'stripe ' || {{ size_label('stripe_bytes') }},
            system_source,
            left(md5(system_source), 6)
        ) as array_name,
        {{ slug('controller') }} as controller_id,
        {{ slug('drive') }} as drive_id,
        {{ slug('array_name') }} as array_id,
        {{ series_name() }} as series_name,
        {{ series_id() }} as series_id,
    from measurements
    left join parts on measurements.measurement_id = parts.part_id
),

percentiles as (
    select
        measurement_id,
        {% for name, ratio in [('p50', 0.5), ('p95', 0.95), ('p99', 0.99), ('p999', 0.999)] -%}
            {% for latency in ['latency', 'min_latency', 'max_latency'] -%}
                max({{ latency }}_us) filter (where percentile_ratio = {{ ratio }})
                    as {{ latency }}_{{ name }}_us,
            {% endfor -%}
        {% endfor -%}
    from {{ ref('int_fio__percentiles') }}
    where is_of_measurement
    group by measurement_id
)

select
    named.* exclude (
        array_name, part_id, folder, implausibility, combine_below, last_page,
        queue_depth_per_drive, read_ratio
    ) replace (
        coalesce(
            controllers.vendor, named.vendor, if(named.controller_id is null, drives.vendor, null)
        ) as vendor,
        coalesce(controllers.controller_generation, named.controller_generation)
            as controller_generation,
        coalesce(drives.drive_media, named.drive_media) as drive_media,
        coalesce(drives.drive_interface, named.drive_interface) as drive_interface,
        {% for name in ['p50', 'p95', 'p99', 'p999'] -%}
            coalesce(percentiles.latency_{{ name }}_us, named.latency_{{ name }}_us)
                as latency_{{ name }}_us,
        {% endfor -%}
        coalesce(named.has_own_processor, false) as has_own_processor
    ),
    percentiles.* exclude (
        measurement_id, latency_p50_us, latency_p95_us, latency_p99_us, latency_p999_us
    ),
    named.queue_depth_per_drive as per_drive_outstanding_io_count,
    {{ page_span('named.page', 'named.last_page') }} as pages,
    named.is_example and superseded.file_id is not null or named.combined_id is not null
        as is_superseded,
from named
left join percentiles using (measurement_id)
left join {{ ref('int_controllers') }} as controllers using (controller_id)
left join {{ ref('int_drives') }} as drives using (drive_id)
left join {{ ref('int_superseded_examples') }} as superseded on named.file_id = superseded.file_id
order by named.measurement_id
