-- Each limit of an array at a load profile, in theory and in practice, with what it is derived
-- from; what cannot be derived says why. The lowest is first, of equal ones the nearest to the
-- drives.
with kinds as (
    select
        *,
        'links' as derivation,
        {{ practical_ratio() }} as practical_ratio,
    from {{ ref('int_ceilings__interfaces') }}
    union all by name
    select *
    from {{ ref('int_ceilings__drives') }}
    union all by name
    select
        arrays.array_id,
        arrays.profile_id,
        'controller' as ceiling_kind,
        'published' as derivation,
        1 as practical_ratio,
        case
            when arrays.controller_id is null then 'controller not reported'
            when limits.measurement_id is null and arrays.is_own_controller
                then 'a drive on PCIe is its own controller'
            when limits.measurement_id is null
                then 'no document reports a limit of this controller at this level and profile'
        end as missing_reason,
        limits.bytes_per_second,
        limits.iops,
        limits.known_from,
        limits.measurement_id as source_measurement_id,
    from {{ ref('int_configurations') }} as arrays
    left join {{ ref('int_controller_limits') }} as limits
        on
            arrays.controller_id = limits.controller_id
            and arrays.profile_id = limits.profile_id
            and arrays.raid_level = limits.raid_level
            and arrays.left_out is not distinct from limits.left_out
),

limits as (
    select
        kinds.* exclude (iops, bytes_per_second),
        arrays.purpose,
        bases.basis,
        if(bases.basis = 'practical', kinds.practical_ratio, 1) as basis_ratio,
        if(kinds.missing_reason is null, basis_ratio, null)
        * coalesce(kinds.bytes_per_second, kinds.iops * arrays.mean_block_bytes)
            as bytes_per_second,
        if(kinds.missing_reason is null, basis_ratio, null)
        * coalesce(kinds.iops, kinds.bytes_per_second / arrays.mean_block_bytes) as iops,
        -- a limit of a cheaper level, or of one direction, leaves open what this one is
        coalesce(kinds.known_from not in ('controller', 'twin'), false)
        or kinds.missing_reason is not null
        and not (
            coalesce(arrays.is_own_controller, false)
            and kinds.ceiling_kind in ('controller', 'host interface')
        ) as is_unknown,
    from kinds
    inner join {{ ref('int_configurations') }} as arrays using (array_id, profile_id)
    cross join (values ('theoretical'), ('practical')) as bases (basis)
)

select
    * exclude (basis_ratio) replace (basis_ratio as practical_ratio),
    row_number() over (
        partition by array_id, profile_id, basis
        order by
            bytes_per_second asc nulls last,
            iops asc nulls last,
            list_position(
                ['drives', 'disk interface', 'controller', 'host interface'], ceiling_kind
            ) asc
    ) as limit_order,
from limits
