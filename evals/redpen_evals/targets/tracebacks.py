"""The lines of a traceback that stand in the user's own files."""

from __future__ import annotations

import itertools
import sys
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import redpen
import redpen_evals

_MAX_LINES: Final = 12
_OURS: Final = tuple(
    Path(place).resolve() for package in (redpen, redpen_evals) for place in package.__path__
)
_ASYNC: Final = ("cr", "ag", "gi")
_AWAITED: Final = (("cr", "await"), ("ag", "await"), ("gi", "yieldfrom"))
_LIBRARIES: Final = tuple(
    Path(path).resolve()
    for path in {sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib")}
    if path
)


def own_lines(error: BaseException, root: Path | None) -> tuple[str, ...]:
    """Return where an exception came from in the user's own files.

    Args:
        error: with its traceback.
        root: folder of the project; files in it are named as seen from there.

    Returns:
        ``file:line in function: source`` each, the outermost first; the last one of a library where none is
        the user's own.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    foreign = [frame for frame in frames[-1:] if not _is_below(frame.filename, _OURS)]
    lines = [_shown(frame, root) for frame in own or foreign]
    return tuple(_without_repeats(lines)[-_MAX_LINES:])


def shown_lines(frames: Iterable[traceback.FrameSummary], root: Path | None) -> tuple[str, ...]:
    """Return those of the user's own files in words, as ``own_lines`` does."""
    return tuple(_shown(frame, root) for frame in frames if _is_own(frame.filename))[-_MAX_LINES:]


def waiting_frames(coroutine: Any) -> tuple[traceback.FrameSummary, ...]:
    """Return where an async function waits, the outermost first."""
    frames = []
    while coroutine is not None:
        found = [getattr(coroutine, f"{kind}_frame", None) for kind in _ASYNC]
        frames += [(frame, frame.f_lineno) for frame in found if frame is not None]
        nexts = [getattr(coroutine, f"{kind}_{name}", None) for kind, name in _AWAITED]
        coroutine = next((one for one in nexts if one is not None), None)
    return tuple(traceback.StackSummary.extract(iter(frames)))


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
    if "site-packages" in Path(name).parts:
        return False
    return not _is_below(name, (*_OURS, *_LIBRARIES))


def _is_below(name: str, folders: tuple[Path, ...]) -> bool:
    path = Path(name).resolve()
    return any(path.is_relative_to(folder) for folder in folders)


def _shown(frame: traceback.FrameSummary, root: Path | None) -> str:
    path = Path(frame.filename)
    if root is not None and path.resolve().is_relative_to(root.resolve()):
        path = path.resolve().relative_to(root.resolve())
    else:
        # Where a library lies is the machine's business.
        folders = [Path(folder) for folder in sys.path if folder and path.is_relative_to(folder)]
        path = (
            path.relative_to(max(folders, key=lambda folder: len(folder.parts)))
            if folders
            else Path(path.name)
        )
    source = f": {frame.line}" if frame.line else ""
    return f"{path.as_posix()}:{frame.lineno} in {frame.name}{source}"
