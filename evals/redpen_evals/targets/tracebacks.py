"""The lines of a traceback that stand in the user's own files."""

from __future__ import annotations

import itertools
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import Final

_MAX_LINES: Final = 12
_HERE: Final = Path(__file__).resolve().parent.parent
_LIBRARIES: Final = tuple(
    Path(path).resolve() for path in {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")} if path
)


def own_lines(error: BaseException, root: Path | None) -> tuple[str, ...]:
    """Return where an exception came from in the user's own files.

    Args:
        error: with its traceback.
        root: folder of the project; files in it are named as seen from there.

    Returns:
        ``file:line in function: source`` each, the outermost first; the last one of any file where none is
        the user's own.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    lines = [_shown(frame, root) for frame in own or frames[-1:]]
    return tuple(_without_repeats(lines)[-_MAX_LINES:])


def _without_repeats(lines: list[str]) -> list[str]:
    # A function that calls itself without end has a thousand of the same.
    found: list[str] = []
    for line, same in itertools.groupby(lines):
        count = sum(1 for _ in same)
        found.append(line if count == 1 else f"{line} (more than once in a row)")
    return found


def _is_own(name: str) -> bool:
    if name.startswith("<"):
        return False
    path = Path(name).resolve()
    if path.is_relative_to(_HERE) or "site-packages" in path.parts:
        return False
    return not any(path.is_relative_to(folder) for folder in _LIBRARIES)


def _shown(frame: traceback.FrameSummary, root: Path | None) -> str:
    path = Path(frame.filename)
    if root is not None and path.resolve().is_relative_to(root.resolve()):
        path = path.resolve().relative_to(root.resolve())
    else:
        # Where a library lies is the machine's business.
        folders = [Path(folder) for folder in sys.path if folder and path.is_relative_to(folder)]
        path = path.relative_to(max(folders, key=lambda folder: len(folder.parts))) if folders else Path(path.name)
    source = f": {frame.line}" if frame.line else ""
    return f"{path.as_posix()}:{frame.lineno} in {frame.name}{source}"
