-- The attributes of each controller and drive, from the leading edition of the papers; of several
-- links one with speed or width ('PCIe 3.0 x8' rather than 'PCIe 3.0'). Sidecars' own definitions
-- add missing attributes, controllers and drives. Facts with a condition describe special cases (a
-- mode, a server) and are skipped.
with first_facts as (
    select distinct on (kind, name_id, attribute)
        *,
        subject_type as kind,
        {{ each_of('subjects') }} as name,
        {{ slug('name') }} as name_id,
        (document_id, page, line) as place,
    from {{ ref('stg_white_papers__facts') }}
    where
        subject_type in ('controller', 'drive')
        and condition is null
        and edition_order = 1
    order by
        attribute in ('host_link', 'interface')
        and not regexp_matches(as_printed, ' x\d|^S(AS|ATA)\D+\d'),
        place
),

stated as (
    select
        kind,
        name_id,
        arg_min(name, place) as name,
        min(document_id) as document_id,
        arg_min(page, place) as page,
        map_from_entries(list((attribute, as_printed))) as texts,
        map_from_entries(list((attribute, value)) filter (where value is not null)) as numbers,
        string_agg(distinct document_id, '; ' order by document_id) filter (
            where starts_with(attribute, 'rated_')
        ) as rated_in,
    from first_facts
    group by kind, name_id
),

definitions as (
    select
        *,
        {{ slug('name') }} as name_id,
        row(texts, numbers) as content,
        first_value(content) over (partition by kind, name_id order by defined_in) != content
            as is_other,
    from {{ ref('stg_sidecars__definitions') }}
),

-- Where sidecars define one name differently the first by path counts; the row names the others.
own as (
    select distinct on (kind, name_id)
        *,
        'defined differently in '
        || string_agg(defined_in, ', ' order by defined_in) filter (where is_other)
            over (partition by kind, name_id) as definition_note,
    from definitions
    order by defined_in
)

select
    kind,
    name_id,
    coalesce(stated.name, own.name) as name,
    stated.document_id,
    stated.page,
    map_concat(own.texts, stated.texts) as texts,
    map_concat(own.numbers, stated.numbers) as numbers,
    stated.rated_in,
    own.defined_in,
    own.definition_note,
from stated
full outer join own using (kind, name_id)
