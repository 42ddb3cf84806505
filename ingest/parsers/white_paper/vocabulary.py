"""The words of a paper's sheets, and the quantity of each."""

# A latency is the whole response time; a completion latency counts from submission (fio's clat).
QUANTITY_BY_METRIC = {
    "iops": "io_rate", "read_iops": "io_rate", "write_iops": "io_rate",
    "throughput": "data_rate", "read_throughput": "data_rate", "write_throughput": "data_rate",
    "latency_mean": "time", "latency_min": "time", "latency_max": "time",
    "latency_p50": "time", "latency_p95": "time", "latency_p99": "time", "latency_p999": "time",
    "completion_latency_p50": "time", "completion_latency_p95": "time",
    "completion_latency_p99": "time", "completion_latency_p999": "time",
}  # fmt: skip
QUANTITY_BY_BASIS = {
    "line_rate": "frequency",
    "theoretical": "data_rate",
    "practical": "data_rate",
}
# Computed values: a measured value in another unit, or an estimate that nobody measured.
DERIVATIONS = ("converted", "estimated")
# Parts whose limit the paper says a value shows.
LIMITED = ("controller",)
# None: the relation states no number. "value": the claim states the value itself.
QUANTITY_BY_RELATION = {
    "ratio": "ratio",
    "percent_higher": "ratio",
    "value": "count",
    "higher": None,
    "lower": None,
    "similar": None,
    "unaffected": None,
    "scales_linearly": None,
    "increases": None,
    "limit_reached": None,
    "limit_nearly_reached": None,
    "limit_not_reached": None,
}
# The statistic of the metric that a claim is about; empty: the values themselves.
STATISTICS = ("maximum", "gain", "theoretical", "other")
# The part whose limit a claim calls reached or not.
LIMITS_OF_CLAIMS = ("controller", "drives", "links")
# How many of a claim's cases must confirm it; empty: all.
SCOPES = ("any", "most", "example")
ACCESSES = ("random", "sequential")
MEDIA = ("HDD", "SSD")
# The paper's evidence for a claim; empty: numbers in its text or tables.
EVIDENCE = ("picture", "opinion", "general")
CLAIM_METRICS = (
    *QUANTITY_BY_METRIC, "drives_to_saturate", "write_penalty", "initialisation_time",
    "consistency",
)  # fmt: skip
COMPARABLES = (
    "controller", "raid_level", "drive", "drive_media", "drive_count", "profile", "server",
    "formatting", "outstanding_io_count", "cpu", "setting", "read_share", "block_size",
    "generation",
)  # fmt: skip
# None: a text. Numbers are parsed by their quantity and converted in staging.
QUANTITY_BY_ATTRIBUTE: dict[str, str | None] = {
    # controllers
    "full_name": None, "alias": None, "vendor": None, "designer": None, "generation": None,
    "form_factor": None, "differs_only_in": None,
    "integration": None, "cache": "size", "cache_memory": None, "flash_backup": None,
    "disk_interface": None, "disk_interface_speed": None, "disk_port_count": "count",
    "host_link": None, "raid_levels": None, "cpu_core_count": "count", "cpu_frequency": "frequency",
    "fast_path": None, "driver": None, "driver_version": None, "firmware": None, "bios": None,
    "chipset": None, "processor": None, "introduced": None, "software_raid": None,
    "max_drives": "count", "availability": None,
    # settings of a controller or an array
    "setting_selectable": None, "read_mode": None, "write_mode": None, "cache_mode": None,
    "disk_cache": None, "cache_read_write_mix": None, "stripe": "size", "default_stripe": "size",
    "stripe_option": "size", "onboard_mode": None, "emulation_type": None, "cache_setting": None,
    "initialisation_time": "time",
    # drives
    "model": None, "series": None, "media": None, "interface": None, "capacity": "size",
    "actual_capacity": "size", "rotation_rate": "rotation_rate", "drive_form_factor": None,
    "category": None, "nand": None, "queue_depth_limit": "count", "formatting_trade_off": None,
    "rated_random_read_iops": "io_rate", "rated_random_write_iops": "io_rate",
    "rated_read": "data_rate", "rated_write": "data_rate",
    "quantity_tested": "count", "part_number": None, "boot_support": None,
    # servers and the measurement environment
    "expander": None, "cpu": None, "core_count": "count", "thread_count": "count",
    "memory": "size", "memory_type": None, "system_interface": None, "bios_setting": None,
    "boot_controller": None, "boot_drive": None, "operating_system": None, "os_setting": None,
    "management_software": None, "benchmark_version": None, "raid_type": None,
    "measuring_tool": None, "tool_version": None, "measurement_area": None, "file_system": None,
    "worker_count": "count", "worker_rule": None, "alignment": "size", "measurement_file": "size",
    "volume_type": None, "outstanding_io_steps": None, "stripe_initialisation": "size",
    "mainboard": None, "partition": None, "volume": None, "preconditioning_time": "time",
    "workload_time": "time", "averaging_time": "time", "repetition": None, "drive_counts": None,
    "queue_depth_steps": None, "max_pcie_ssds": "count", "threshold": None, "encoding": None,
    "encoding_overhead": None, "practical_share": "ratio", "version_name": None,
    "unit_convention": None, "sizing_rule": None,
    "load_intensity": None, "test_date": None, "power_protection": None, "remark": None,
}  # fmt: skip
SUBJECT_TYPES = ("controller", "drive", "server", "environment", "interface", "raid_level")
