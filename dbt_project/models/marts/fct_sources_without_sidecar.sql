-- Papers name their systems themselves, logs belong to a run: they need no sidecar.
select
    file_id,
    path as source_path,
    folder,
    parser as source_format,
from {{ ref('stg_files') }}
where not has_sidecar and parser not in ('white_paper', 'fio_log')
