"""fio-plot's own loading of results, as its charts call it; run by the Python that has fio-plot.

    python fio_plot_loader.py FOLDER

`fio_plot.fiolib.getdata.get_json_data` takes one access pattern (fio's `rw`) and folders; the lab's
lowest folders have the runs of one pattern each, so that no file is looked at in vain.
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
    """How many files came out of it as a row, of how many, and what it stopped at."""
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
