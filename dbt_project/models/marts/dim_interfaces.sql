select
    {{ slug('interface') }} as interface_id,
    interface,
    family,
    cast(generation as bigint) as generation,
    cast(line_rate_hz as double) as line_rate_hertz,
    encoding,
    cast(encoding_ratio as double) as encoding_ratio,
    standard,
from {{ ref('interfaces') }}
