"""Loads results with fio-plot's own code, as its charts do; run it with fio-plot's Python.

    python fio_plot_loader.py FOLDER

`fio_plot.fiolib.getdata.get_json_data` takes one access pattern (fio's `rw`) and folders. Each
lowest folder of the lab has runs of one pattern, so fio-plot reads no file in vain.
"""

import contextlib
import json
import os
import sys
from pathlib import Path
from typing import Any

_SETTINGS: dict[str, Any] = {
    "iodepth": [2**exponent for exponent in range(11)],
    "numjobs": list(range(1, 65)),
    "filter": ["read"],
    "compare_graph": False,
}


def load(folder: Path) -> dict[str, int]:
    """Load each folder; returns the number of rows, and of files in folders that failed."""
    from fio_plot.fiolib import getdata

    kept, failed = [], 0
    for directory in sorted({path.parent for path in folder.rglob("*.json")}):
        settings = {**_SETTINGS, "rw": directory.name, "input_directory": [str(directory)]}
        try:
            with contextlib.redirect_stdout(sys.stderr):
                kept.append(getdata.get_json_data(settings))
        except (SystemExit, Exception) as error:
            print(f"{directory}: {error!r}", file=sys.stderr)
            failed += len(os.listdir(directory))
    rows = sum(len(one["data"]) for dataset in kept for one in dataset)
    return {"files": rows, "failed": failed}


if __name__ == "__main__":
    print(json.dumps(load(Path(sys.argv[1]))))
