{%- set arrays = with_published_limits(ref('int_configurations')) -%}
select
    *,
    row_number() over (
        partition by array_id, profile_id, basis
        order by {{ limit_rank() }}
    ) as limit_order,
from ({{ limits_of(
    '(' ~ arrays ~ ')', ref('int_ceilings__drives'), ref('int_ceilings__interfaces'),
    ['array_id', 'profile_id']
) }}) as limits
