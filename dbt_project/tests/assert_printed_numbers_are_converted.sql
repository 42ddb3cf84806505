-- A failing row is a printed number that staging could not bring to its base unit: a unit that the
-- parser accepts and macros/units.sql does not know.
{% set sheets = ['measurements', 'facts', 'limits'] %}

{% for sheet in sheets %}
    select
        staged.document_id,
        staged.sheet_path,
        staged.line,
        staged.as_printed,
    from {{ source('raw', 'white_paper_' ~ sheet) }} as printed
    inner join {{ ref('stg_white_papers__' ~ sheet) }} as staged
        using (file_id, sheet_path, line, locator)
    where printed.number is not null and staged.value is null
    {{ 'union all' if not loop.last }}
{% endfor %}
