{{ limits_of_links(ref('int_configurations'), ['array_id', 'profile_id']) }}
