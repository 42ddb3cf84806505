-- Where the rate of a run changes for good, as at a write cliff, before which a drive writes into
-- its cache: there the cumulative sum of the deviations from the mean has its extreme (CUSUM: Page
-- 1954, Taylor 2000). A change is noise if the two levels differ by less than twice the standard
-- deviation of the samples around them.
with samples as (
    select
        measurement_id,
        elapsed_seconds,
        written_bytes,
        {{ is_of_iops() }} as is_of_iops,
        if(is_of_iops, iops, bytes_per_second) as rate,
    from {{ ref('fct_run_rates') }}
    where is_of_whole_load
    qualify rate is not null
),

totals as (
    select
        measurement_id,
        count(*) as sample_count,
        {{ ordered_sum('rate') }} as total,
        {{ ordered_sum('rate * rate') }} as total_of_squares,
    from samples
    group by measurement_id
    having sample_count >= 10 and total > 0
),

sums as (
    select
        *,
        row_number() over so_far as before_count,
        sum(rate) over so_far as total_before,
    from samples
    inner join totals using (measurement_id)
    window so_far as (partition by measurement_id order by elapsed_seconds)
),

changes as (
    select *
    from sums
    where before_count between 2 and sample_count - 2
    qualify
        row_number() over (
            partition by measurement_id
            order by
                abs(total_before - total * before_count / sample_count) desc, elapsed_seconds asc
        ) = 1
)

select
    measurement_id,
    is_of_iops,
    elapsed_seconds as change_seconds,
    written_bytes as change_written_bytes,
    total_before / before_count as rate_before,
    (total - total_before) / (sample_count - before_count) as rate_after,
    rate_after / nullif(rate_before, 0) - 1 as change_ratio,
    sqrt(
        greatest(
            0,
            total_of_squares - before_count * rate_before * rate_before
            - (sample_count - before_count) * rate_after * rate_after
        ) / (sample_count - 2)
    ) as deviation,
    -- equal levels may differ in their last digits
    abs(rate_after - rate_before) >= greatest(2 * deviation, 1e-9 * rate_before) as is_lasting,
    sqrt(greatest(0, total_of_squares / sample_count - pow(total / sample_count, 2)))
    / (total / sample_count) as noise_ratio,
from changes
