-- a headroom.yml or a captured system describes the system of each result
-- severity: warning
select
    source_path,
    source_format,
from marts.fct_sources_without_sidecar
