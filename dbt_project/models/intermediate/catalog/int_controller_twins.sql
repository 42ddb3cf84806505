-- The controllers and RAID levels that a controller's limit applies to: itself and its twins, which
-- according to a document differ in something that sets no limit, such as the cache size; at that
-- level and at those that cost the controller more: no fewer copies, parity drives and operations
-- per random write, and more of one of them.
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
),

twins as (
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
)

select
    twins.controller_id,
    levels.raid_level,
    twins.twin_controller_id,
    cheaper.raid_level as cheaper_raid_level,
from twins
cross join {{ ref('dim_raid_levels') }} as levels
inner join {{ ref('dim_raid_levels') }} as cheaper
    on
        levels.raid_level = cheaper.raid_level
        or levels.copy_count >= cheaper.copy_count
        and levels.parity_drive_count >= cheaper.parity_drive_count
        and levels.random_write_operation_count >= cheaper.random_write_operation_count
        and levels.copy_count + levels.parity_drive_count + levels.random_write_operation_count
        > cheaper.copy_count + cheaper.parity_drive_count + cheaper.random_write_operation_count
        and cheaper.raid_level != 'JBOD'
