-- Functions on texts and lists of texts that answer as DuckDB does.

-- A time as text, without zeros at the end of its fraction.
create or replace function memory.default.time_text(moment timestamp(6))
returns varchar
returns null on null input
return regexp_replace(cast(moment as varchar), '\.?0+$', '');

-- The match of a pattern's group; empty if there is none.
create or replace function memory.default.matched(words varchar, pattern varchar, part bigint)
returns varchar
returns null on null input
return coalesce(regexp_extract(words, pattern, part), substr(words, 1, 0));

-- A part of a text, by its number; empty if the text has fewer parts.
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

-- Texts joined to one; null if there are none.
create or replace function memory.default.joined(words array(varchar), separator varchar)
returns varchar
returns null on null input
return if(
    cardinality(filter(words, each -> each is not null)) = 0, null, array_join(words, separator)
);

-- A list's texts joined to one; null if it has only nulls, empty if it has no members.
create or replace function memory.default.list_text(words array(varchar), separator varchar)
returns varchar
returns null on null input
return if(
    cardinality(words) > 0 and none_match(words, each -> each is not null),
    null, array_join(words, separator)
);

-- A text as a member of a struct's text: quoted if it could be read as something else.
create or replace function memory.default.struct_member(words varchar)
returns varchar
returns null on null input
return if(
    regexp_like(words, '[,''()\[\]={}":]|^\s|\s$|^$|^(?i:null)$'),
    '''' || replace(replace(words, '\', '\\'), '''', '\''') || '''',
    words
);
