{{ lowest_limits(ref('int_limits'), ['array_id', 'profile_id', 'purpose', 'basis']) }}
