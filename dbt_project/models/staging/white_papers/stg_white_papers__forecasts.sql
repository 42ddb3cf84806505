select forecasts.*
from {{ source('raw', 'white_paper_forecasts') }} as forecasts
where {{ is_current_file() }}
