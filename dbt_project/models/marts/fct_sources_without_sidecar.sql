-- Papers name their systems themselves, logs belong to a run: they need no sidecar.
select
    files.file_id,
    files.path as source_path,
    coalesce(nullif(rtrim({{ folder('files.path') }}, '/'), ''), '.') as folder,
    files.parser as source_format,
from {{ ref('stg_files') }} as files
left join {{ ref('stg_sidecars') }} as sidecars using (file_id)
where files.parser not in ('white_paper', 'fio_log') and sidecars.file_id is null
