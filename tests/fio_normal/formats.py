"""The lines of fio 3.33's normal output, as stat.c (before the results, init.c) formats them.

Each has the place of its numbers, the prefix of their names, and the line. `{iops:short}` is a
number in one of the forms of `printed`, named like raw's column; `{unit}` is a word that later
lines may need.
"""

FORMATS = (
    (
        "asked {name}",
        "",
        "{name}: (g={group}): rw={rw}, bs=(R) {bs_read:short}-{most_bs_read:short}, "
        "(W) {bs_write:short}-{most_bs_write:short}, (T) {bs_trim:short}-{most_bs_trim:short}, "
        "ioengine={engine}, iodepth={iodepth:exact}",
    ),
    ("", "", "..."),
    ("", "", "note: {note}"),
    ("", "", "fio-{version}"),
    ("run", "", "Starting {processes:exact} {kind}"),
    ("", "", "{name}: Laying out IO file {files}"),
    ("", "", "fio: terminating on signal {signal}"),
    # show_thread_status_normal
    (
        "{job}",
        "",
        "{jobname}: (groupid={group_id:exact}, jobs={member_count:exact}): err={error:exact}{why}: "
        "pid={pid}",
    ),
    ("", "", "  Description  : [{description}]"),
    (
        "{job}",
        "",
        "  cpu          : usr={usr_cpu_percent:fixed}%, sys={sys_cpu_percent:fixed}%, "
        "ctx={context_switch_count:exact}, majf={majf:exact}, minf={minf:exact}",
    ),
    ("{job}", "depth ", "  IO depths    : {shares:shares}"),
    ("{job}", "submit ", "     submit    : {shares:shares}"),
    ("{job}", "complete ", "     complete  : {shares:shares}"),
    (
        "{job}",
        "",
        "     issued rwts: total={total_ios:parts} short={short_ios:parts} "
        "dropped={drop_ios:parts}",
    ),
    (
        "{job}",
        "",
        "     errors    : total={total_error_count:exact}, first_error={first_error:exact}/<{why}>",
    ),
    (
        "{job}",
        "latency_",
        "     latency   : target={target:exact}, window={window:exact}, "
        "percentile={percentile:fixed}%, depth={depth:exact}",
    ),
    # show_ddir_status
    (
        "{job} {part}",
        "",
        "  {part}: IOPS={iops:short}, BW={bw_bytes_per_second:short} "
        "({bw_bytes_per_second:short})({io_bytes:short}/{runtime_ms:exact}msec)",
    ),
    (
        "{job} {part}",
        "",
        "  {part}: IOPS={iops:short}, BW={bw_bytes_per_second:short} "
        "({bw_bytes_per_second:short})({io_bytes:short}/{runtime_ms:exact}msec); "
        "{zone_resets:exact} zone resets",
    ),
    ("", "", "  f{part}/fdatasync/sync_file_range:"),
    (
        "{job} {part}",
        "bw_",
        "   bw ({unit}/s): min={min_kib_per_second:whole}, max={max_kib_per_second:whole}, "
        "per={agg_percent:fixed}%, avg={mean_kib_per_second:fixed}, "
        "stdev={stddev_kib_per_second:fixed}, samples={sample_count:exact}",
    ),
    (
        "{job} {part}",
        "iops_",
        "   iops        : min={min:exact}, max={max:exact}, avg={mean:fixed}, "
        "stdev={stddev:fixed}, samples={sample_count:exact}",
    ),
    # display_lat, show_clat_percentiles, show_lat
    (
        "{job} {part}",
        "{kind} ",
        "    {kind} ({unit}): min={min:short}, max={max:short}, avg={mean:fixed}, "
        "stdev={stddev:fixed}",
    ),
    ("", "", "    {kind} percentiles ({unit}):"),
    ("{job} {part}", "{kind} ", "     |{ranks:ranks}"),
    ("{job}", "{kind} ", "  lat ({kind})   : {shares:shares}"),
    # show_ss_normal
    (
        "{job}",
        "steady_state_",
        "  steadystate  : attained={attained:yes}, bw={bytes_per_second:short} ({other}), "
        "iops={iops:short}, {of}={criterion:fixed}%",
    ),
    # show_group_stats, show_mixed_group_stats
    ("", "", "Run status group {group} (all jobs):"),
    (
        "group {group} {part}",
        "",
        " {part}: bw={bw_bytes_per_second:short} ({bw_bytes_per_second:short}), "
        "{least_bw:short}-{most_bw:short} ({least_bw:short}-{most_bw:short}), "
        "io={io_bytes:short} ({io_bytes:short}), "
        "run={least_runtime_ms:exact}-{runtime_ms:exact}msec",
    ),
    # print_disk_util
    ("", "", "Disk stats (read/write):"),
    (
        "disk {disk}",
        "",
        "  {disk}: ios={read_ios:exact}/{write_ios:exact}, merge={read_merges:exact}/"
        "{write_merges:exact}, ticks={read_ticks_ms:exact}/"
        "{write_ticks_ms:exact}, in_queue={in_queue_ms:exact}, util={util_percent:fixed}%",
    ),
)
