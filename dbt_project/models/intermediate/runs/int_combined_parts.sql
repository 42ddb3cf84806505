-- Results of the same load that ran at once, where headroom.yml says `combine: host`: each overlaps
-- with those before by more than half of its runtime. The clocks of hosts differ, so that runs that
-- follow each other may seem to overlap a little.
{%- set load = [
    'combine_below', 'source_format', 'tool_name', 'profile_id', 'condition',
    'outstanding_io_count', 'worker_count', 'io_engine', 'file_size_bytes',
    'requested_runtime_seconds', 'is_example', 'job'
] %}
with results as (
    select
        *,
        {{ job('source_position') }} as job,
        epoch(measured_at) as ended_seconds,
        ended_seconds - runtime_seconds as started_seconds,
    from ({{ described_runs() }}) as described
    where combine_below is not null and measured_at is not null and runtime_seconds > 0
),

ordered as (
    select
        *,
        md5(cast(row({{ load | join(', ') }}) as varchar)) as load_id,
        max(ended_seconds) over (
            partition by load_id
            order by started_seconds, measurement_id
            rows between unbounded preceding and 1 preceding
        ) as ended_before_seconds,
    from results
),

batches as (
    select
        *,
        sum(if(ended_before_seconds - started_seconds > 0.5 * runtime_seconds, 0, 1)) over (
            partition by load_id
            order by started_seconds, measurement_id
            rows between unbounded preceding and current row
        ) as batch_number,
    from ordered
)

select
    * exclude (load_id, batch_number, ended_before_seconds, implausibility),
    'combined-' || min(measurement_id) over batch as combined_id,
from batches
window batch as (partition by load_id, batch_number)
qualify count(*) over batch > 1
