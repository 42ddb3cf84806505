-- a headroom.yml says on what system a result was measured
-- severity: warning
select
    source_path,
    source_format,
from marts.fct_sources_without_sidecar
