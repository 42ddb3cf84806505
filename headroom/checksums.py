"""`releases/SHA256SUMS`, in the format of `sha256sum`; the newest release is last."""

from pathlib import Path

from ingest.common.disk import flush

SUMS = "SHA256SUMS"


def read_sums(folder: Path) -> dict[str, str]:
    """Checksums by file name; empty if the list is lost."""
    try:
        lines = (folder / SUMS).read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return {}
    pairs = (line.split(maxsplit=1) for line in lines)
    return {pair[1]: pair[0] for pair in pairs if len(pair) == 2}


def keep_sums(folder: Path, sums: dict[str, str]) -> None:
    """Write the checksums of existing files."""
    partial = folder / f"{SUMS}.partial"
    partial.write_text(
        "".join(f"{sums[name]}  {name}\n" for name in sums if (folder / name).exists())
    )
    flush(partial)
    partial.replace(folder / SUMS)
    flush(folder)
