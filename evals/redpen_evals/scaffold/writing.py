"""Files of a project that are created, or changed only where that is safe."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from redpen.errors import ConfigurationError
from redpen.plain_file import leads_out, read_plain_file
from redpen_evals.atomic_write import replace_file

_MAX_BYTES = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStep:
    """What is done with one file.

    Attributes:
        path: the file.
        what: ``written``: it is new. ``changed``: it gets new content. ``kept``: it stays unchanged.
        content: content of a file that is written or changed.
        note: a note for its author, such as what to add to it by hand.
    """

    path: Path
    what: Literal["written", "kept", "changed"]
    content: str = ""
    note: str = ""

    def line(self, folder: Path) -> str:
        """Return the step as a line, with the path relative to the project's folder."""
        note = f" ({self.note})" if self.note else ""
        return f"{self.what.ljust(7)}  {shown_path(self.path, folder)}{note}"


def new_file(path: Path, content: str) -> FileStep:
    """Return the step that writes a file, unless the path exists."""
    if os.path.lexists(path):
        return FileStep(path=path, what="kept")
    return FileStep(path=path, what="written", content=content)


def check_step(step: FileStep, folder: Path) -> None:
    """Refuse a step that cannot be carried out; raises as ``check_place``."""
    if step.what != "kept":
        check_place(step.path, folder)
    elif step.path.is_dir():
        raise ConfigurationError(f"{shown_path(step.path, folder)}: is a folder, not a file")


def check_place(path: Path, folder: Path) -> None:
    """Refuse a place where no file can be written.

    Args:
        path: path of the file.
        folder: folder of the project.

    Raises:
        ConfigurationError: a file is in place of a folder or the other way round, the folder is
            write-protected, or a link leads out of the project.
    """
    name = shown_path(path, folder)
    if path.is_dir():
        raise ConfigurationError(f"{name}: is a folder, not a file")
    nearest = next(above for above in path.parents if os.path.lexists(above))
    if not nearest.is_dir():
        raise ConfigurationError(f"{shown_path(nearest, folder)}: is a file, not a folder")
    if path.is_relative_to(folder) and leads_out(nearest, folder):
        raise ConfigurationError(f"{name}: leads out of {folder} over a link; replace the link by a folder")
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise ConfigurationError(f"{name}: cannot be written: {nearest} is write-protected")


def carry_out(step: FileStep, folder: Path) -> None:
    """Carry out a step; raises ConfigurationError if the file cannot be written."""
    try:
        match step.what:
            case "written":
                step.path.parent.mkdir(parents=True, exist_ok=True)
                with step.path.open("x", encoding="utf-8", newline="") as file:
                    file.write(step.content)
            case "changed":
                mode = step.path.stat().st_mode
                replace_file(step.path, step.content.encode("utf-8"))
                step.path.chmod(mode & 0o777)
            case "kept":
                pass
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or type(error).__name__
        problem = f"{shown_path(step.path, folder)}: cannot be written: {reason}"
        raise ConfigurationError(problem) from error


def read_text(path: Path, folder: Path) -> str:
    """Return a file's text with its line ends; raises ConfigurationError if it cannot be read."""
    try:
        return read_plain_file(path, max_bytes=_MAX_BYTES).decode("utf-8")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(f"{shown_path(path, folder)}: cannot be read: {reason}") from error


def shown_path(path: Path, folder: Path) -> str:
    """Return a path for messages: relative to the project's folder if it is inside."""
    return path.relative_to(folder).as_posix() if path.is_relative_to(folder) else str(path)
