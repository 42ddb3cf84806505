-- Arrays that could be built, at the load profiles that can be predicted for their drive. Documents
-- must name the profile. Either the drive was measured alone at it, or its data sheet gives an
-- upper bound and three documents name the profile, or one its application. Sequential throughput,
-- measured or rated, is that of large blocks and does not predict small ones.
with alone as (
    select
        drive_id,
        list(profile_id) filter (iops is not null) as profile_ids,
        bool_or(sequential_read_ratio = 1 and bytes_per_second is not null)
        and bool_or(sequential_read_ratio = 0 and bytes_per_second is not null)
            as is_sequential_known,
    from {{ ref('int_drive_rates') }}
    where left_out is null
    group by drive_id
),

published as (
    select *
    from {{ ref('int_load_profiles') }}
    where published_names is not null
),

-- limits the rows: a rated drive has a thousand per profile
common as (
    select profile_id
    from {{ ref('int_white_papers__profiles') }}
    group by profile_id
    having count(distinct document_id) >= 3 or count(application) > 0
),

predictable as (
    select
        alone.drive_id,
        published.profile_id,
    from alone
    inner join published
        on
            published.read_ratio is not null
            and case
                when published.random_ratio > 0
                    then list_contains(alone.profile_ids, published.profile_id)
                when published.random_ratio = 0
                    then alone.is_sequential_known and published.block_mix[1].block_bytes >= 65536
            end
    union
    select
        drive_id,
        profile_id,
    from {{ ref('int_drive_bounds') }}
    inner join published using (profile_id)
    inner join common using (profile_id)
    where published.random_ratio > 0 or published.block_mix[1].block_bytes >= 65536
),

arrays as (
    select
        what_if.*,
        predictable.profile_id,
        'what-if' as purpose,
        cast(null as varchar) as drive_interface,
        cast(null as varchar) as drive_media,
        cast(null as varchar) as left_out,
    from {{ ref('int_what_if_arrays') }} as what_if
    inner join predictable using (drive_id)
),

configured as (
    {{ configurations('arrays') }}
),

rated as (
    {{ with_drive_rates('configured') }}
)

{{ with_published_limits('rated') }}
