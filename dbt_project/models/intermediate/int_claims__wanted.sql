-- A claim with the tags of its two sides and of what it holds fixed, and the interval in which
-- the ratio subject / object lies if it is true. A range of load or drives is both sides: each
-- step.
with read_claims as (
    select
        claims.*,
        if(claims.compares = 'setting', 'condition', claims.compares) as dimension,
        readings.wanted_conditions,
        readings.unread,
        coalesce(readings.is_any_enough, false) as is_any_enough,
        coalesce(readings.is_of_maxima, false) as is_of_maxima,
        coalesce(readings.is_theory, false) as is_theory,
        coalesce(readings.is_of_low_load, false) as is_of_low_load,
        coalesce(readings.is_of_high_load, false) as is_of_high_load,
        {{ claim_tolerance('claimed_value', 'as_printed', 'value_qualifier') }} as tolerance,
        if(claims.relation = 'percent_higher', 1, 0) as added_ratio,
        -- the numbers between which a curve is followed
        case
            when
                claims.compares in ('outstanding_io_count', 'drive_count')
                and claims.relation in ('increases', 'scales_linearly', 'unaffected')
                and regexp_matches(
                    concat_ws('; ', claims.subject, claims.object),
                    '^\d+( to \d+)?( per drive)?(; \d+)?$'
                )
                then list_transform(
                    regexp_extract_all(concat_ws('; ', claims.subject, claims.object), '\d+'),
                    lambda number: cast(number as bigint)
                )
        end as steps,
        -- the load from which on a curve is said to be flat
        case
            when
                claims.relation = 'limit_reached'
                and claims.compares = 'outstanding_io_count'
                then coalesce(
                    nullif(regexp_extract(claims.as_printed, 'from (about )?(\d+)', 2), ''),
                    claims.subject
                )
        end as knee,
    from {{ ref('int_claims') }} as claims
    left join {{ ref('int_claims__readings') }} as readings using (claim_id)
)

select
    * exclude (tolerance, added_ratio, wanted_conditions),
    {{ claim_tags('dimension', 'coalesce(knee, subject)') }} as subject_tags,
    {{ claim_tags('dimension', 'object') }} as object_tags,
    compares not in ('controller', 'drive', 'raid_level', 'server', 'generation', 'cpu')
    and coalesce(controllers, raid_levels, drives, drive_counts, profile_names) is null
        as is_general,
    subject like 'other %' as is_subject_any_other,
    coalesce(object like 'other %', false) as is_object_any_other,
    {{ claim_tags("'controller'", 'controllers') }} as wanted_controllers,
    {{ claim_tags("'raid_level'", 'raid_levels') }} as wanted_raid_levels,
    {{ claim_tags("'drive'", 'drives') }} as wanted_drives,
    {{ claim_tags("'drive_count'", 'drive_counts') }} as wanted_drive_counts,
    case when compares != 'profile' then {{ claim_tags("'profile'", 'profile_names') }} end
        as wanted_profiles,
    coalesce(wanted_conditions, []) as wanted_conditions,
    case
        when relation in ('higher', 'increases') then 1 + 1e-9
        when relation in ('lower') then 0
        when relation in ('similar', 'scales_linearly') then {{ similar_ratio() }}
        when relation = 'unaffected' then {{ unaffected_ratio() }}
        when relation = 'limit_reached' then {{ reached_ratio() }}
        when value_qualifier = 'at_most' then 0
        when value_qualifier = 'at_least' then claimed_value + added_ratio
        when value_qualifier = 'range' then min_claimed_value + added_ratio
        else claimed_value + added_ratio - tolerance
    end as low_ratio,
    case
        when relation in ('higher', 'increases', 'limit_reached') then cast('infinity' as double)
        when relation = 'lower' then 1 - 1e-9
        when relation in ('similar', 'scales_linearly') then 1 / {{ similar_ratio() }}
        when relation = 'unaffected' then 1 / {{ unaffected_ratio() }}
        when value_qualifier = 'at_most' then claimed_value + added_ratio
        when value_qualifier = 'at_least' and as_printed like '%little more%'
            then (claimed_value + added_ratio) * 1.25
        when value_qualifier = 'at_least' then cast('infinity' as double)
        when value_qualifier = 'range' then max_claimed_value + added_ratio
        else claimed_value + added_ratio + tolerance
    end as high_ratio,
from read_claims
