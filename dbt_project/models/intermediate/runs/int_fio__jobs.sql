-- Without group_reporting fio prints an entry for each process. Entries with the same name, group
-- and options are siblings. If there are as many siblings as numjobs, they ran at once and are one
-- measurement, named after the first; otherwise each is one process. With group_reporting a group's
-- jobs are one entry; its job_runtime, a sum over the processes, tells how many processes ran.
with jobs as (
    select *
    from {{ ref('stg_fio__jobs') }}
),

results as (
    select
        file_id,
        job_index,
        max(runtime_seconds) as longest_seconds,
        sum(runtime_seconds) as sum_seconds,
        max(runtime_seconds) filter (where direction = 'write') as write_seconds,
        sum(io_count) filter (where direction != 'sync') as io_count,
        coalesce(sum(io_count) filter (where direction = 'read'), 0) > 0 as has_reads,
        coalesce(sum(io_count) filter (where direction = 'write'), 0) > 0 as has_writes,
    from {{ ref('stg_fio__directions') }}
    group by all
),

-- Where fio hides numjobs, its samples may tell the number of processes (2.99 to 3.3): each process
-- takes one every half second. Only one number may fit, and a second sign must agree: the mean of
-- the samples is the rate of one process, or the I/Os in flight are iodepth for each process. The
-- number is unknown if a process had half a second without an I/O, or if one of several may have
-- ended early because it did its whole size.
samples as (
    select
        jobs.file_id,
        jobs.job_index,
        jobs.rw in ('rw', 'readwrite', 'randrw') as is_mixed,
        rates.sample_count,
        nullif(floor(rates.runtime_seconds / 0.5), 0) as most_each,
        ceil(rates.sample_count / most_each) as least_count,
        rates.iops / nullif(rates.mean_sampled_iops, 0) / least_count as rate_ratio,
        rates.iops * rates.latency_mean_us / 1e6 / if(jobs.is_synchronous, 1, jobs.io_depth)
        / least_count as in_flight_ratio,
        least_count = 1 or coalesce(
            rates.max_sampled_iops * rates.runtime_seconds
            * rates.bytes_per_second / nullif(rates.iops, 0) < jobs.file_size_bytes, false
        ) as is_none_early,
        not jobs.has_think_time
        and rates.min_sampled_iops >= 8
        and rates.latency_max_us < 500000 as is_without_gap,
    from jobs
    inner join {{ ref('stg_fio__directions') }} as rates using (file_id, job_index)
    where jobs.is_numjobs_hidden and jobs.sibling_count = 1 and rates.direction != 'sync'
),

process_counts as (
    select
        file_id,
        job_index,
        try_cast(min(least_count) as bigint) as process_count,
    from samples
    group by file_id, job_index
    having
        min(least_count) = max(least_count)
        and (count(*) = 1 or bool_and(is_mixed))
        and bool_and(coalesce(
            is_without_gap
            and is_none_early
            and sample_count >= least_count * (most_each - 1)
            and sample_count < (least_count + 1) * (most_each - 1)
            and (rate_ratio between 0.99 and 1.01 or in_flight_ratio between 0.98 and 1.01), false
        ))
),

entries as (
    select
        jobs.*,
        files.source_id,
        files.path,
        results.* exclude (file_id, job_index),
        jobs.is_verified and coalesce(jobs.read_ratio = 0, false) as has_verify_reads,
        if(has_verify_reads, results.write_seconds, results.longest_seconds) as runtime_seconds,
        if(has_verify_reads, results.sum_seconds, results.longest_seconds) as all_seconds,
        files.worker_count as described_worker_count,
        counts.process_count as derived_process_count,
        -- groups up to this one that did not wait for those before
        count(distinct if(
            (jobs.options ->> 'new_group') is not null and (jobs.options ->> 'stonewall') is null,
            jobs.group_id, null
        )) over (
            partition by source_id, document_line, hostname order by jobs.group_id
        ) as joined_group_count,
        if(
            jobs.process_count > 1 and count(*) over siblings = jobs.process_count,
            min(job_index) over siblings, job_index
        ) as first_job_index,
    from jobs
    inner join {{ ref('stg_files') }} as files using (file_id)
    left join results using (file_id, job_index)
    left join process_counts as counts using (file_id, job_index)
    window
        siblings as (
            partition by source_id, document_line, hostname, group_id, job_name, options
        )
),

-- A group of one job has numjobs processes; with more it has several jobs, and the options are
-- those of only one. Short runs need twice as many, as a process also takes some milliseconds to
-- start and end, and very short runs do not count; nor do groups with fewer I/Os than processes, as
-- each job does an I/O. fio's group report of a client may also have the options of another job.
measurements as (
    select
        * replace (
            max(runtime_seconds) over measurement as runtime_seconds,
            max(all_seconds) over measurement as all_seconds,
            max(error) over measurement as error,
            sum(total_error_count) over measurement as total_error_count,
            bool_and(is_steady_state_attained) over measurement as is_steady_state_attained
        ),
        min(runtime_seconds) over measurement as min_runtime_seconds,
        count(*) over measurement as entry_count,
        -- fio begins another group where a job waits for those before it (stonewall), or new_group
        if(
            group_id is null, 1, count_if(job_index = first_job_index) over at_once
        ) as jobs_at_once,
        bool_or(is_delayed) over at_once as is_one_delayed,
        min(group_id) over document != max(group_id) over document as has_several_groups,
        if(coalesce(sum(io_count) over measurement, 0) = 0, 1, coalesce(io_count, 0)) as io_weight,
        round(summed_runtime_seconds / nullif(runtime_seconds, 0)) as member_count,
        coalesce(
            sibling_count = 1 and group_worker_count > process_count
            and group_worker_count = member_count, false
        ) as is_known_group,
        sibling_count = 1 and not is_verified and not is_known_group
        and coalesce(
            member_count >= if(runtime_seconds >= 1, 1.1 * process_count + 0.5, 2 * process_count)
            and io_count >= member_count
            and runtime_seconds >= 0.1, false
        ) as has_several_jobs,
        coalesce(
            (options ->> 'read_iolog') is not null
            or not is_verified
            and (read_ratio = 1 and has_writes or read_ratio = 0 and has_reads), false
        ) as is_of_other_ios,
        has_several_jobs or is_of_other_ios as is_merged,
    from entries
    window
        measurement as (partition by source_id, first_job_index),
        document as (partition by source_id, document_line, hostname, is_summary),
        at_once as (
            partition by
                source_id, document_line, hostname, is_summary,
                group_id - joined_group_count
        )
)

select
    * exclude (
        io_weight, io_depth_reached_ratio, described_worker_count, derived_process_count,
        has_reads, has_writes, write_seconds, longest_seconds, sum_seconds
    ),
    io_weight / sum(io_weight) over measurement as io_share_ratio,
    -- rounded, so that the quotient of the sums is 1 if every share is 1
    round({{ ratio_sum('io_weight * io_depth_reached_ratio', 'measurement') }} / nullif(
        sum(if(io_depth_reached_ratio is null, null, io_weight)) over measurement, 0
    ), 12) as io_depth_reached_ratio,
    'fio-' || source_id || '-' || first_job_index as measurement_id,
    is_summary or job_index != first_job_index as is_part_of_another,
    if(document_line > 1, 'line ' || document_line || ' ', '')
    || 'jobs[' || document_job_index
    || if(entry_count > 1, '..' || max(document_job_index) over measurement, '')
    || '] ' || job_name || coalesce(' on ' || hostname, '') as source_position,
    case
        when not has_options then null
        when sibling_count > 1 and entry_count = 1 then 1
        when is_merged or is_known_group then try_cast(member_count as bigint)
        else coalesce(process_count, described_worker_count, derived_process_count)
    end as worker_count,
    'worker_count=' || if(described_worker_count is null, derived_process_count, null)
        as derived_settings,
    if(is_merged, null, io_depth * worker_count) as requested_outstanding_io_count,
    if(
        is_merged or has_latency_target, null,
        least(if(is_synchronous, 1, io_depth), think_io_count) * worker_count
    ) as outstanding_io_count,
    nullif(concat_ws(
        '; ',
        'rate limited to ' || rate_limit,
        special_options,
        if(
            is_direct = false and is_file_engine
            -- of several servers only options with one value are known
            and (
                hostname is null
                or coalesce(options ->> 'direct', options ->> 'buffered') is not null
            ),
            'buffered I/O', null
        ),
        if(is_one_delayed, 'possibly ', '') || 'concurrent with '
        || {{ counted('nullif(jobs_at_once - 1, 0)', 'other job') }},
        if(has_latency_target, 'queue depth varied by latency_target', null),
        'random_distribution ' || nullif(random_distribution, 'random'),
        if(rw like '%trim%', 'trims', null),
        if(has_several_jobs, 'several jobs reported as one', null),
        if(is_of_other_ios, 'I/Os do not match the options', null),
        'verify reads ' || if(is_verified, if(has_verify_reads, 'left out', 'counted'), null)
    ), '') as condition,
    coalesce(is_full_runtime_expected and all_seconds < 0.9 * requested_runtime_seconds, false)
    and not is_merged and has_latency_target is not true
    and is_steady_state_attained is not true as is_interrupted,
    error is null and not is_interrupted and eta_seconds is null as is_valid,
    nullif(concat_ws(
        '; ',
        'fio ended the job with error ' || error,
        if(is_interrupted, 'ran for ' || {{ short('all_seconds') }}, null)
        || ' of ' || {{ short('requested_runtime_seconds') }} || ' s',
        'unfinished: fio expected ' || {{ short('eta_seconds') }} || ' s more',
        if(error is null, nullif(total_error_count, 0) || ' I/Os failed', null),
        'its processes ran for ' || {{ short('min_runtime_seconds') }} || ' to '
        || if(min_runtime_seconds < 0.9 * runtime_seconds, {{ short('runtime_seconds') }}, null)
        || ' s',
        if(is_in_torn_file, 'the file ends in a truncated document', null)
    ), '') as validity_note,
from measurements
window measurement as (partition by source_id, first_job_index)
