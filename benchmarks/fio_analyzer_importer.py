"""Imports results with fio-analyzer's own code; run it with the Python of its environment.

    python fio_analyzer_importer.py BACKEND FOLDER

It calls the import function of the web service for each file, without the network. fio-analyzer
keeps each file and an SQLite row for it.
"""

import asyncio
import contextlib
import io
import json
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

_FORM = {"drive_model": "unknown", "drive_type": "unknown", "protocol": "Local", "description": "",
         "hostname": "unknown", "date": None, "config_uuid": None, "run_uuid": None}  # fmt: skip


async def import_all(folder: Path) -> dict[str, int]:
    """Import all files; returns how many were imported and how many failed."""
    from database.connection import db_manager
    from fastapi import UploadFile
    from routers.imports import import_fio_data

    await db_manager.connect()
    done = failed = 0
    for path in sorted(folder.rglob("*.json")):
        call: dict[str, Any] = {
            "request": SimpleNamespace(state=SimpleNamespace(request_id="0")),
            "user": SimpleNamespace(username="benchmark"),
            "file": UploadFile(io.BytesIO(path.read_bytes()), filename=path.name),
            "db": db_manager.connection,
        }
        try:
            await import_fio_data(**call, **_FORM)
            done += 1
        except Exception as error:
            print(f"{path}: {error!r}", file=sys.stderr)
            failed += 1
    return {"files": done, "failed": failed}


if __name__ == "__main__":
    backend = Path(sys.argv[1])
    for made in ("db", "uploads"):
        shutil.rmtree(backend / made, ignore_errors=True)
    sys.path.insert(0, str(backend))
    with contextlib.redirect_stdout(io.StringIO()):
        imported = asyncio.run(import_all(Path(sys.argv[2])))
    print(json.dumps(imported))
