-- A lane carries its line rate in each direction, less the encoding's overhead.
select
    {{ slug('interface') }} as interface_id,
    *,
    line_rate_hertz * encoding_ratio / 8 as lane_theoretical_bytes_per_second,
    lane_theoretical_bytes_per_second * {{ practical_ratio() }} as lane_practical_bytes_per_second,
    {{ rounded_label('lane_practical_bytes_per_second', "'bytes_per_second'") }} || ' of '
    || {{ rounded_label('lane_theoretical_bytes_per_second', "'bytes_per_second'") }} as lane_label,
from {{ ref('interfaces') }}
