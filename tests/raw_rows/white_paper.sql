-- A printed value is a measurement, one for each controller and profile that it is said of, with
-- that value in its base unit; what else is printed is a fact for each subject, or a claim.
with papers as (
    select
        file_id,
        regexp_replace(path, 'document\.yml$', '') as folder,
    from raw.sources
    where is_current
),

facts as (
    from raw.white_paper_facts
    union all by name
    from raw.white_paper_limits
    union all by name
    from raw.white_paper_figures
    union all by name
    from raw.white_paper_profiles
),

cells as (
    select
        *,
        'measurement' as fate,
        len(string_split(coalesce(controller, ''), '; ')) * len(string_split(profile, '; '))
            as wanted,
        [value, min_value, max_value] as printed,
        replace(metric, 'completion_', '') as stated_as,
        concat_ws(' line ', folder || sheet_path, line) as key,
    from staging.stg_white_papers__measurements
    inner join papers using (file_id)
    union all by name
    select
        *,
        'fact' as fate,
        len(string_split(coalesce(subject, ''), '; ')) as wanted,
        concat_ws(' line ', sheet_path, line) as key,
    from facts
    inner join papers using (file_id)
    union all by name
    select
        *,
        'claim' as fate,
        1 as wanted,
        document_id || '-' || claim_id as key,
    from raw.white_paper_claims
    inner join papers using (file_id)
    union all by name
    select
        *,
        'forecast' as fate,
        1 as wanted,
        concat_ws(' line ', document_id, line) as key,
    from raw.white_paper_forecasts
    inner join papers using (file_id)
),

arrived as (
    select
        'measurement' as fate,
        document_id,
        source_path || ' line ' || unnest(regexp_extract_all(source_position, '\d+')) as key,
        measurement_id as id,
        map {
            'iops': [iops, min_iops, max_iops],
            'throughput': [bytes_per_second, min_bytes_per_second, max_bytes_per_second],
            'latency_mean': [latency_mean_us, min_latency_mean_us, max_latency_mean_us],
            'read_iops': [read_iops], 'read_throughput': [read_bytes_per_second],
            'write_iops': [write_iops], 'write_throughput': [write_bytes_per_second],
            'latency_min': [latency_min_us], 'latency_max': [latency_max_us],
            'latency_p50': [latency_p50_us], 'latency_p95': [latency_p95_us],
            'latency_p99': [latency_p99_us], 'latency_p999': [latency_p999_us]
        } as stated,
    from marts.measurements
    where source_format = 'white_paper'
    union all by name
    select
        'fact' as fate,
        document_id,
        source_position as key,
        subject as id,
    from marts.fct_document_facts
    union all by name
    select
        'claim' as fate,
        document_id,
        claim_id as key,
        key as id,
    from marts.fct_claims
    union all by name
    select
        'forecast' as fate,
        document_id,
        concat_ws(' ', document_id, source_position) as key,
        key as id,
    from marts.rpt_forecasts
)

select
    cells.folder || cells.sheet_path as path,
    concat_ws(' ', 'line', cells.line, cells.locator, cells.value) as place,
    cells.fate,
    cells.wanted,
    coalesce(list(arrived.id) filter (arrived.id is not null), []) as found,
from cells
left join arrived
    on
        cells.fate = arrived.fate
        and cells.document_id = arrived.document_id
        and cells.key = arrived.key
        and coalesce(
            list_slice(cells.printed, 1, len(arrived.stated[cells.stated_as]))
            = arrived.stated[cells.stated_as], true
        )
group by all
