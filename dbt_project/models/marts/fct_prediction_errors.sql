-- By how much predictions exceed printed values at worst, per class: evidence, qualifier, missing
-- limits, medium, with or without parity, sequential or not. Only arrays in documents count,
-- because own runs need not reach an array's maximum. A printed number counts once, for however
-- many arrays. Of five numbers, four are above the low value that the others give; fewer numbers
-- say nothing about the next one.
with numbers as (
    select
        predictions.evidence,
        predictions.value_qualifier,
        predictions.missing_limits,
        predictions.drive_media,
        predictions.is_sequential,
        levels.parity_drive_count > 0 as has_parity,
        row(points.document_id, coalesce(points.bytes_per_second, points.iops)) as printed_number,
        max(
            coalesce(
                predictions.bytes_per_second / points.bytes_per_second,
                predictions.iops / points.iops
            )
        ) as predicted_ratio,
        min(
            coalesce(
                predictions.high_bytes_per_second / points.bytes_per_second,
                predictions.high_iops / points.iops
            )
        ) as high_ratio,
    from {{ ref('int_predictions') }} as predictions
    inner join {{ ref('fct_measurements') }} as points
        on predictions.left_out = points.measurement_id
    left join {{ ref('dim_raid_levels') }} as levels
        on predictions.raid_level = levels.raid_level
    where
        predictions.binding_ceiling is not null
        and predictions.drive_count is distinct from 1
        and points.document_id is not null
    group by all
),

-- is_above_low: no error, or another number of the class has at least this error
compared as (
    select
        *,
        predicted_ratio <= 1 or count(*) over (
            partition by
                evidence, value_qualifier, missing_limits, drive_media, has_parity, is_sequential
            order by predicted_ratio desc
            range between unbounded preceding and current row
        ) > 1 as is_above_low,
    from numbers
)

select
    evidence,
    value_qualifier,
    missing_limits,
    drive_media,
    has_parity,
    is_sequential,
    count(*) as tested_number_count,
    if(
        tested_number_count >= {{ var('least_tested_numbers') }},
        greatest(max(predicted_ratio), 1), null
    ) as worst_ratio,
    median(predicted_ratio) as median_ratio,
    max(predicted_ratio) as max_ratio,
    avg(if(is_above_low, 1, 0)) as low_coverage_ratio,
    -- 0.99: a value read from a chart may be off by a hundredth
    avg(if(high_ratio >= 0.99, 1, 0)) as high_coverage_ratio,
from compared
group by evidence, value_qualifier, missing_limits, drive_media, has_parity, is_sequential
