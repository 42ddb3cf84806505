-- Functions on numbers and their texts that answer as DuckDB does.

-- The digits of the shortest text of a number above 0; `cast(... as varchar)` may have one more.
create or replace function memory.default.digits_of(number double)
returns varchar
returns null on null input
return regexp_replace(
    replace(split_part(json_format(cast(number as json)), 'E', 1), '.', ''), '^0+|0+$', ''
);

-- The power of ten of its first digit: 2 for 123.4, -1 for 0.1.
create or replace function memory.default.place_of(number double)
returns bigint
returns null on null input
return coalesce(cast(split_part(json_format(cast(number as json)), 'E', 2) as bigint), 0) + if(
    regexp_like(json_format(cast(number as json)), '^0'),
    -length(regexp_extract(json_format(cast(number as json)), '^0\.(0*)', 1)) - 1,
    strpos(json_format(cast(number as json)), '.') - 2
);

-- The text of a number from its digits: fixed-point if 1e-4 <= x < 10^most, else with an exponent.
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

-- x * 10^places - whole, exactly: the rounding error of a product is itself a double (Dekker).
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

-- '{:g}' with 6 digits, '{:.3g}' with 3, of a number above 0. Like C, it rounds the exact double,
-- not its shortest text; they differ if that text ends in a 5 after the last digit.
create or replace function memory.default.general_above_0(number double, most bigint)
returns varchar
returns null on null input
begin
    declare digits varchar;
    declare places bigint;
    declare whole bigint;
    declare rest double;
    set digits = digits_of(number);
    set places = place_of(number);
    if length(digits) > most then
        set whole = cast(substr(digits, 1, most) as bigint);
        set rest = case
            when length(digits) > most + 1 or substr(digits, most + 1) <> '5'
                then cast(substr(digits, most + 1, 1) as bigint) - 4.5e0
            when places > most
                then -exact_rest(cast(digits as double), places - most, number)
            else exact_rest(number, most - places, cast(digits as double))
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
    when number = 0 then if(1 / number < 0, '-0', '0')
    else if(number < 0, '-', '') || general_above_0(abs(number), most)
end;

-- The shortest text that reads back as the same double, with a point.
create or replace function memory.default.double_text(number double)
returns varchar
returns null on null input
return case
    when is_nan(number) then 'nan'
    when is_infinite(number) then if(number < 0, '-inf', 'inf')
    when number = 0 then if(1 / number < 0, '-0.0', '0.0')
    else regexp_replace(
        if(number < 0, '-', '') || laid_out(digits_of(abs(number)), place_of(abs(number)), 16),
        '^(-?\d+)$', '$1.0'
    )
end;

-- A number rounded to places before or after the point, in DuckDB's steps.
create or replace function memory.default.rounded(number double, places integer)
returns double
returns null on null input
return case
    when places < 0 then round(number / power(10, -places)) * power(10, -places)
    when is_infinite(number * power(10, places)) then number
    else round(number * power(10, places)) / power(10, places)
end;

-- A logarithm that is exact at powers of two, unlike ln(x) / ln(2).
create or replace function memory.default.binary_log(number double)
returns double
returns null on null input
return if(power(2, round(log2(number))) = number, round(log2(number)), log2(number));

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
