-- What limits an array at a profile, what it reached, and what would limit it next. The limits are
-- the practical ones; of equal ones the same binds as in fct_ceilings.
with limits as (
    select
        *,
        bytes_rank as rank,
    from {{ ref('int_ceilings_by_basis') }}
    where purpose = 'measured' and basis = 'practical' and bytes_per_second is not null
),

best as (
    select
        array_id,
        profile_id,
        max(bytes_per_second) as bytes_per_second,
        max(iops) as iops,
        max(attained_ratio) as attained_ratio,
        arg_max(measurement_id, (attained_ratio, measurement_id)) as measurement_id,
    from {{ ref('measurements') }}
    where is_valid and not is_derived and attained_ratio is not null
    group by array_id, profile_id
),

unknown as (
    select
        array_id,
        profile_id,
        string_agg(ceiling_kind || ': ' || missing_reason, '; ' order by ceiling_kind) as reasons,
    from {{ ref('fct_ceilings') }}
    where basis = 'practical' and ceiling_kind != 'effective' and missing_reason is not null
    group by array_id, profile_id
)

select
    arrays.array_id,
    arrays.array_label,
    coalesce(controllers.vendor, drives.vendor, 'not stated') as vendor,
    coalesce(controllers.controller, 'not stated') as controller,
    profiles.profile_id,
    profiles.profile_label,
    best.measurement_id as best_measurement_id,
    best.bytes_per_second as attained_bytes_per_second,
    best.iops as attained_iops,
    best.attained_ratio,
    first_limit.ceiling_kind as binding_ceiling,
    first_limit.bytes_per_second as ceiling_bytes_per_second,
    first_limit.iops as ceiling_iops,
    first_limit.formula,
    next_limit.ceiling_kind as next_binding_ceiling,
    next_limit.bytes_per_second as next_ceiling_bytes_per_second,
    next_limit.bytes_per_second / first_limit.bytes_per_second as upgrade_ratio,
    unknown.reasons as missing_limits,
from best
inner join {{ ref('dim_arrays') }} as arrays using (array_id)
left join {{ ref('dim_controllers') }} as controllers
    on arrays.controller_id = controllers.controller_id
left join {{ ref('dim_drives') }} as drives on arrays.drive_id = drives.drive_id
inner join {{ ref('dim_load_profiles') }} as profiles on best.profile_id = profiles.profile_id
inner join limits as first_limit
    on
        best.array_id = first_limit.array_id
        and best.profile_id = first_limit.profile_id
        and first_limit.rank = 1
left join limits as next_limit
    on
        best.array_id = next_limit.array_id
        and best.profile_id = next_limit.profile_id
        and next_limit.rank = 2
left join unknown
    on best.array_id = unknown.array_id and best.profile_id = unknown.profile_id
