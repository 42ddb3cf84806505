-- What DuckDB has and Trino has not, as functions of the catalog `memory`. Each has DuckDB's answer.

-- The digits of a number at their place: fixed while 1e-4 <= x < 10^most, else with an exponent.
create or replace function memory.default.laid_out(digits varchar, power bigint, most bigint)
returns varchar
returns null on null input
return case
    when power < -4 or power >= most
        then substr(digits, 1, 1) || if(length(digits) > 1, '.' || substr(digits, 2), '')
        || 'e' || if(power < 0, '-', '+') || if(abs(power) < 10, '0', '')
        || cast(abs(power) as varchar)
    when power < 0 then '0.' || lpad('', -power - 1, '0') || digits
    when length(digits) <= power + 1 then rpad(digits, power + 1, '0')
    else substr(digits, 1, power + 1) || '.' || substr(digits, power + 2)
end;

-- x * 10^places - whole, exactly: what rounding took from a product is a double itself (Dekker).
create or replace function memory.default.exact_rest(number double, places bigint, whole double)
returns double
returns null on null input
begin
    declare scale, high, low, scale_high, scale_low double;
    set scale = power(10, places);
    set high = 134217729e0 * number - (134217729e0 * number - number);
    set low = number - high;
    set scale_high = 134217729e0 * scale - (134217729e0 * scale - scale);
    set scale_low = scale - scale_high;
    return (number * scale - whole) + (
        ((high * scale_high - number * scale) + high * scale_low + low * scale_high)
        + low * scale_low
    );
end;

-- '{:g}' with 6 digits, '{:.3g}' with 3, of a number above 0: as C, which rounds what the double is,
-- not its shortest text; they differ where that text ends in a 5 behind the last digit.
create or replace function memory.default.general_above_0(number double, most bigint)
returns varchar
returns null on null input
begin
    declare digits varchar;
    declare places bigint;
    declare whole bigint;
    declare rest double;
    set digits = regexp_replace(
        replace(split_part(cast(number as varchar), 'E', 1), '.', ''), '0+$', ''
    );
    set places = cast(split_part(cast(number as varchar), 'E', 2) as bigint);
    if length(digits) > most then
        set whole = cast(substr(digits, 1, most) as bigint);
        set rest = case
            when length(digits) = most + 1 and substr(digits, most + 1) = '5' and places <= most
                then exact_rest(number, most - places, cast(digits as double))
            else cast(substr(digits, most + 1, 1) as bigint) - 4.5e0
        end;
        if rest > 0 or (rest = 0 and whole % 2 = 1) then
            set whole = whole + 1;
        end if;
        set digits = cast(whole as varchar);
        set places = places + length(digits) - most;
    end if;
    return laid_out(regexp_replace(digits, '0+$', ''), places, most);
end;

create or replace function memory.default.general(number double, most bigint)
returns varchar
returns null on null input
return case
    when is_nan(number) then 'nan'
    when is_infinite(number) then if(number < 0, '-inf', 'inf')
    when number = 0 then '0'
    else if(number < 0, '-', '') || general_above_0(abs(number), most)
end;

-- A double as a text: the shortest that reads back, with a point.
create or replace function memory.default.double_text(number double)
returns varchar
returns null on null input
return case
    when is_nan(number) then 'nan'
    when is_infinite(number) then if(number < 0, '-inf', 'inf')
    when number = 0 then '0.0'
    else regexp_replace(
        if(number < 0, '-', '') || laid_out(
            regexp_replace(replace(
                split_part(cast(abs(number) as varchar), 'E', 1), '.', ''
            ), '(\d)0+$', '$1'),
            cast(split_part(cast(abs(number) as varchar), 'E', 2) as bigint),
            16
        ), '^(-?\d+)$', '$1.0'
    )
end;

-- A time without a fraction that is zero.
create or replace function memory.default.time_text(moment timestamp(6))
returns varchar
returns null on null input
return regexp_replace(cast(moment as varchar), '\.?0+$', '');

-- A number rounded to places before or after the point, by DuckDB's way there.
create or replace function memory.default.rounded(number double, places integer)
returns double
returns null on null input
return case
    when places < 0 then round(number / power(10, -places)) * power(10, -places)
    when is_infinite(number * power(10, places)) then number
    else round(number * power(10, places)) / power(10, places)
end;

-- Exact at powers of two, of which ln(x) / ln(2) is not.
create or replace function memory.default.binary_log(number double)
returns double
returns null on null input
return if(power(2, round(log2(number))) = number, round(log2(number)), log2(number));

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

-- A median of doubles, exact: the mean of the middle two.
create or replace function memory.default.median_of(sorted array(double))
returns double
returns null on null input
return if(
    cardinality(sorted) = 0, null,
    element_at(sorted, (cardinality(sorted) + 1) / 2)
    + (
        element_at(sorted, cardinality(sorted) / 2 + 1)
        - element_at(sorted, (cardinality(sorted) + 1) / 2)
    ) * 0.5e0
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

-- 12.5 is '+12': half to even.
create or replace function memory.default.signed_whole(number double)
returns varchar
returns null on null input
return format('%+.0f', case
    when abs(number - truncate(number)) = 0.5e0 then 2 * round(number / 2)
    else number
end);

-- A text within the text of a struct, which quotes what could be read as something else.
create or replace function memory.default.struct_member(words varchar)
returns varchar
returns null on null input
return if(
    regexp_like(words, '[,''()\[\]={}":\\]|^\s|\s$|^$|^(?i:null)$'),
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
