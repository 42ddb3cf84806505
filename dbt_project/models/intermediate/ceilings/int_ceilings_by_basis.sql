-- What limits an array at a load profile, in theory and in practice, with its place among the
-- limits of that array and profile: the least binds. Of equal ones the first on the way from the
-- drives to the host does. What cannot be derived says why, and has no number.
with limits as (
    select
        *,
        {{ practical_ratio() }} as practical_ratio,
    from {{ ref('int_ceilings__interfaces') }}
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
),

derived as (
    select * from limits
    where missing_reason is null
    union all by name
    select
        array_id,
        profile_id,
        ceiling_kind,
        missing_reason,
    from limits
    where missing_reason is not null
),

by_basis as (
    select
        derived.array_id,
        derived.profile_id,
        arrays.purpose,
        derived.ceiling_kind,
        derived.missing_reason,
        derived.known_from,
        bases.basis,
        if(bases.basis = 'practical', derived.practical_ratio, 1) as share,
        share * coalesce(derived.bytes_per_second, derived.iops * arrays.mean_block_bytes)
            as bytes_per_second,
        share * coalesce(derived.iops, derived.bytes_per_second / arrays.mean_block_bytes) as iops,
        derived.formula
        || if(share < 1, ', of which ' || {{ whole('100 * share') }} || ' % are practical', '')
            as formula,
        list_position(
            ['drives', 'disk interface', 'controller', 'host interface'], derived.ceiling_kind
        ) as place,
    from derived
    inner join {{ ref('int_array_profiles') }} as arrays using (array_id, profile_id)
    cross join (values ('theoretical'), ('practical')) as bases (basis)
)

select
    * exclude (share, place),
    row_number() over (
        partition by array_id, profile_id, basis
        order by bytes_per_second asc nulls last, iops asc nulls last, place asc
    ) as bytes_rank,
    row_number() over (
        partition by array_id, profile_id, basis order by iops asc nulls last, place asc
    ) as iops_rank,
from by_basis
