"""What is said of the system under test: arrays that can be built, papers that agree."""

from great_expectations.expectations.expectation import Expectation

from expectations.rules import rule, with_source

_ARRAY = "source_path, source_position, controller, raid_level, drive_count"


def drives_fit_raid_level() -> Expectation:
    return rule(
        "drives_fit_raid_level",
        "the RAID level can be made of so many drives",
        f"select {_ARRAY}, levels.min_drive_count, levels.max_drive_count, levels.step_drive_count "
        "from {batch} as measured inner join marts.dim_raid_levels as levels using (raid_level) "
        # A controller without a mode for single drives has each as a RAID 0 of its own.
        "where not (raid_level = 'RAID 0' and drive_count = 1) and "
        "(drive_count < levels.min_drive_count or drive_count > levels.max_drive_count "
        "or drive_count % levels.step_drive_count != 0)",
    )


def drives_fit_controller() -> Expectation:
    return rule(
        "drives_fit_controller",
        "the controller takes so many drives, with an expander where one is known",
        "select source_path, source_position, raid_level, drive_count, controllers.controller, "
        "controllers.max_drive_count, controllers.max_server_drive_count "
        "from {batch} as measured "
        "inner join marts.dim_controllers as controllers using (controller_id) "
        # Of SAS ports it is not known what expanders they reach.
        "where drive_count > greatest(controllers.max_drive_count, max_server_drive_count, "
        "if(disk_interfaces not like '%SAS%', disk_port_count, null))",
    )


def controller_has_raid_level() -> Expectation:
    return rule(
        "controller_has_raid_level",
        "the controller can do the RAID level",
        "select source_path, source_position, raid_level, drive_count, controllers.controller, "
        "controllers.raid_levels from {batch} as measured "
        "inner join marts.dim_controllers as controllers using (controller_id) "
        "where not list_contains(string_split(controllers.raid_levels, ', '), "
        "replace(raid_level, 'RAID ', ''))",
    )


def printed_as_derived() -> Expectation:
    return rule(
        "printed_as_derived",
        "an interface limit is printed as the formula gives it",
        "select document_id, page, subject, observed_value, expected_value, likely_reason "
        "from {batch} where finding_kind = 'printed otherwise' "
        "and abs(excess_ratio - 1) > $tolerance_ratio",
        bounds="printed_limit",
    )


def has_sidecar() -> Expectation:
    return rule(
        "has_sidecar",
        "a headroom.yml says on what system a result was measured",
        "select source_path, source_format from {batch}",
    )


def editions_agree() -> Expectation:
    same = (
        "document_id, page, server, controller, raid_level, drive, drive_count, profile, "
        "outstanding_io_count, queue_depth_per_drive, worker_count, condition, metric"
    )
    return rule(
        "editions_agree",
        "two editions of a paper print the same value",
        with_source(
            f"select file_id, {same}, "
            "string_agg(edition || ' line ' || line || ': ' || as_printed, ' | ') as printed "
            f"from {{batch}} group by file_id, {same} having count(distinct edition) > 1 "
            "and count(distinct (number, low_number, high_number)) > 1"
        ),
    )
