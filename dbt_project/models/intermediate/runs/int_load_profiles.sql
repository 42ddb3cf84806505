-- A profile is what it is, not what it is called: one row per name that a publisher or a run gives,
-- with the id of the signature (random ratio, read ratio, block mix) behind it.
with printed as (
    select
        *,
        edition_order = min(edition_order) over (partition by document_id, profile) as is_leading,
    from {{ ref('stg_white_papers__profiles') }}
),

paper_names as (
    select
        document_id,
        profile as profile_name,
        arg_min_null(page, line) as page,
        arg_min_null(last_page, line) as last_page,
        arg_min(application, line) as application,
        any_value(random_ratio) as random_ratio,
        any_value(read_ratio) as read_ratio,
        any_value(alignment_bytes) as alignment_bytes,
        any_value(stream_count) as stream_count,
        list(
            struct_pack(block_bytes := block_bytes, share_ratio := share_ratio)
            order by block_bytes
        ) as block_mix,
    from printed
    where is_leading
    group by document_id, profile
),

-- An access specification of Iometer has a name, which is the lab's; a job of fio has none.
run_names as (
    select distinct
        run_profile_key,
        cast(null as varchar) as profile_name,
        random_ratio,
        read_ratio,
        cast(null as bigint) as alignment_bytes,
        block_option,
        block_mix,
    from {{ ref('int_fio__profiles') }}
    union all by name
    select distinct
        run_profile_key,
        profile_name,
        random_ratio,
        read_ratio,
        alignment_bytes,
        coalesce(
            block_mix, [struct_pack(block_bytes := cast(null as bigint), share_ratio := 1.0)]
        ) as block_mix,
    from {{ ref('int_iometer__access_specs') }}
),

names as (
    select * from paper_names
    union all by name
    select * from run_names
),

labelled as (
    select
        *,
        case
            when random_ratio is null then 'access-unstated'
            when random_ratio = 1 then 'random'
            when random_ratio = 0 then 'sequential'
            else 'random' || {{ percent_label('random_ratio') }}
        end as access_label,
        coalesce('read' || {{ percent_label('read_ratio') }}, 'read-unstated') as read_label,
        case
            when block_mix[1].block_bytes is null
                then coalesce('block-' || {{ slug('block_option') }}, 'block-unstated')
            when len(block_mix) = 1 then {{ size_label('block_mix[1].block_bytes') }}
            else
                {{ size_label('block_mix[1].block_bytes') }}
                || '-to-' || {{ size_label('block_mix[-1].block_bytes') }}
                || '-mix-' || left(md5({{ block_mix_label('block_mix') }}), 6)
        end as block_label,
    from names
)

select
    access_label || '-' || read_label || '-' || block_label as profile_id,
    document_id,
    run_profile_key,
    coalesce(
        profile_name,
        access_label || ', '
        || coalesce({{ percent_label('read_ratio') }} || ' % read', read_label) || ', '
        || block_label
    ) as profile_name,
    page,
    last_page,
    application,
    random_ratio,
    read_ratio,
    alignment_bytes,
    stream_count,
    block_option,
    block_mix,
    len(block_mix) = 1 as is_single_block,
    case when len(block_mix) = 1 then block_mix[1].block_bytes end as block_bytes,
from labelled
