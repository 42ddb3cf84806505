select
    profiles.profile_id,
    profiles.profile_name,
    documents.publisher,
    profiles.document_id,
    profiles.page,
    profiles.application,
    profiles.alignment_bytes,
    profiles.stream_count,
from {{ ref('int_load_profiles') }} as profiles
left join {{ ref('dim_documents') }} as documents using (document_id)
