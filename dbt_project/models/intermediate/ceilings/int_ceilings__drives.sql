{{ limits_of_drives(ref('int_configurations'), ['array_id', 'profile_id']) }}
