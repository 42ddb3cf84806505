{#- The same formulas serve measured arrays and arrays that could be built. The latter have tables
    of their own, so that a new result does not rebuild them. `key`: the columns that identify an
    array at a load profile. -#}

{#- The limit of an array's drives: the number of drives times the rate of one alone at this load
    or, if none was measured alone, its data sheet's rating. Each rating is a bound of its own, and
    the lowest counts: a mix has no more reads than reads alone and no more writes than writes
    alone. A random write goes to every copy, or reads and writes data and parity; in bytes, full
    stripes are the upper bound. Hard disks skip parity when they read. All drives of a mirror could
    read; in practice only one copy does (Fujitsu 2016, page 36). -#}
{% macro limits_of_drives(arrays, key) -%}
with limits as (
    select
        *,
        -- drives beyond the saturating number add nothing, nor at a level that does more work
        coalesce(
            not has_printed_limit
            and saturating_drive_count / (read_ratio + write_ratio * saturated_operation_count)
            < drive_count / (read_ratio + write_operations), false
        ) as is_saturated,
        if(is_saturated, saturating_drive_count, drive_count) as contributing_count,
        if(is_saturated, write_ratio * saturated_operation_count, write_operations)
            as contributing_operations,
        -- a write in a small array needs fewer operations, so each drive delivers more
        most_iops_of_a_drive * greatest(
            (read_ratio + write_ratio * saturated_operation_count)
            / (read_ratio + write_operations), 1
        ) as most_iops_below_saturation,
        [
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
        ] as rated_parts,
        case
            when
                is_measured and random_ratio > 0
                and drive_count < saturating_drive_count
                and most_iops_below_saturation < single_iops / (read_ratio + write_operations)
                then [{{ drive_limit(
                    'printed saturation', 'contributing_count', iops='most_iops_below_saturation',
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
            -- `written`: the cost of a written byte, in bytes read
            when is_measured
                then [{{ drive_limit(
                    'measured', 'reading_drive_count', bytes='read', read='read_ratio',
                    written='coalesce(write_ratio * reading_drive_count * read '
                    ~ '/ (data_drive_count * write), 0)',
                    source='read_id'
                ) }}]
            else rated_parts
        end as parts,
    from {{ arrays }} as arrays
),

lowest as (
    select
        *,
        {{ rates_of('parts') }} as rates,
        {{ rates_of('rated_parts') }} as rated_rates,
        list_min(list_filter(rates, lambda rate: rate is not null)) as lowest_rate,
        list_min(list_filter(rated_rates, lambda rate: rate is not null)) as lowest_rated,
        parts[coalesce(list_position(rates, lowest_rate), 1)] as part,
    from limits
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
    from lowest
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
    case
        when derivation = 'measured' then lowest_rated / lowest_rate
        -- as if without parity and mirrors
        when drive_media = 'HDD' and random_ratio > 0
            then drive_count
                * least(read_iops / nullif(read_ratio, 0), write_iops / nullif(write_ratio, 0)) / iops
    end as rated_ratio,
    drive_count >= saturating_drive_count and is_own_level and has_printed_limit as is_saturating,
from valued
{%- endmacro %}

{#- The rate of an array by each part of the limit of its drives: bytes per second if known. -#}
{% macro rates_of(parts) -%}
    list_transform({{ parts }}, lambda part: coalesce(
        part.member_bytes_per_second, part.member_iops * mean_block_bytes, part.member_iops
    ) * part.member_count / nullif(part.read_factor + part.write_factor, 0))
{%- endmacro %}

{#- The limits of the links to the drives and to the host. A link to a drive is as fast as the
    slower of port and drive; a drive on PCIe has its own link, or shares the lanes of a controller's
    ports. A SATA port takes one drive; SAS ports share theirs through an expander. SAS, PCIe and DMI are full duplex, so the busier
    direction counts; SATA is half duplex, so both directions share the link. -#}
{% macro limits_of_links(arrays, key) -%}
with links as (
    select
        arrays.*,
        regexp_matches(drive_interface, '^PCIe [\d.]') as is_pcie_drive,
        try_cast(regexp_extract(drive_interface, ' x(\d+)$', 1) as double) as drive_lane_count,
        -- a port of SAS that also takes PCIe has one lane
        coalesce(
            is_pcie_drive and disk_port_interface like 'SAS %'
            and drive_count * drive_lane_count > disk_port_count, false
        ) as shares_lanes,
        port.lane_theoretical_bytes_per_second as port_rate,
        own.lane_theoretical_bytes_per_second as own_rate,
        coalesce(drive_lane_count, if(is_pcie_drive, null, 1)) * own_rate as drive_rate,
        host_lane_count * host.lane_theoretical_bytes_per_second as host_rate,
        case
            -- an interface that no standard names, or PCIe of unknown lanes, is unknown
            when drive_interface is not null and drive_rate is null then null
            when shares_lanes then own_rate
            when is_pcie_drive then drive_rate
            else least(port_rate, drive_rate)
        end as disk_rate,
        case
            when shares_lanes then own.interface || ' x1'
            when is_pcie_drive or drive_rate <= port_rate or port_rate is null then drive_interface
            else disk_port_interface
        end as disk_link,
        case
            when shares_lanes then disk_port_count
            when is_pcie_drive or disk_port_interface like 'SATA %' then drive_count
            else least(disk_port_count, drive_count)
        end as disk_link_count,
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
        when disk_rate is null and is_pcie_drive and own_rate is not null
            then 'number of lanes of the drives not reported'
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

{#- Theoretical and practical limits of arrays at load profiles with their inputs, or the reason why
    one cannot be derived. `high` values are upper bounds: an "about" limit may be half a step of
    its last digit higher; a controller's cache speeds up random writes to mirrors and parity of
    hard disks (Fujitsu 2016, page 40), at most to their rate without either; SSDs that read faster
    than they write do at most as many writes as alone, as if reads for parity cost nothing; a drive
    may do what it is rated for, even if less was measured; drives that saturate the controller, as
    printed, have no upper bound. -#}
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
            when published_id is null and is_own_controller and drive_count = 1
                then 'a drive on PCIe is its own controller'
            when published_id is null and is_own_controller and drive_count > 1
                then 'no document reports how many of these drives the processor keeps busy'
            when controller_id is null then 'controller not reported'
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
        kinds.* exclude (iops, bytes_per_second, slack_ratio, rated_ratio, is_saturating),
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
            when kinds.is_saturating then null
            when arrays.drive_media = 'HDD' and arrays.random_ratio > 0
                then if(
                    kinds.derivation = 'rated',
                    coalesce(kinds.rated_ratio, 1), kinds.read_factor + kinds.write_factor
                )
            else greatest(
                1, kinds.rated_ratio,
                if(
                    kinds.derivation = 'measured' and arrays.random_ratio > 0,
                    arrays.write_ratio * (kinds.read_factor + kinds.write_factor)
                    / nullif(arrays.disk_write_ratio, 0), null
                )
            )
        end as most_ratio,
        most_ratio * data_rate as high_bytes_per_second,
        most_ratio * io_rate as high_iops,
        -- a limit of a cheaper level, or of one direction, leaves the controller's own open
        coalesce(kinds.known_from not in ('controller', 'twin'), false)
        or kinds.missing_reason is not null
        and not (
            coalesce(arrays.is_own_controller, false)
            and (
                kinds.ceiling_kind = 'host interface'
                or kinds.ceiling_kind = 'controller' and coalesce(arrays.drive_count = 1, false)
            )
        ) as is_unknown,
    from kinds
    inner join {{ arrays }} as arrays using ({{ key | join(', ') }})
    cross join (values ('theoretical'), ('practical')) as bases (basis)
)

select * exclude (
    basis_ratio, known_iops, known_bytes_per_second, data_rate, io_rate, most_ratio
) replace (basis_ratio as practical_ratio)
from limits
{%- endmacro %}

{#- The sort key of limits: the lowest is the ceiling, of equal ones the nearest to the drives.
    Unknown limits come last. -#}
{% macro limit_rank() -%}
    row(
        coalesce(bytes_per_second, cast('infinity' as double)),
        coalesce(iops, cast('infinity' as double)),
        list_position(
            ['drives', 'disk interface', 'controller', 'host interface'], ceiling_kind
        )
    )
{%- endmacro %}

{#- The ceiling of an array at a load profile: the lowest of its limits that can be derived. -#}
{% macro lowest_limits(limits, key) -%}
select
    {{ key | join(', ') }},
    min(bytes_per_second) as bytes_per_second,
    min(iops) as iops,
    min(high_bytes_per_second) as high_bytes_per_second,
    min(high_iops) as high_iops,
    arg_min(ceiling_kind, {{ limit_rank() }}) filter (coalesce(bytes_per_second, iops) is not null)
        as binding_ceiling,
    arg_min(derivation, {{ limit_rank() }}) filter (coalesce(bytes_per_second, iops) is not null)
        as binding_derivation,
    nullif(
        arg_min(coalesce(source_measurement_id, ''), {{ limit_rank() }})
        filter (coalesce(bytes_per_second, iops) is not null), ''
    ) as binding_measurement_id,
    any_value(known_from) as known_from,
    any_value(derivation) filter (ceiling_kind = 'drives') as drives_derivation,
    array_to_string(list_sort(list(ceiling_kind) filter (missing_reason is not null)), ', ')
        as missing_limits,
    array_to_string(list_sort(list(ceiling_kind) filter (is_unknown)), ', ') as unknown_limits,
    arg_min(ceiling_kind, row(iops, {{ limit_rank() }})) filter (iops is not null)
        as iops_binding_ceiling,
    array_to_string(
        list_sort(list(ceiling_kind || ': ' || missing_reason) filter (missing_reason is not null)),
        '; '
    ) as missing_reasons,
from {{ limits }}
group by {{ key | join(', ') }}
{%- endmacro %}
