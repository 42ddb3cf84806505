-- Texts and lists of texts, with DuckDB's answers.

-- A time without a fraction that is zero.
create or replace function memory.default.time_text(moment timestamp(6))
returns varchar
returns null on null input
return regexp_replace(cast(moment as varchar), '\.?0+$', '');

-- What a pattern's group matched; empty where it did not.
create or replace function memory.default.matched(words varchar, pattern varchar, part bigint)
returns varchar
returns null on null input
return coalesce(regexp_extract(words, pattern, part), substr(words, 1, 0));

-- A part of a text; empty where there are fewer.
create or replace function memory.default.nth_part(words varchar, separator varchar, place bigint)
returns varchar
returns null on null input
return coalesce(split_part(words, separator, place), substr(words, 1, 0));

-- The keys of a flat object in the order of its text: Trino's JSON sorts them.
create or replace function memory.default.json_names(object varchar)
returns array(varchar)
returns null on null input
return regexp_extract_all(
    object, '"((?:[^"\\]|\\.)*)"\s*:\s*(?:"(?:[^"\\]|\\.)*"|[^",]*)', 1
);

-- Texts in one; null where there are none.
create or replace function memory.default.joined(words array(varchar), separator varchar)
returns varchar
returns null on null input
return if(
    cardinality(filter(words, each -> each is not null)) = 0, null, array_join(words, separator)
);

-- A list's texts in one; null where it has nulls alone, empty where it has nothing.
create or replace function memory.default.list_text(words array(varchar), separator varchar)
returns varchar
returns null on null input
return if(
    cardinality(words) > 0 and none_match(words, each -> each is not null),
    null, array_join(words, separator)
);

-- A text within the text of a struct, which quotes what could be read as something else.
create or replace function memory.default.struct_member(words varchar)
returns varchar
returns null on null input
return if(
    regexp_like(words, '[,''()\[\]={}":]|^\s|\s$|^$|^(?i:null)$'),
    '''' || replace(replace(words, '\', '\\'), '''', '\''') || '''',
    words
);
