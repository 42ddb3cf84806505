with facts as (
    select
        * replace ({{ each_of('subjects') }} as subjects),
    from {{ ref('stg_white_papers__facts') }}
    union all by name
    select
        *,
        if(controller is null, 'interface', 'controller') as subject_type,
        coalesce(controller, interface) as subjects,
        if(basis = 'line_rate', basis, basis || '_limit') as attribute,
    from {{ ref('stg_white_papers__limits') }}
    -- of a chart, its content and axis labels: its values are measurements
    union all by name
    select
        *,
        'figure' as subject_type,
        figure_id as subjects,
        title as locator,
        if(is_digitised, 'digitised_chart', 'chart') as attribute,
        concat_ws(
            '; ', shows, controller, raid_level, profile, drive,
            {{ counted('drive_count', 'drive') }}
        ) as condition,
        concat_ws(
            ', ', y_axis || coalesce(' over ' || x_axis, ''), axis_unit,
            axis_minimum || ' to ' || axis_maximum
        ) as as_printed,
    from {{ ref('stg_white_papers__figures') }}
    -- of a load profile, a row for each block size
    union all by name
    select
        *,
        'load profile' as subject_type,
        profile as subjects,
        'definition' as attribute,
        application as condition,
        concat_ws(
            ', ',
            {{ percent_label('random_ratio') }} || ' % random',
            {{ percent_label('read_ratio') }} || ' % read',
            {{ size_label('block_bytes') }},
            nullif({{ percent_label('share_ratio') }}, '100') || ' % of the I/Os',
            'aligned to ' || {{ size_label('alignment_bytes') }},
            {{ counted('stream_count', 'stream') }}
        ) as as_printed,
    from {{ ref('stg_white_papers__profiles') }}
)

select
    document_id,
    edition,
    page,
    {{ page_span('page', 'last_page') }} as pages,
    {{ of_edition('locator') }} as locator,
    subject_type,
    subjects as subject,
    attribute,
    nullif(condition, '') as condition,
    side,
    interface,
    connection,
    link_count,
    is_binding,
    nullif(as_printed, '') as as_printed,
    corrected,
    qualifier as value_qualifier,
    value,
    min_value,
    max_value,
    base_unit as value_unit,
    note,
    reading_note,
    sheet_path || ' line ' || line as source_position,
from facts
