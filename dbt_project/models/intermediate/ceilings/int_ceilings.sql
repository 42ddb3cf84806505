-- What limits an array at a load profile, a row a limit, in bytes and in I/Os per second; what
-- cannot be derived says why. `practical_ratio`: how much of it is reached in practice.
with limits as (
    select
        *,
        'disk interface' as ceiling_kind,
        {{ practical_ratio() }} as practical_ratio,
    from {{ ref('int_ceilings__disk_interfaces') }}
    union all by name
    select
        *,
        'host interface' as ceiling_kind,
        {{ practical_ratio() }} as practical_ratio,
    from {{ ref('int_ceilings__host_interfaces') }}
    union all by name
    select
        *,
        'drives' as ceiling_kind,
    from {{ ref('int_ceilings__drives') }}
    union all by name
    select
        *,
        'controller' as ceiling_kind,
        1 as practical_ratio,
    from {{ ref('int_ceilings__controllers') }}
)

select
    limits.array_id,
    limits.profile_id,
    profiles.purpose,
    limits.ceiling_kind,
    limits.missing_reason,
    case
        when limits.missing_reason is null
            then coalesce(limits.bytes_per_second, limits.iops * profiles.mean_block_bytes)
    end as bytes_per_second,
    case
        when limits.missing_reason is null
            then coalesce(limits.iops, limits.bytes_per_second / profiles.mean_block_bytes)
    end as iops,
    case when limits.missing_reason is null then limits.practical_ratio end as practical_ratio,
    case when limits.missing_reason is null then limits.known_from end as known_from,
    case when limits.missing_reason is null then limits.formula end as formula,
from limits
inner join {{ ref('int_array_profiles') }} as profiles using (array_id, profile_id)
