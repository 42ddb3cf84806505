{#- Ceilings and predictions, of arrays that were measured and of those that could be built: the same
    formulas in two lines of tables, for a new result changes the first alone. `key` has the columns
    that tell arrays at load profiles apart. -#}

{#- Arrays at load profiles with what their ceilings are derived from. A single drive without a RAID
    level is JBOD; one on PCIe without a controller's ports is its own. -#}
{% macro configurations(arrays) -%}
select
    arrays.* replace (
        coalesce(levels.raid_level, arrays.raid_level) as raid_level,
        coalesce(drives.drive_media, arrays.drive_media) as drive_media,
        coalesce(drives.drive_interface, arrays.drive_interface) as drive_interface
    ),
    controllers.disk_port_interface,
    controllers.disk_port_count,
    controllers.host_interface,
    controllers.host_lane_count,
    regexp_matches(coalesce(drives.drive_interface, arrays.drive_interface), '^PCIe [\d.]')
    and controllers.disk_port_interface is null as is_own_controller,
    profiles.* exclude (profile_id, profile_names, published_names, block_mix, block_bytes),
    profiles.block_mix[1].block_bytes as least_block_bytes,
    1 - profiles.read_ratio as write_ratio,
    saturations.* exclude (controller_id, raid_level, drive_id, profile_id, left_out),
    levels.random_write_operation_count,
    levels.copy_count,
    levels.parity_drive_count,
    nullif(greatest(arrays.drive_count / levels.copy_count - levels.parity_drive_count, 0), 0)
        as data_drive_count,
    -- hard disks skip parity when they read in sequence
    if(
        profiles.random_ratio = 0
        and coalesce(drives.drive_media, arrays.drive_media) = 'HDD'
        and levels.parity_drive_count > 0,
        data_drive_count, arrays.drive_count
    ) as reading_drive_count,
    -- bytes that the drives read and write for each byte that the application reads or writes
    -- (without parity as many of random as of sequential writes)
    profiles.read_ratio + if(
        write_ratio = 0 or levels.extra_read_bytes_ratio = 0,
        0, write_ratio * profiles.random_ratio * levels.extra_read_bytes_ratio
    ) as disk_read_ratio,
    write_ratio * case
        when write_ratio = 0 then 0
        when profiles.random_ratio = 1 or levels.extra_read_bytes_ratio = 0
            then levels.written_bytes_ratio
        else
            profiles.random_ratio * levels.written_bytes_ratio
            + (1 - profiles.random_ratio) * arrays.drive_count / data_drive_count
    end as disk_write_ratio,
from {{ arrays }} as arrays
inner join {{ ref('int_load_profiles') }} as profiles using (profile_id)
left join {{ ref('int_controllers') }} as controllers using (controller_id)
left join {{ ref('int_drives') }} as drives using (drive_id)
left join {{ ref('dim_raid_levels') }} as levels
    on levels.raid_level = coalesce(arrays.raid_level, if(arrays.drive_count = 1, 'JBOD', null))
left join {{ ref('int_printed_saturations') }} as saturations
    on
        arrays.controller_id = saturations.controller_id
        and coalesce(levels.raid_level, arrays.raid_level) = saturations.raid_level
        and arrays.drive_id = saturations.drive_id
        and arrays.profile_id = saturations.profile_id
        and arrays.left_out is not distinct from saturations.left_out
{%- endmacro %}

{#- Arrays with what one of their drives does alone, measured or rated. -#}
{% macro with_drive_rates(arrays) -%}
with sequential as (
    select
        drive_id,
        left_out,
        max(bytes_per_second) filter (sequential_read_ratio = 1) as read,
        max(bytes_per_second) filter (sequential_read_ratio = 0) as write,
        arg_max(measurement_id, (bytes_per_second, measurement_id)) filter (
            sequential_read_ratio = 1
        ) as read_id,
        arg_max(measurement_id, (bytes_per_second, measurement_id)) filter (
            sequential_read_ratio = 0
        ) as write_id,
    from {{ ref('int_drive_rates') }}
    group by drive_id, left_out
)

select
    arrays.*,
    if(arrays.write_ratio = 0, 0, arrays.write_ratio * arrays.random_write_operation_count)
        as write_operations,
    rates.iops as single_iops,
    rates.measurement_id as single_id,
    sequential.* exclude (drive_id, left_out),
    rated.* exclude (drive_id, profile_id),
    -- throughput is measured with large blocks; small ones may be slower
    if(
        arrays.random_ratio > 0, rates.iops is not null,
        (arrays.read_ratio = 0 or sequential.read is not null)
        and (arrays.read_ratio = 1 or sequential.write is not null)
        and (arrays.purpose is distinct from 'what-if' or arrays.least_block_bytes >= 65536)
    ) as is_measured,
from {{ arrays }} as arrays
left join {{ ref('int_drive_rates') }} as rates
    on
        arrays.drive_id = rates.drive_id
        and arrays.profile_id = rates.profile_id
        and arrays.left_out is not distinct from rates.left_out
left join sequential
    on
        arrays.drive_id = sequential.drive_id
        and arrays.left_out is not distinct from sequential.left_out
left join {{ ref('int_drive_bounds') }} as rated
    on arrays.drive_id = rated.drive_id and arrays.profile_id = rated.profile_id
{%- endmacro %}

{#- The most that the drives of an array do: so many times what one does alone at this load, or, if
    none was measured alone, what its data sheet rates it at most. Each bound of a data sheet holds
    by itself, and the lowest counts: a mix has no more reads than reads alone and no more writes
    than writes alone. A random write goes to every copy, or reads and writes data and parity; in
    bytes, full stripes are the most. Hard disks skip parity when they read. Of a mirror all could
    read, and in practice one copy does (Fujitsu 2016, page 36). -#}
{% macro limits_of_drives(arrays, key) -%}
with limits as (
    select
        *,
        -- more drives than saturate the controller add nothing, nor at a level that does more work
        coalesce(
            not has_printed_limit
            and saturating_drive_count / (read_ratio + write_ratio * saturated_operation_count)
            < drive_count / (read_ratio + write_operations), false
        ) as is_saturated,
        if(is_saturated, saturating_drive_count, drive_count) as contributing_count,
        if(is_saturated, write_ratio * saturated_operation_count, write_operations)
            as contributing_operations,
        unnest(
            case
                when
                    is_measured and random_ratio > 0
                    and drive_count < saturating_drive_count
                    and most_iops_of_a_drive < single_iops / (read_ratio + write_operations)
                    then [{{ drive_limit(
                        'printed saturation', 'contributing_count', iops='most_iops_of_a_drive',
                        read='1'
                    ) }}]
                when is_measured and random_ratio > 0
                    then [{{ drive_limit(
                        'measured', 'contributing_count', iops='single_iops', read='read_ratio',
                        written='contributing_operations', source='single_id'
                    ) }}]
                when is_measured and read_ratio = 0
                    then [{{ drive_limit(
                        'measured', 'data_drive_count', bytes='write', written='write_ratio',
                        source='write_id'
                    ) }}]
                -- what a written byte takes of the drives, in bytes read
                when is_measured
                    then [{{ drive_limit(
                        'measured', 'reading_drive_count', bytes='read', read='read_ratio',
                        written='coalesce(write_ratio * reading_drive_count * read '
                        ~ '/ (data_drive_count * write), 0)',
                        source='read_id'
                    ) }}]
                else [
                    {{ drive_limit(
                        'rated', 'drive_count', iops='read_iops', read='disk_read_ratio'
                    ) }},
                    {{ drive_limit(
                        'rated', 'drive_count', iops='write_iops', written='disk_write_ratio'
                    ) }},
                    {{ drive_limit(
                        'rated', 'reading_drive_count', bytes='read_bytes_per_second',
                        read='read_ratio'
                    ) }},
                    {{ drive_limit(
                        'rated', 'data_drive_count', bytes='write_bytes_per_second',
                        written='write_ratio'
                    ) }}
                ]
            end
        ) as part,
    from {{ arrays }} as arrays
),

valued as (
    select
        * exclude (part),
        part.derivation as derivation,
        part.member_count as member_count,
        part.member_iops as member_iops,
        part.member_bytes_per_second as member_bytes_per_second,
        part.read_factor as read_factor,
        part.write_factor as write_factor,
        part.source_measurement_id as source_measurement_id,
        member_count / nullif(read_factor + write_factor, 0) as weight,
        weight * member_iops as iops,
        weight * member_bytes_per_second as bytes_per_second,
        coalesce(bytes_per_second, iops * mean_block_bytes, iops) as rate,
    from limits
)

select
    {{ key | join(', ') }},
    'drives' as ceiling_kind,
    case
        when drive_count is null then 'number of drives not reported'
        when drive_count = 1 and purpose = 'measured' then 'a single drive is its own reference'
        when random_ratio is null or read_ratio is null
            then 'random share or share of reads not reported'
        when write_ratio > 0 and data_drive_count is null
            then 'RAID level not reported; writes depend on it'
        when random_ratio > 0 and iops is null and bytes_per_second is null
            then 'no single drive of this model was measured or rated at this profile'
        when iops is null and bytes_per_second is null
            then 'no single drive of this model was measured or rated sequentially'
    end as missing_reason,
    if(iops is null and bytes_per_second is null, null, derivation) as derivation,
    member_count,
    member_iops,
    member_bytes_per_second,
    read_factor,
    write_factor,
    false as is_full_duplex,
    source_measurement_id,
    iops,
    bytes_per_second,
    if(
        random_ratio = 0 and drive_media = 'HDD' and copy_count > 1 and derivation = 'measured',
        (read_factor + write_factor) / (copy_count * read_factor + write_factor), 1
    ) as practical_ratio,
from valued
qualify
    row_number() over (
        partition by {{ key | join(', ') }}
        order by
            rate asc nulls last,
            row(read_factor, write_factor, member_count, member_iops) asc
    ) = 1
{%- endmacro %}

{#- The most that the links carry, to the drives and to the host. A link to a drive is as fast as the
    slower of port and drive; a drive on PCIe brings its own. A SATA port takes one drive; SAS ports
    share theirs through an expander. SAS, PCIe and DMI are full duplex, so the busier direction
    counts; SATA is half duplex, so both directions share the link. -#}
{% macro limits_of_links(arrays, key) -%}
with links as (
    select
        arrays.*,
        regexp_matches(drive_interface, '^PCIe [\d.]') as is_pcie_drive,
        port.lane_theoretical_bytes_per_second as port_rate,
        coalesce(try_cast(regexp_extract(drive_interface, ' x(\d+)$', 1) as bigint), 1)
        * own.lane_theoretical_bytes_per_second as drive_rate,
        host_lane_count * host.lane_theoretical_bytes_per_second as host_rate,
        case
            -- an interface that no standard names is not known
            when drive_interface is not null and drive_rate is null then null
            when is_pcie_drive then drive_rate
            else least(port_rate, drive_rate)
        end as disk_rate,
        if(
            is_pcie_drive or drive_rate <= port_rate or port_rate is null,
            drive_interface, disk_port_interface
        ) as disk_link,
        if(
            is_pcie_drive or disk_port_interface like 'SATA %',
            drive_count, least(disk_port_count, drive_count)
        ) as disk_link_count,
        not coalesce(drive_interface like 'SATA %' or disk_port_interface like 'SATA %', false)
            as is_full_duplex,
    from {{ arrays }} as arrays
    left join {{ ref('dim_interfaces') }} as port on disk_port_interface = port.interface
    left join {{ ref('dim_interfaces') }} as own
        on regexp_extract(drive_interface, '^(PCIe [\d.]+|.*)') = own.interface
    left join {{ ref('dim_interfaces') }} as host on host_interface = host.interface
)

select
    {{ key | join(', ') }},
    'disk interface' as ceiling_kind,
    case
        when disk_rate is null then 'interface of ports and drives not known'
        when disk_link_count is null then 'number of ports and drives not reported'
        when read_ratio is null then 'share of reads not reported'
        when disk_read_ratio is null or disk_write_ratio is null
            then 'writes depend on RAID level, drive count and random share: one is not reported'
    end as missing_reason,
    disk_link_count as member_count,
    disk_link as link,
    disk_rate as member_bytes_per_second,
    disk_read_ratio as read_factor,
    disk_write_ratio as write_factor,
    is_full_duplex,
    disk_link_count * disk_rate / if(
        is_full_duplex,
        greatest(disk_read_ratio, disk_write_ratio), disk_read_ratio + disk_write_ratio
    ) as bytes_per_second,
from links
union all by name
select
    {{ key | join(', ') }},
    'host interface' as ceiling_kind,
    case
        when is_own_controller then 'the link of a drive on PCIe is the disk interface'
        when host_rate is null then 'the link to the host is not known'
        when read_ratio is null then 'share of reads not reported'
    end as missing_reason,
    1 as member_count,
    host_interface || ' x' || host_lane_count as link,
    host_rate as member_bytes_per_second,
    read_ratio as read_factor,
    write_ratio as write_factor,
    true as is_full_duplex,
    host_rate / greatest(read_ratio, write_ratio) as bytes_per_second,
from links
{%- endmacro %}

{#- Arrays with the limit of their controller that a document publishes. -#}
{% macro with_published_limits(arrays) -%}
select
    arrays.*,
    limits.iops as published_iops,
    limits.bytes_per_second as published_bytes_per_second,
    limits.measurement_id as published_id,
    limits.known_from,
    points.rounding_ratio,
from {{ arrays }} as arrays
left join {{ ref('int_controller_limits') }} as limits
    on
        arrays.controller_id = limits.controller_id
        and arrays.profile_id = limits.profile_id
        and arrays.raid_level = limits.raid_level
        and arrays.left_out is not distinct from limits.left_out
left join {{ ref('int_white_papers__measurements') }} as points
    on limits.measurement_id = points.measurement_id
{%- endmacro %}

{#- Each limit of arrays at load profiles, in theory and in practice, with what it is derived from;
    what cannot be derived says why. The lowest is first, of equal ones the nearest to the drives.
    `high` values are what it may be at most: a limit printed as about a value may be half a step of
    its last digit higher; a controller's cache speeds up random writes to mirrors and parity of hard
    disks (Fujitsu 2016, page 40), to what they do without either at most; as many drives as
    saturate the controller, as printed, are no bound. -#}
{% macro limits_of(arrays, drives, links, key) -%}
with kinds as (
    select
        *,
        'links' as derivation,
        {{ practical_ratio() }} as practical_ratio,
    from {{ links }} as links
    union all by name
    select *
    from {{ drives }} as drives
    union all by name
    select
        {{ key | join(', ') }},
        'controller' as ceiling_kind,
        'published' as derivation,
        1 as practical_ratio,
        case
            when controller_id is null then 'controller not reported'
            when published_id is null and is_own_controller
                then 'a drive on PCIe is its own controller'
            when published_id is null
                then 'no document reports a limit of this controller at this level and profile'
        end as missing_reason,
        published_bytes_per_second as bytes_per_second,
        published_iops as iops,
        known_from,
        published_id as source_measurement_id,
        1 + coalesce(rounding_ratio, 0) as slack_ratio,
    from {{ arrays }} as arrays
),

limits as (
    select
        kinds.* exclude (iops, bytes_per_second, slack_ratio),
        arrays.purpose,
        bases.basis,
        if(bases.basis = 'practical', kinds.practical_ratio, 1) as basis_ratio,
        if(kinds.missing_reason is null, kinds.iops, null) as known_iops,
        if(kinds.missing_reason is null, kinds.bytes_per_second, null) as known_bytes_per_second,
        coalesce(known_bytes_per_second, known_iops * arrays.mean_block_bytes) as data_rate,
        coalesce(known_iops, known_bytes_per_second / arrays.mean_block_bytes) as io_rate,
        basis_ratio * data_rate as bytes_per_second,
        basis_ratio * io_rate as iops,
        case
            when kinds.ceiling_kind != 'drives' then coalesce(kinds.slack_ratio, 1)
            when
                arrays.drive_count >= arrays.saturating_drive_count
                and arrays.is_own_level
                and arrays.has_printed_limit
                then null
            when arrays.drive_media = 'HDD' and arrays.random_ratio > 0
                then (kinds.read_factor + kinds.write_factor) / case
                    when kinds.derivation != 'rated' then 1
                    when kinds.write_factor > 0 then arrays.write_ratio
                    else arrays.read_ratio
                end
            else 1
        end as most_ratio,
        most_ratio * data_rate as high_bytes_per_second,
        most_ratio * io_rate as high_iops,
        -- a limit of a cheaper level, or of one direction, leaves open what this one is
        coalesce(kinds.known_from not in ('controller', 'twin'), false)
        or kinds.missing_reason is not null
        and not (
            coalesce(arrays.is_own_controller, false)
            and kinds.ceiling_kind in ('controller', 'host interface')
        ) as is_unknown,
    from kinds
    inner join {{ arrays }} as arrays using ({{ key | join(', ') }})
    cross join (values ('theoretical'), ('practical')) as bases (basis)
)

select
    * exclude (
        basis_ratio, known_iops, known_bytes_per_second, data_rate, io_rate, most_ratio
    ) replace (basis_ratio as practical_ratio),
    row_number() over (
        partition by {{ key | join(', ') }}, basis
        order by
            bytes_per_second asc nulls last,
            iops asc nulls last,
            list_position(
                ['drives', 'disk interface', 'controller', 'host interface'], ceiling_kind
            ) asc
    ) as limit_order,
from limits
{%- endmacro %}

{#- The ceiling of an array at a load profile: the lowest of its limits that can be derived. -#}
{% macro lowest_limits(limits, key) -%}
select
    {{ key | join(', ') }},
    min(bytes_per_second) as bytes_per_second,
    min(iops) as iops,
    min(high_bytes_per_second) as high_bytes_per_second,
    min(high_iops) as high_iops,
    any_value(ceiling_kind) filter (
        limit_order = 1 and coalesce(bytes_per_second, iops) is not null
    ) as binding_ceiling,
    any_value(derivation) filter (limit_order = 1) as binding_derivation,
    any_value(source_measurement_id) filter (limit_order = 1) as binding_measurement_id,
    any_value(known_from) as known_from,
    any_value(derivation) filter (ceiling_kind = 'drives') as drives_derivation,
    array_to_string(list_sort(list(ceiling_kind) filter (missing_reason is not null)), ', ')
        as missing_limits,
    array_to_string(list_sort(list(ceiling_kind) filter (is_unknown)), ', ') as unknown_limits,
    arg_min(ceiling_kind, (iops, limit_order)) filter (iops is not null) as iops_binding_ceiling,
    array_to_string(
        list_sort(list(ceiling_kind || ': ' || missing_reason) filter (missing_reason is not null)),
        '; '
    ) as missing_reasons,
from {{ limits }}
group by {{ key | join(', ') }}
{%- endmacro %}

{#- What is predicted of an array that was not measured, or whose measurement is left out: the least
    of the practical limits that can be derived; and on what that rests. It is an upper bound only
    where the controller's own limit is not known and it was not shown to do as much, and where the
    drives' limit is not known, only a data sheet's, or what fewer drives than those that are
    printed to saturate the controller stay below. A controller was shown to do what it, or its
    twin, was measured to reach at that RAID level or at one that costs it more.

    The end of a chart's axis is above each bar: of the arrays that it shows, of fewer drives, and of
    RAID levels that do as much or more work. -#}
{% macro predictions(arrays, ceilings, key) -%}
with charts as (
    select
        {{ slug('each_controller') }} as controller_id,
        levels.raid_level,
        {{ slug('drive') }} as drive_id,
        try_cast(drive_count as bigint) as drive_count,
        profiles.profile_id,
        min(axis_maximum_iops) as iops,
        min(axis_maximum_bytes_per_second) as bytes_per_second,
    from {{ ref('stg_white_papers__figures') }} as figures
    cross join {{ each_of('figures.controller') }} as controllers (each_controller)
    cross join {{ each_of('figures.raid_level') }} as charted (each_level)
    cross join {{ each_of('figures.profile') }} as names (profile_name)
    inner join {{ ref('int_white_papers__profiles') }} as profiles
        on
            figures.document_id = profiles.document_id
            and names.profile_name = profiles.profile_name
    inner join {{ ref('dim_raid_levels') }} as less on charted.each_level = less.raid_level
    inner join {{ ref('dim_raid_levels') }} as levels
        on
            less.copy_count <= levels.copy_count
            and less.parity_drive_count <= levels.parity_drive_count
            and less.random_write_operation_count <= levels.random_write_operation_count
    where x_axis = 'load profile' and coalesce(axis_maximum_iops, axis_maximum_bytes_per_second) > 0
    group by all
),

charted as (
    select
        {% for column in key -%}
            arrays.{{ column }},
        {% endfor -%}
        min(coalesce(charts.bytes_per_second, charts.iops * arrays.mean_block_bytes))
            as bytes_per_second,
        min(coalesce(charts.iops, charts.bytes_per_second / arrays.mean_block_bytes)) as iops,
    from charts
    inner join {{ arrays }} as arrays using (controller_id, raid_level, drive_id, profile_id)
    where arrays.purpose = 'what-if' and arrays.drive_count <= charts.drive_count
    group by all
),

reached as (
    select
        controller_id,
        raid_level,
        profile_id,
        max(bytes_per_second) as bytes_per_second,
    from {{ ref('int_reached_values') }}
    group by controller_id, raid_level, profile_id
)

select
    {{ key | join(', ') }},
    {% for column in ['controller_id', 'raid_level', 'drive_id', 'drive_count']
        if column not in key -%}
        arrays.{{ column }},
    {% endfor -%}
    arrays.purpose,
    arrays.left_out,
    arrays.drive_media,
    arrays.random_ratio = 0 as is_sequential,
    if(arrays.is_own_level, arrays.saturating_drive_count, null) as printed_saturating_drive_count,
    least(practical.high_bytes_per_second, charted.bytes_per_second) as high_bytes_per_second,
    least(practical.high_iops, charted.iops) as high_iops,
    least(practical.bytes_per_second, practical.high_bytes_per_second, charted.bytes_per_second)
        as bytes_per_second,
    least(practical.iops, practical.high_iops, charted.iops) as iops,
    practical.binding_ceiling,
    practical.binding_measurement_id,
    practical.missing_limits,
    case
        when practical.drives_derivation = 'rated' then 'data sheet'
        when
            practical.binding_ceiling = 'controller'
            and practical.known_from in ('controller', 'twin')
            then 'printed limit'
        when
            practical.known_from in ('controller', 'twin')
            or arrays.is_own_controller
            or arrays.drive_count = 1
            or arrays.purpose = 'what-if' and practical.bytes_per_second <= reached.bytes_per_second
            then if(practical.drives_derivation is null, 'links only', 'links and drives')
        else 'controller limit unknown'
    end as evidence,
    if(
        evidence in ('data sheet', 'controller limit unknown', 'links only')
        or practical.binding_derivation = 'printed saturation',
        'at_most', 'approximate'
    ) as value_qualifier,
from {{ arrays }} as arrays
inner join {{ ceilings }} as practical using ({{ key | join(', ') }})
left join charted using ({{ key | join(', ') }})
left join reached using (controller_id, raid_level, profile_id)
where arrays.purpose != 'measured'
{%- endmacro %}
