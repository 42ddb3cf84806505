-- What limits an array at a profile, what it reached, and what would limit it next. The limits are
-- the practical ones; of equal ones the same binds as in fct_ceilings.
with limits as (
    select
        array_id,
        profile_id,
        list(
            struct_pack(
                ceiling_kind := ceiling_kind,
                bytes_per_second := bytes_per_second,
                iops := iops,
                formula := formula
            ) order by bytes_rank
        ) filter (bytes_per_second is not null) as known,
        string_agg(ceiling_kind || ': ' || missing_reason, '; ' order by ceiling_kind)
            as missing_limits,
    from {{ ref('int_ceilings_by_basis') }}
    where purpose = 'measured' and basis = 'practical'
    group by array_id, profile_id
),

best as (
    select
        array_id,
        any_value(array_label) as array_label,
        coalesce(min(vendor), 'not stated') as vendor,
        coalesce(any_value(controller), 'not stated') as controller,
        profile_id,
        any_value(profile_label) as profile_label,
        max_by(measurement_id, (attained_ratio, measurement_id)) as best_measurement_id,
        max(bytes_per_second) as attained_bytes_per_second,
        max(iops) as attained_iops,
        max(attained_ratio) as attained_ratio,
    from {{ ref('measurements') }}
    where is_valid and not is_derived and attained_ratio is not null
    group by array_id, profile_id
)

select
    best.*,
    limits.known[1].ceiling_kind as binding_ceiling,
    limits.known[1].bytes_per_second as ceiling_bytes_per_second,
    limits.known[1].iops as ceiling_iops,
    limits.known[1].formula as formula,
    limits.known[2].ceiling_kind as next_binding_ceiling,
    limits.known[2].bytes_per_second as next_ceiling_bytes_per_second,
    limits.known[2].bytes_per_second / limits.known[1].bytes_per_second as upgrade_ratio,
    limits.missing_limits,
from best
inner join limits using (array_id, profile_id)
where limits.known is not null
