-- Why measurements have no ceiling: which facts about the links to their drives are missing, and
-- where to add them. A link's limit would give a ceiling at every load profile.
with missing as (
    select
        points.*,
        ceilings.missing_reason,
        coalesce(drive, controller, document_id, rtrim({{ folder('source_path') }}, '/'))
            as subject,
        if(document_id is null, {{ sidecar_path('source_path') }}, null) as sidecar_path,
        case ceilings.missing_reason
            when 'interface of ports and drives not known' then 'drive_interface:'
            when 'number of lanes of the drives not reported' then 'drive_interface:'
            when 'number of ports and drives not reported' then 'drive_count:'
            when 'writes depend on RAID level, drive count and random share: one is not reported'
                then concat_ws(
                    ' and ',
                    if(raid_level is null, 'raid_level:', null),
                    if(drive_count is null, 'drive_count:', null),
                    if(random_ratio is null and source_format = 'fio', 'access_pattern:', null)
                )
            when 'share of reads not reported' then if(source_format = 'fio', 'read_percent:', null)
        end as missing_fields,
    from {{ ref('measurements') }} as points
    inner join {{ ref('fct_ceilings') }} as ceilings using (array_id, profile_id)
    where
        ceilings.ceiling_kind = 'disk interface'
        and ceilings.basis = 'practical'
        and is_valid
        and coalesce(ceiling_bytes_per_second, ceiling_iops) is null
        and is_superseded is not true
)

select
    array_id,
    profile_id,
    subject,
    missing_reason,
    source_format,
    coalesce(
        'facts.csv of ' || string_agg(distinct document_id, ', ' order by document_id),
        any_value(
            'add ' || nullif(missing_fields, '') || ' to ' || sidecar_path
        ),
        any_value(
            if(
                source_format = 'iometer',
                'let all workers run the same access specification (docs/iometer.md)',
                'measure with fio 2.3 or later, each job in a group of its own (docs/fio.md)'
            )
        )
    ) as remedy,
    count(*) as measurement_count,
from missing
group by array_id, profile_id, subject, sidecar_path, missing_reason, source_format
