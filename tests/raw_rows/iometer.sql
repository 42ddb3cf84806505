-- The ALL row of a block is a measurement and sums up the block's other rows. What the companion
-- file of updates repeats of a results file is a measurement there.
with measured as (
    select
        *,
        cast(regexp_extract(source_position, '^line (\d+)', 1) as bigint) as line,
    from marts.measurements
    where source_format = 'iometer'
),

rows as (
    select
        *,
        'in the total' as role,
    from raw.iometer_results
    union all by name
    select
        *,
        'before the total' as role,
    from raw.iometer_updates
),

totals as (
    from rows
    where row_type = 'ALL'
),

blocks as (
    select
        file_id,
        block_index,
        blocks.header = 'H4' as is_companion,
        totals.line as total_line,
        coalesce(totals.line, blocks.line) as line,
        totals.iops,
        totals.response_time_mean_ms,
    from raw.iometer_blocks as blocks
    left join totals using (file_id, block_index)
),

results as (
    select
        sources.path,
        blocks.*,
        list(own.measurement_id) filter (own.measurement_id is not null) as own,
        list(twins.measurement_id) filter (twins.measurement_id is not null) as twins,
    from blocks
    inner join raw.sources using (file_id)
    left join measured as own
        on
            sources.path = own.source_path
            and blocks.line = own.line
            and blocks.iops is not distinct from own.iops
    left join measured as twins
        on
            blocks.is_companion
            and blocks.iops = twins.iops
            and twins.latency_mean_us is not distinct from
            round(nullif(blocks.response_time_mean_ms, 0) * 1000, 3)
            and twins.measurement_id is distinct from own.measurement_id
    where sources.is_current
    group by all
)

select
    results.path,
    'line ' || rows.line as place,
    case
        when results.own is not null
            then if(rows.line = results.total_line, 'measurement', rows.role)
        when results.twins is not null then 'repeats a results file'
        when results.is_companion and results.total_line is null then 'of a test without a total'
    end as fate,
    if(results.own is null, 0, 1) as wanted,
    coalesce(results.own, []) as found,
from rows
left join results using (file_id, block_index)
