"""`marts.rpt_tools` on more runs than a unit test of dbt can list."""

from pathlib import Path

import duckdb
import numpy as np

from tests.compiled import models_between

_INPUTS = """
    attach '{release}' as release (read_only);
    attach ':memory:' as building;
    create schema building.marts;
    create schema building.intermediate;
    create table building.marts.rpt_measurements as
    from release.marts.rpt_measurements limit 0;
    create table building.intermediate.int_run_conditions (
        measurement_id varchar, is_direct boolean, ramp_seconds double
    );
    create table building.marts.rpt_run_verdicts (measurement_id varchar, verdict varchar);
    insert into building.marts.rpt_measurements by name
    select
        tool_name || row_number() over () as measurement_id, tool_name, value as headline_value,
        'vm' as array_id, 'vda' as array_label, 'vda' as drive, 'p' as profile_id,
        'P' as profile_label, 1 as random_ratio, 1 as read_ratio, 4096 as block_bytes,
        16 as outstanding_io_count, 'iops' as headline_metric, true as is_valid,
        false as is_derived,
    from runs
"""


def test_interval_of_many_runs_contains_the_true_factor(warehouse: Path) -> None:
    """vdbench is 1.2 times as fast as fio; of 400 runs the newest 300 count."""
    source = np.random.default_rng(1)
    values = np.concatenate([source.uniform(900, 1100, 400), 1.2 * source.uniform(900, 1100, 400)])
    names = ["fio"] * 400 + ["vdbench"] * 400
    (query,) = models_between(
        warehouse, {"rpt_measurements", "int_run_conditions", "rpt_run_verdicts"}, "rpt_tools"
    ).values()
    with duckdb.connect() as connection:
        runs = {"tool_name": names, "value": values.tolist()}
        connection.execute(
            "create table runs as select unnest($tool_name) as tool_name, unnest($value) as value",
            runs,
        )
        connection.execute(_INPUTS.format(release=warehouse / "headroom.duckdb"))
        found = connection.execute(
            f"select tool_label, run_count, low_ratio, high_ratio from ({query}) order by 1"
        ).fetchall()
    assert found[0] == ("fio", 400, None, None)
    assert found[1][:2] == ("vdbench", 400)
    assert found[1][2] < 1.2 < found[1][3]
    assert found[1][3] - found[1][2] < 0.05
