-- A board's charts and tables name and colour a curve by its letter. Refs leave out the database
-- name, which differs in a published copy of the file.
{{ config(materialized='view') }}
with numbered as (
    select
        *,
        dense_rank() over (partition by profile_id order by curve_name, source) as curve_number,
        max(
            if(
                is_knee,
                'knee at ' || {{ counted('outstanding_io_count', 'I/O') }} || ': '
                || {{ rounded_label('iops', "'iops'") }} || ', '
                || {{ rounded_label('latency_mean_us', "'us'") }},
                null
            )
        ) over (partition by profile_id, curve_id) as knee_sentence,
    from {{ ref('rpt_response_curves').include(database=false) }}
)

select
    curve_number,
    chr(65 + cast((curve_number - 1) % 26 as integer))
    || if(curve_number > 26, cast((curve_number - 1) // 26 + 1 as varchar), '') as curve_letter,
    curve_letter || ': ' || curve_name as curve_label,
    * exclude (
        curve_label, curve_name, curve_number, source, bytes_per_second, iops_label,
        measurement_count, measurement_ids
    ),
from numbered
