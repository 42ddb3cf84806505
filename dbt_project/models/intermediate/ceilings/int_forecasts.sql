-- Blind forecasts, made or awaited, for the arrays and load profiles that documents cover.
select
    forecasts.*,
    {{ slug('forecasts.controller') }} as controller_id,
    {{ slug('forecasts.drive') }} as drive_id,
    profiles.profile_id,
    'forecast-' || forecasts.document_id || '-' || forecasts.line as array_id,
from {{ source('raw', 'white_paper_forecasts') }} as forecasts
left join {{ ref('int_white_papers__profiles') }} as profiles
    on
        forecasts.document_id = profiles.document_id
        and forecasts.profile = profiles.profile_name
where {{ is_current_file() }}
