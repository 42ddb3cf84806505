"""What must hold of predictions: nothing is promised that a document denies."""

from great_expectations.expectations.expectation import Expectation

from expectations.rules import rule

_DESIGN = "controller, raid_level, drive, drive_count, profile_id"


def not_above_print() -> Expectation:
    return rule(
        "predictions_not_above_print",
        "no prediction is above what a document calls the controller's limit",
        "with printed as ("
        "select controller_id, raid_level, profile_id, "
        "max(bytes_per_second) as printed_limit from marts.measurements "
        "where limit_of = 'controller' "
        "and outstanding_io_count is null and not has_own_processor group by all) "
        f"select {_DESIGN}, bytes_per_second, printed_limit "
        "from {batch} inner join printed using (controller_id, raid_level, profile_id) "
        "where bytes_per_second > printed_limit * (1 + 1e-9)",
        is_critical=True,
    )


def not_above_cheaper_level() -> Expectation:
    return rule(
        "predictions_not_above_cheaper_level",
        "no RAID level is predicted to do more than one that does less work",
        "select predicted.controller, predicted.raid_level, cheaper.raid_level as cheaper_level, "
        "predicted.drive, drive_count, profile_id, predicted.bytes_per_second, "
        "cheaper.bytes_per_second as cheaper_bytes_per_second from {batch} as predicted "
        "inner join {batch} as cheaper using (controller_id, drive_id, drive_count, profile_id) "
        "inner join marts.dim_raid_levels as level on predicted.raid_level = level.raid_level "
        "inner join marts.dim_raid_levels as less on cheaper.raid_level = less.raid_level "
        "where less.copy_count <= level.copy_count "
        "and less.parity_drive_count <= level.parity_drive_count "
        "and less.random_write_operation_count <= level.random_write_operation_count "
        "and predicted.bytes_per_second > cheaper.bytes_per_second * (1 + 1e-9)",
        is_critical=True,
    )
