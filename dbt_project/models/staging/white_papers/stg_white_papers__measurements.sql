-- `controller` and `profile` may name several, separated by '; '.
select
    printed.* exclude (
        quantity, qualifier, number, low_number, high_number, unit, unit_base, stripe_number,
        stripe_unit
    ),
    printed.qualifier as value_qualifier,
    editions.edition_order,
    editions.tool_name,
    editions.tool_version,
    editions.is_stripe_controller_default,
    coalesce(unit_base, throughput_base) as prefix_base,
    -- a whole number printed as "about" may be off by half a step of its last digit other than 0:
    -- 240000 may be up to 245000; trailing zeros may also be exact
    if(
        qualifier = 'approximate' and number >= 1 and number = round(number),
        0.5 * 10 ** length(regexp_extract(cast(try_cast(number as bigint) as varchar), '0*$'))
        / number, null
    ) as rounding_ratio,
    {{ to_bytes('stripe_number', 'stripe_unit', 'other_sizes_base') }} as stripe_bytes,
    {{ printed_in_base_unit('value', 'prefix_base') }},
from {{ source('raw', 'white_paper_measurements') }} as printed
inner join {{ ref('stg_white_papers__editions') }} as editions
    using (file_id, document_id, edition)
