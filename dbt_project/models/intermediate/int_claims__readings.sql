-- What a claim asks for, as tags that a point must have: of each list in `wanted_*` one. What its
-- condition says beyond them is read by the seed of wordings; what nothing reads is `unread`.
with words as (
    select
        claim_id,
        document_id,
        unnest(string_split(condition, '; ')) as word,
        true as is_condition,
    from {{ ref('int_claims') }}
    union all
    select
        claim_id,
        document_id,
        unnest(regexp_split_to_array(leading_note, '[;,] ')) as word,
        false as is_condition,
    from {{ ref('int_claims') }}
),

points as (
    select
        document_id,
        unnest(tags) as tag,
    from {{ ref('int_claims__points') }}
),

known as (
    select distinct
        document_id,
        tag,
    from points
    where starts_with(tag, 'condition=') or starts_with(tag, 'server=')
),

read_words as (
    select
        words.claim_id,
        words.word,
        words.is_condition,
        coalesce(
            wordings.reading,
            case
                when
                    regexp_matches(words.word, '^(queue depth )?\d.*outstanding|^queue depth \d')
                    or known.tag is not null then 'tag'
            end
        ) as reading,
        case
            when wordings.tag is not null then [wordings.tag]
            when wordings.reading is not null then null
            when regexp_matches(words.word, '^\d+-\d+ outstanding')
                then list_transform(
                    range(
                        cast(regexp_extract(words.word, '^\d+') as bigint),
                        cast(regexp_extract(words.word, '-(\d+)', 1) as bigint) + 1
                    ), lambda load: 'outstanding_io_count=' || load
                )
            when regexp_matches(words.word, '^\d+( and \d+)? outstanding')
                then list_transform(
                    regexp_extract_all(words.word, '\d+'),
                    lambda load: 'outstanding_io_count=' || load
                )
            when starts_with(words.word, 'queue depth')
                then ['outstanding_io_count=' || regexp_extract(words.word, '\d+') || ' per drive']
            else [known.tag]
        end as tags,
    from words
    left join {{ ref('claim_wordings') }} as wordings on words.word = wordings.wording
    left join known
        on
            words.document_id = known.document_id
            and known.tag in ('condition=' || words.word, 'server=' || words.word)
    where words.is_condition or wordings.reading = 'any'
)

select
    claim_id,
    list(tags) filter (reading = 'tag') as wanted_conditions,
    bool_or(reading = 'any') as is_any_enough,
    bool_or(reading = 'maximum') as is_of_maxima,
    bool_or(reading = 'theory') as is_theory,
    bool_or(reading = 'low load') as is_of_low_load,
    bool_or(reading = 'high load') as is_of_high_load,
    string_agg(word, '; ' order by word) filter (reading is null) as unread,
from read_words
group by claim_id
