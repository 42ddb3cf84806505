-- Every limit on both bases, with its place among those of its array and profile: the least binds.
-- Of equal ones the first on the way from the drives to the host does.
with limits as (
    select
        ceilings.* exclude (bytes_per_second, iops, formula, practical_ratio),
        bases.basis,
        ceilings.bytes_per_second
        * if(bases.basis = 'practical', ceilings.practical_ratio, 1) as bytes_per_second,
        ceilings.iops * if(bases.basis = 'practical', ceilings.practical_ratio, 1) as iops,
        ceilings.formula || if(
            bases.basis = 'practical' and ceilings.practical_ratio < 1,
            ', of which ' || {{ whole('100 * ceilings.practical_ratio') }} || ' % are practical',
            ''
        ) as formula,
        list_position(
            ['drives', 'disk interface', 'controller', 'host interface'], ceilings.ceiling_kind
        ) as place,
    from {{ ref('int_ceilings') }} as ceilings
    cross join (values ('theoretical'), ('practical')) as bases (basis)
)

select
    * exclude (place),
    row_number() over (
        partition by array_id, profile_id, basis
        order by bytes_per_second asc nulls last, iops asc nulls last, place asc
    ) as bytes_rank,
    row_number() over (
        partition by array_id, profile_id, basis order by iops asc nulls last, place asc
    ) as iops_rank,
from limits
