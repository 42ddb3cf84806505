import tomllib
from pathlib import Path

BOUNDS = tomllib.loads((Path(__file__).parent / "bounds.toml").read_text())
