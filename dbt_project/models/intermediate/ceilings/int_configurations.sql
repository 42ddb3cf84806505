-- What ceilings are derived for: arrays with the profiles they were measured with; arrays that
-- could be built, with the profiles that documents name and at which their drive was measured
-- alone; and again what was measured, as if it were not (`left_out`), to test predictions.
-- A drive's sequential throughput is that of large blocks: it predicts nothing of small ones. What
-- sidecars say differently of a drive that the catalog does not know is the first by name.
with measured as (
    select
        array_id,
        profile_id,
        any_value(controller_id) as controller_id,
        any_value(drive_id) as drive_id,
        any_value(raid_level) as raid_level,
        any_value(drive_count) as drive_count,
        min(drive_interface) as drive_interface,
        min(drive_media) as drive_media,
        'measured' as purpose,
    from {{ ref('int_measurements') }}
    group by array_id, profile_id
),

standard_profiles as (
    select
        profile_id,
        min(random_ratio) as random_ratio,
        min(block_mix[1].block_bytes) as min_block_bytes,
    from {{ ref('int_load_profiles') }}
    where document_id is not null and random_ratio is not null and read_ratio is not null
    group by profile_id
),

what_if as (
    select
        arrays.*,
        profiles.profile_id,
        'what-if' as purpose,
    from {{ ref('int_what_if_arrays') }} as arrays
    cross join standard_profiles as profiles
    inner join {{ ref('int_drive_rates') }} as rates using (drive_id, profile_id)
    where
        rates.left_out is null
        and if(
            profiles.random_ratio > 0,
            rates.iops is not null,
            profiles.min_block_bytes >= 65536
            and rates.read_bytes_per_second is not null
            and rates.write_bytes_per_second is not null
        )
)

select * from measured
union all by name
select * from what_if
union all by name
select
    * exclude (document_id, page, iops, bytes_per_second, value_qualifier, measurement_id)
    replace ('back-test-' || measurement_id as array_id),
    measurement_id as left_out,
    'back-test' as purpose,
from {{ ref('int_back_tests') }}
