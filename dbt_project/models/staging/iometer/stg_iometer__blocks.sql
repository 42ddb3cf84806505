-- A block's end and a session's start are printed as the host's local time; the zone is not said.
-- Up to 2003.02 only the start is printed.
select
    -- ids
    blocks.file_id,
    blocks.block_index,

    -- categories
    blocks.line,
    blocks.header = 'H4' as is_companion,
    blocks.group_index is not null as has_access_specs,
    sessions.iometer_version,
    sessions.test_description,
    blocks.is_complete,
    blocks.incomplete_reason,
    sessions.is_truncated as is_session_truncated,

    -- timestamps (local)
    sessions.started_at_local as started_at,
    coalesce(blocks.ended_at_local, sessions.started_at_local) as measured_at,
from {{ source('raw', 'iometer_blocks') }} as blocks
inner join {{ source('raw', 'iometer_sessions') }} as sessions using (file_id, session_index)
where {{ is_current_file() }}
