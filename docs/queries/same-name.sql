-- Which load profiles have the same name but are different loads?
-- asked by: a reviewer
with names as (
    select
        profile_label,
        unnest(string_split(profile_names, '; ')) as profile_name,
    from dim_load_profiles
)

select
    regexp_extract(profile_name, '[^:]+: (.*)', 1) as name,
    string_agg(profile_name || ' = ' || profile_label, '; ' order by profile_name) as loads,
from names
group by name
having name <> '' and count(distinct profile_label) > 1
order by name;
