-- Papers name their systems themselves, logs belong to a run. A fact on which the tools differ, or
-- which they report as unknown, has no value.
with known as (
    unpivot (
        select
            file_id,
            source_id,
            path,
            columns(
                * exclude (
                    file_id, source_id, path, folder, source_key, parser, has_sidecar,
                    is_example, combine_below, outstanding_io_count, worker_count, random_ratio,
                    read_ratio, block_bytes, muted_rules
                )
            )::varchar
        from {{ ref('stg_files') }}
        where has_sidecar and parser not in ('white_paper', 'fio_log')
    )
    on columns(* exclude (file_id, source_id, path))
    into name system_fact value system_value
),

captured as (
    select
        files.file_id,
        files.source_id,
        files.path,
        facts.*,
        case
            when facts.field in ('stripe', 'memory') then facts.field || '_bytes'
            when facts.subject = 'drive' and facts.field = 'vendor' then 'drive_vendor'
            else facts.field
        end as system_fact,
    from {{ source('raw', 'system_facts') }} as facts
    inner join {{ ref('stg_files') }} as files using (source_key)
    where files.parser not in ('white_paper', 'fio_log')
)

select
    file_id,
    source_id,
    path as source_path,
    system_fact,
    coalesce(known.system_value, captured.value) as system_value,
    coalesce(captured.said_by, 'headroom.yml') as said_by,
    captured.system_path,
from known
full outer join captured using (file_id, source_id, path, system_fact)
