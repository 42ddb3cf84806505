-- The lowest limit that is known of an array at a load profile, other than the value that is held
-- against it: a paper's maximum is no share of itself. Where another limit is not known the array's
-- own may be lower than this one.
with limits as (
    select
        points.profile_id,
        points.array_label,
        nullif(if(points.headline_metric = 'iops', limits.iops, limits.bytes_per_second), 0)
            as limit_value,
        coalesce(
            limits.ceiling_kind = 'controller'
            and (
                limits.formula = 'published: ' || points.measurement_id
                or abs(limit_value / points.headline_value - 1) < 1e-9
            ), false
        ) as is_the_value,
        case limits.ceiling_kind
            when 'drives' then regexp_extract(limits.formula, '^\d+ (reading )?drives?( of data)?')
            when 'controller' then 'published maximum of the controller'
            else regexp_extract(limits.formula, '^[^/(]*[^/( ]')
        end as limit_name,
        limit_value is not null and not is_the_value
        or coalesce(
            limits.missing_reason in (
                'one drive is its own measure', 'the link of a drive on PCIe is the disk interface'
            ), false
        ) as is_known,
    from {{ ref('int_compared_values') }} as points
    inner join {{ ref('fct_ceilings') }} as limits using (array_id, profile_id)
    where limits.basis = 'practical' and limits.ceiling_kind != 'effective'
)

select
    profile_id,
    array_label,
    min(limit_value) filter (not is_the_value) as limit_value,
    arg_min(limit_name, (limit_value, limit_name))
    filter (not is_the_value and limit_value is not null) as limit_name,
    bool_or(is_the_value) as is_published_maximum,
    bool_and(is_known) as has_all_limits,
from limits
group by profile_id, array_label
