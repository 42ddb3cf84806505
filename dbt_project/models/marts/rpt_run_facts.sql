-- Facts about a measurement as text; a fact that its source does not state has no row. Refs leave
-- out the database name, which differs in a published copy of the file.
{{ config(materialized='view') }}
{%- set facts = [
    ('result', 'as printed', 'as_printed'),
    ('result', 'IOPS', mark('value_qualifier') ~ ' || ' ~ quantity_label('iops', "'iops'")),
    (
        'result', 'throughput',
        mark('value_qualifier') ~ ' || ' ~ quantity_label('bytes_per_second', "'bytes_per_second'")
        ~ " || ' (' || " ~ short('bytes_per_second / 1048576') ~ " || ' MB/s of 2^20 bytes)'"
    ),
    ('result', 'mean latency', quantity_label('latency_mean_us', "'us'")),
    ('result', 'p50 latency', quantity_label('latency_p50_us', "'us'")),
    ('result', 'p99 latency', 'coalesce(' ~ latency_range('latency_p99_us') ~ ', ' ~ quantity_label('latency_p99_us', "'us'") ~ ')'),
    ('result', 'p99.9 latency', quantity_label('latency_p999_us', "'us'")),
    ('result', 'earlier runs', 'history_label'),
    ('result', 'change', 'history_change_label'),
    ('result', 'best published', 'published_label'),
    ('result', '% of ceiling', "attained_label || ' (' || binding_ceiling || ')'"),
    ('result', 'unknown limits', 'if(attained_ratio is null, null, unknown_limits)'),
    ('result', 'why not valid', 'if(is_valid, null, validity_note)'),
    ('result', 'converted from', 'derivation'),
    ('load', 'load profile', 'profile_label'),
    ('load', 'outstanding I/Os', 'outstanding_io_count'),
    ('load', 'workers', 'worker_count'),
    ('load', 'I/O engine', 'io_engine'),
    ('load', 'condition', 'condition'),
    ('load', 'runtime', "runtime_seconds || ' s'"),
    ('load', 'steady state', "case is_steady_state_attained when true then 'reached' when false then 'not reached' end"),
    ('load', 'tool', "concat_ws(' ', tool_name, tool_version)"),
    ('load', 'measured', "strftime(measured_at, '%Y-%m-%d %H:%M UTC')"),
    ('system', 'vendor', 'vendor'),
    ('system', 'controller', 'controller'),
    ('system', 'generation', 'controller_generation'),
    ('system', 'controller firmware', 'controller_firmware'),
    ('system', 'RAID level', 'raid_level'),
    ('system', 'drives', "concat_ws(' x ', drive_count, drive)"),
    ('system', 'media', "concat_ws(', ', drive_media, drive_interface)"),
    ('system', 'drive firmware', 'drive_firmware'),
    ('system', 'stripe', size_label('stripe_bytes')),
    ('system', 'server', 'server'),
    ('system', 'file system', 'filesystem'),
    ('system', 'operating system', "concat_ws(', kernel ', os_name, os_kernel)"),
    ('system', 'BIOS', 'bios_version'),
    ('notes', 'note', 'note'),
    ('notes', 'same file at', 'other_paths'),
    ('notes', 'other editions', 'editions'),
    ('notes', 'how it was read', 'reading_note'),
] %}
with details as (
    select
        measurement_id,
        other_paths,
        is_steady_state_attained,
        min_latency_p99_us,
        max_latency_p99_us,
        editions,
        derivation,
        reading_note,
    from {{ ref('fct_measurements').include(database=false) }}
),

newest_runs as (
    select
        measurement_id,
        history_label,
        history_change_label,
        published_label,
    from {{ ref('rpt_newest_runs').include(database=false) }}
),

facts as (
    select
        measurement_id,
        unnest([
            {%- for topic, fact, value in facts %}
                struct_pack(
                    fact_position := cast({{ loop.index }} as bigint),
                    topic := '{{ topic }}',
                    fact := '{{ fact }}',
                    fact_value := nullif(cast({{ value }} as varchar), '')
                ){{ ',' if not loop.last }}
            {%- endfor %}
        ], recursive := true) as fields,
    from {{ ref('rpt_measurements').include(database=false) }}
    left join details using (measurement_id)
    left join newest_runs using (measurement_id)
    {% for fact, table, kind, rows in [
        ('percentiles', 'fct_latency_percentiles', 'latency_kind', 'true'),
        ('histogram', 'fct_latency_bins', 'latency_kind', 'io_ratio > 0'),
        ('log of IOPS', 'fct_time_series', 'null', "quantity = 'iops'"),
        ('log of latencies', 'fct_time_series', 'latency_kind', "quantity = 'latency'"),
    ] -%}
        union all
        select
            measurement_id,
            cast({{ loop.index }} as bigint) as fact_position,
            'details' as topic,
            '{{ fact }}' as fact,
            {% set named = "concat_ws(' ', " ~ kind ~ ", direction)" -%}
            string_agg(distinct {{ named }}, ', ' order by {{ named }}) as fact_value,
        from {{ ref(table).include(database=false) }}
        where {{ rows }}
        group by measurement_id
    {% endfor %}
)

select
    measurement_id,
    topic,
    fact_position,
    fact,
    fact_value,
from facts
where fact_value is not null
