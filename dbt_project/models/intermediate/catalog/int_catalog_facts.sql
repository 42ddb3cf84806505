-- What the papers state of each controller and drive, in their leading edition. Conditions name
-- special cases (a mode, a server) and make no catalog; of several statements the first counts.
with facts as (
    select
        *,
        {{ each_of('subjects') }} as subject,
    from {{ ref('stg_white_papers__facts') }}
    where
        subject_type in ('controller', 'drive')
        and condition is null
        and edition_order = 1
)

select
    subject_type,
    subject,
    attribute,
    document_id,
    page,
    as_printed,
    value,
from facts
qualify
    row_number() over (
        partition by subject_type, subject, attribute
        order by document_id, page, line
    ) = 1
