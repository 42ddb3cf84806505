-- Controllers that a document says differ in something that sets no limit, such as the size of the
-- cache: what is known of one holds for the other. Each is its own twin.
with stated as (
    select
        document_id,
        line,
        {{ each_of('subjects') }} as controller,
    from {{ ref('stg_white_papers__facts') }}
    where subject_type = 'controller' and attribute = 'differs_only_in' and edition_order = 1
),

named as (
    select {{ each_of('controller') }} as controller
    from {{ ref('stg_white_papers__measurements') }}
    union all
    select controller
    from {{ ref('int_controllers') }}
)

select
    {{ slug('stated.controller') }} as controller_id,
    {{ slug('twins.controller') }} as twin_controller_id,
from stated
inner join stated as twins using (document_id, line)
union
select
    {{ slug('controller') }} as controller_id,
    controller_id as twin_controller_id,
from named
where controller is not null
