"""fio-plot's own loading of results, as its charts call it; run by the Python that has fio-plot.

    python fio_plot_loader.py FOLDER

`fio_plot.fiolib.getdata.get_json_data` takes one access pattern (fio's `rw`) and folders; the lab's
lowest folders have the runs of one pattern each, so that no file is looked at in vain.
"""

import contextlib
import json
import os
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

_SETTINGS: dict[str, Any] = {
    "iodepth": [1, 2, 4, 8, 16, 32, 64],
    "numjobs": [1, 2, 4, 8, 16, 32, 64],
    "filter": ["read"],
    "compare_graph": False,
}


def load(folder: Path) -> dict[str, int]:
    """How many files came out of it as a row, of how many, and what it stopped at."""
    from fio_plot.fiolib import getdata

    folders: dict[str, set[str]] = defaultdict(set)
    for path in folder.rglob("*.json"):
        folders[path.parent.name].add(str(path.parent))
    kept, failed = [], 0
    for access, directories in sorted(folders.items()):
        settings = {**_SETTINGS, "rw": access, "input_directory": sorted(directories)}
        try:
            with contextlib.redirect_stdout(sys.stderr):
                kept.append(getdata.get_json_data(settings))
        except (SystemExit, Exception) as error:
            print(f"{access}: {error!r}", file=sys.stderr)
            failed += sum(len(os.listdir(directory)) for directory in directories)
    rows = sum(len(one["data"]) for dataset in kept for one in dataset)
    return {"files": rows, "failed": failed}


if __name__ == "__main__":
    print(json.dumps(load(Path(sys.argv[1]))))
