-- Claims of how many drives a controller takes: of several profiles the most. Without the
-- controller's own most no claim is confirmed, but one that exceeds the room of its links is
-- contradicted.
with counted as (
    select
        *,
        bool_and(most_iops is not null) over claim as is_measured,
        count(*) over claim as pair_count,
    from {{ ref('int_claims__drive_counts') }}
    window claim as (partition by claim_id)
)

select
    claim_id,
    case
        when needed_count < claimed_value then 'contradicted'
        when not is_measured then 'not decidable'
        when needed_count = claimed_value then 'confirmed'
        else 'contradicted'
    end as verdict,
    'the most that '
    || controller
    || ' does at '
    || raid_level
    || ' and this profile, measured with'
    || ' enough drives: its links have room for ' || cast(needed_count as bigint) as missing,
    coalesce(most_iops, link_iops) as subject_value,
    drive_iops as object_value,
    'iops' as compared_unit,
    needed_count as derived_ratio,
    pair_count,
    most_measurement_id as subject_measurement_id,
    measurement_id as object_measurement_id,
    coalesce(most_measurement_id || stand_in, 'links of ' || controller) || '; ' || measurement_id
    || ' / accesses at ' || raid_level as inputs,
    'drives to saturate' as judged_by,
from counted
qualify
    row_number() over (
        partition by claim_id order by needed_count desc, most_iops desc, profile_tag asc
    ) = 1
