"""Options and types of arguments that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

FILE: Final = click.Path(path_type=Path)
"""A path that may be missing, or a folder."""

AS_JSON: Final = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
