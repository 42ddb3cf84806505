-- What predictions are tested on: the best that a page says of an array at a profile, and the best
-- of own runs. One outstanding I/O shows the latency and not what can be reached; a lower bound
-- does not say how far off a prediction is.
with measurements as (
    select
        *,
        is_valid
        and not is_derived
        and value_qualifier in ('exact', 'approximate', 'at_most')
        and coalesce(outstanding_io_count != 1, true)
        and not has_own_processor
        and coalesce(iops, bytes_per_second) is not null
        and is_example is not true
        and combined_id is null as is_testable,
    from {{ ref('fct_measurements') }}
)

select
    * exclude (is_testable),
    is_testable and row_number() over (
        partition by is_testable, array_id, profile_id, document_id, page
        order by coalesce(bytes_per_second, iops) desc, measurement_id asc
    ) = 1 as is_back_test,
from measurements
