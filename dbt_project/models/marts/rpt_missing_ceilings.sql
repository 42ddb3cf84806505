-- Why measurements have no ceiling: what is not known of the links to their drives. A link's limit
-- would be one at every load profile.
select
    coalesce(drive, controller, document_id, rtrim({{ folder('source_path') }}, '/')) as subject,
    ceilings.missing_reason,
    source_format,
    coalesce(
        'facts.csv of ' || string_agg(distinct document_id, ', ' order by document_id),
        'a headroom.yml, or a captured system'
    ) as remedy,
    count(*) as measurement_count,
from {{ ref('measurements') }}
inner join {{ ref('fct_ceilings') }} as ceilings using (array_id, profile_id)
where
    ceilings.ceiling_kind = 'disk interface'
    and ceilings.basis = 'practical'
    and is_valid
    and coalesce(ceiling_bytes_per_second, ceiling_iops) is null
    and is_superseded is not true
group by all
