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

-- Of the most frequent texts the first in their order.
create or replace function memory.default.mode_of(sorted array(varchar))
returns varchar
returns null on null input
return element_at(array_sort(
    array_distinct(sorted),
    (one, other) -> case
        when cardinality(filter(sorted, each -> each = one))
            > cardinality(filter(sorted, each -> each = other)) then -1
        when cardinality(filter(sorted, each -> each = one))
            < cardinality(filter(sorted, each -> each = other)) then 1
        when one < other then -1
        when one > other then 1
        else 0
    end
), 1);

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

-- How alike two texts are: letters that both have near the same place, those out of order, and the
-- first four.
create or replace function memory.default.jaro_winkler(one varchar, other varchar)
returns double
returns null on null input
begin
    declare reach, i, j, common, shifted, prefix, last bigint default 0;
    declare taken, order_of_one, order_of_other varchar default '';
    declare alike double;
    set reach = greatest(greatest(length(one), length(other)) / 2 - 1, 0);
    set taken = rpad('', length(other), '0');
    set i = 1;
    while i <= length(one) do
        set j = greatest(i - reach, 1);
        set last = least(i + reach, length(other));
        while j <= last do
            if substr(taken, j, 1) = '0' and substr(one, i, 1) = substr(other, j, 1) then
                set taken = substr(taken, 1, j - 1) || '1' || substr(taken, j + 1);
                set order_of_one = order_of_one || substr(one, i, 1);
                set j = last;
            end if;
            set j = j + 1;
        end while;
        set i = i + 1;
    end while;
    set common = length(order_of_one);
    if common = 0 then
        return 0e0;
    end if;
    set j = 1;
    while j <= length(other) do
        if substr(taken, j, 1) = '1' then
            set order_of_other = order_of_other || substr(other, j, 1);
        end if;
        set j = j + 1;
    end while;
    set i = 1;
    while i <= common do
        if substr(order_of_one, i, 1) <> substr(order_of_other, i, 1) then
            set shifted = shifted + 1;
        end if;
        set i = i + 1;
    end while;
    set alike = (
        common / cast(length(one) as double) + common / cast(length(other) as double)
        + (common - shifted / 2) / cast(common as double)
    ) / 3;
    while prefix < least(4, length(one), length(other))
        and substr(one, prefix + 1, 1) = substr(other, prefix + 1, 1) do
        set prefix = prefix + 1;
    end while;
    return if(alike > 0.7e0, alike + prefix * 0.1e0 * (1 - alike), alike);
end;

-- A number from 0 to 2^64 - 1 for values in a list.
create or replace function memory.default.hashed(members json)
returns decimal(20, 0)
returns null on null input
return cast(
    from_big_endian_64(xxhash64(to_utf8(json_format(members)))) + decimal '9223372036854775808'
    as decimal(20, 0)
);
