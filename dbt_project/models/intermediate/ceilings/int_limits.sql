{{ limits_of(
    ref('int_configurations'), ref('int_ceilings__drives'), ref('int_ceilings__interfaces'),
    ['array_id', 'profile_id']
) }}
