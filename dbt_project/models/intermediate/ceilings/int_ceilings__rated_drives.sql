-- What the drives of an array that could be built do at most by their data sheet. Each bound
-- holds alone, and the least counts: a mixed load has no more reads per second than reads alone,
-- and no more writes than writes alone. A random write goes to every copy, or to data and parity;
-- the reads before a parity write are left out, since no rating says what they cost. In bytes
-- full stripes are the most, and both copies of a mirror may be read.
with bounds as (
    select
        array_id,
        profile_id,
        if(
            arrays.random_ratio = 0 and arrays.drive_media = 'HDD'
            and arrays.parity_drive_count > 0,
            arrays.data_drive_count, arrays.drive_count
        ) as reading_count,
        unnest([
            struct_pack(
                bytes_per_second := arrays.drive_count * rated.read_iops * arrays.mean_block_bytes
                / nullif(arrays.read_ratio, 0),
                formula := {{ counted('arrays.drive_count', 'drive') }} || ' x '
                || {{ whole('rated.read_iops') }}
                || ' IO/s (data sheet) / ' || {{ short('arrays.read_ratio') }} || ' read'
            ),
            struct_pack(
                bytes_per_second := arrays.drive_count * rated.write_iops * arrays.mean_block_bytes
                / nullif(arrays.write_ratio * arrays.bytes_written_per_write, 0),
                formula := {{ counted('arrays.drive_count', 'drive') }} || ' x '
                || {{ whole('rated.write_iops') }}
                || ' IO/s (data sheet) / (' || {{ short('arrays.write_ratio') }} || ' written x '
                || {{ short('arrays.bytes_written_per_write') }} || ' on disk)'
            ),
            struct_pack(
                bytes_per_second := reading_count * rated.read_bytes_per_second
                / nullif(arrays.read_ratio, 0),
                formula := {{ counted(short('reading_count'), 'reading drive') }} || ' x '
                || {{ whole('rated.read_bytes_per_second') }} || ' B/s (data sheet) / '
                || {{ short('arrays.read_ratio') }} || ' read'
            ),
            struct_pack(
                bytes_per_second := arrays.data_drive_count * rated.write_bytes_per_second
                / nullif(arrays.write_ratio, 0),
                formula := {{ short('arrays.data_drive_count') }} || ' drives of data x '
                || {{ whole('rated.write_bytes_per_second') }} || ' B/s (data sheet) / '
                || {{ short('arrays.write_ratio') }} || ' written'
            )
        ], recursive := true),
    from {{ ref('int_configurations') }} as arrays
    inner join {{ ref('int_drive_bounds') }} as rated using (drive_id, profile_id)
    where arrays.is_rated
)

select
    array_id,
    profile_id,
    'drives' as ceiling_kind,
    1 as practical_ratio,
    min(bytes_per_second) as bytes_per_second,
    arg_min(formula, bytes_per_second) as formula,
from bounds
group by array_id, profile_id
