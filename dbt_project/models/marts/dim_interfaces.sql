select
    {{ slug('interface') }} as interface_id,
    interface,
    family,
    cast(generation as bigint) as generation,
    cast(line_rate_hz as double) as line_rate_hertz,
    encoding,
    cast(encoding_ratio as double) as encoding_ratio,
    cast({{ link_bytes_per_second('line_rate_hz', 1, 'encoding_ratio') }} as double)
        as lane_theoretical_bytes_per_second,
    cast(
        {{ link_bytes_per_second('line_rate_hz', 1, 'encoding_ratio') }} * {{ practical_ratio() }}
        as double
    ) as lane_practical_bytes_per_second,
    standard,
from {{ ref('interfaces') }}
