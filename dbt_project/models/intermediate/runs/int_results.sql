-- Every source in one shape. A sidecar says what system a run was of, and goes before the file in
-- what it says of the load; a paper says it all itself. An implausible result does not count. An
-- array is called by what it is made of. Where nobody
-- states controller and drives all that is known is who measured it: what a document says of it
-- there, or the folder of the results. Two folders may have one slug: so the hash.
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
    select * from {{ ref('int_combined_results') }}
),

parts as (
    select
        measurement_id,
        combined_id,
    from {{ ref('int_combined_parts') }}
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
    from measurements
    left join parts using (measurement_id)
)

select
    * exclude (array_name, folder, implausibility, combine_below, has_own_processor),
    {{ slug('controller') }} as controller_id,
    {{ slug('drive') }} as drive_id,
    {{ slug('array_name') }} as array_id,
    coalesce(has_own_processor, false) as has_own_processor,
    {{ series_name() }} as series_name,
    {{ series_id() }} as series_id,
from named
