"""What a storage engineer would doubt in a result: the checks, by table, as Great Expectations.

Shape and types belong to the parsers, and so does that a digitised point lies on its figure's axis;
keys, types, relations and ratios of the contracts to dbt. Here is what a source says that cannot
be, or what hardly is. `critical` holds the publication back: a value that is impossible, another
unit, a loss, or nothing at all. `warning` is reported: a result that contradicts itself is its
tool's or its file's fault, and one odd file does not keep a night's results from their readers.
What each means and what to do: docs/operations.md.
"""

from great_expectations.expectations.expectation import Expectation

from expectations import latencies, nights, predictions, systems, values
from expectations.rules import has_rows


def suites() -> dict[tuple[str, str], list[Expectation]]:
    """The checks of each (schema, table)."""
    return {
        ("raw", "files"): [has_rows("ingest has loaded something")],
        ("raw", "fio_directions"): [latencies.samples_minimum_mean_maximum()],
        ("raw", "fio_latencies"): [latencies.minimum_mean_maximum(), latencies.fio_bins_are_ios()],
        ("raw", "iometer_latency_bins"): [latencies.iometer_bins_are_ios()],
        ("raw", "white_paper_measurements"): [systems.editions_agree()],
        ("quality", "nightly_runs"): [nights.files_seen()],
        ("marts", "fct_findings"): [systems.printed_as_derived()],
        ("marts", "fct_latency_percentiles"): [latencies.percentiles_rise()],
        ("marts", "fct_predictions"): [
            predictions.not_above_print(),
            predictions.not_above_cheaper_level(),
        ],
        ("marts", "fct_sources_without_sidecar"): [systems.has_sidecar()],
        ("marts", "measurements"): [
            has_rows("there are measurements"),
            nights.measurements_kept(),
            nights.measurements_forgotten(),
            nights.same_run_twice(),
            nights.not_in_the_future(),
            nights.results_keep_coming(),
            *values.measurements(),
            latencies.latencies_rise(),
            systems.drives_fit_raid_level(),
            systems.drives_fit_controller(),
            systems.controller_has_raid_level(),
        ],
    }
