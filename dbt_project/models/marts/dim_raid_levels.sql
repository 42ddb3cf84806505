select * from {{ ref('raid_levels') }}
