-- Papers name their systems themselves, logs belong to a run: they need no sidecar.
select
    file_id,
    path as source_path,
    coalesce(nullif(rtrim({{ folder('path') }}, '/'), ''), '.') as folder,
    parser as source_format,
from {{ ref('stg_files') }}
anti join {{ ref('stg_sidecars') }} using (file_id)
where parser not in ('white_paper', 'fio_log')
