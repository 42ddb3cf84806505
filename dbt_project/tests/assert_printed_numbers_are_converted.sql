-- A failing row is a printed number that staging could not bring to its base unit: a unit that the
-- parser accepts and macros/units.sql does not know.
with converted as (
    select
        'measurements' as sheet,
        printed.document_id,
        printed.line,
        printed.unit,
        staged.value,
        coalesce(printed.number, printed.low_number) as number,
        coalesce(staged.value, staged.min_value) as base_value,
    from {{ source('raw', 'white_paper_measurements') }} as printed
    inner join {{ ref('stg_white_papers__measurements') }} as staged
        on
            printed.file_id = staged.file_id
            and printed.sheet_path = staged.sheet_path
            and printed.line = staged.line
    union all by name
    select
        'facts' as sheet,
        printed.document_id,
        printed.line,
        printed.unit,
        coalesce(printed.number, printed.low_number) as number,
        coalesce(staged.value, staged.min_value) as base_value,
    from {{ source('raw', 'white_paper_facts') }} as printed
    inner join {{ ref('stg_white_papers__facts') }} as staged
        on printed.document_id = staged.document_id and printed.line = staged.line
    union all by name
    select
        'limits' as sheet,
        printed.document_id,
        printed.line,
        printed.unit,
        printed.number,
        staged.value as base_value,
    from {{ source('raw', 'white_paper_limits') }} as printed
    inner join {{ ref('stg_white_papers__limits') }} as staged
        on printed.document_id = staged.document_id and printed.line = staged.line
)

select * from converted
where number is not null and base_value is null
