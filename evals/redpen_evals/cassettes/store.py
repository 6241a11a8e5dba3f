"""Where cassettes lie, and how one is saved: whole or not at all."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shlex
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote, unquote

from redpen.errors import ConfigurationError
from redpen_evals.cassettes import file
from redpen_evals.cassettes.errors import CassetteError, SecretFound
from redpen_evals.cassettes.secrets import find_secrets

if TYPE_CHECKING:
    from pathlib import Path

    from redpen_evals.cassettes.errors import CassetteProblem
    from redpen_evals.cassettes.file import CassetteFile, CassetteKind

SCRIPTED_MODEL: Final = "scripted"
SUFFIX: Final = ".json"
_TEMPORARY_SUFFIX: Final = ".redpen-tmp"
_ABANDONED_AFTER_S: Final = 3600.0
_SCENARIO_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)*")
_WRITE_TRIES: Final = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class CassetteLocation:
    """The place of one cassette.

    Args:
        root: the folder of all cassettes.
        model: `scripted`, or the name of a live model.
        scenario: scenario id, parts joined by `/`.

    Raises:
        ConfigurationError: the model has no name, or the id could not be a path below the root.
    """

    root: Path
    model: str
    scenario: str

    def __post_init__(self) -> None:
        """Refuse what would lead out of the root."""
        if not self.model.strip():
            raise ConfigurationError("a model needs a name")
        if not _SCENARIO_ID.fullmatch(self.scenario):
            raise ConfigurationError(
                f"{self.scenario!r} is no scenario id: letters, digits, '.', '_' and '-', parts joined by '/'"
            )

    @property
    def folder(self) -> Path:
        """The folder of the model; characters that a file name cannot hold are percent-escaped."""
        name = quote(self.model, safe=" ")
        return self.root / (f"%2E{name[1:]}" if name.startswith(".") else name)

    @property
    def path(self) -> Path:
        """The file."""
        return self.folder / f"{self.scenario}{SUFFIX}"

    @property
    def kind(self) -> CassetteKind:
        """Whether the file must hold scripted or live traffic."""
        return "scripted" if self.model == SCRIPTED_MODEL else "live"

    def record_command(self, mode: Literal["missing", "stale", "all"] = "all") -> str:
        """Return the command that records this cassette and no other."""
        model = "" if self.kind == "scripted" else f" --model {shlex.quote(self.model)}"
        return f"pytest --record={mode}{model} -k '[{self.scenario}]'"


def list_locations(root: Path) -> list[CassetteLocation]:
    """List the cassettes below a folder, sorted; temporary files and alien names are left out.

    Args:
        root: the folder of all cassettes; it need not exist.
    """
    found = []
    for path in sorted(root.glob(f"*/**/*{SUFFIX}")):
        folder, *parts = path.relative_to(root).parts
        with contextlib.suppress(ConfigurationError):
            location = CassetteLocation(
                root=root, model=unquote(folder), scenario="/".join(parts).removesuffix(SUFFIX)
            )
            if location.path == path:
                found.append(location)
    return found


def load(location: CassetteLocation) -> CassetteFile:
    """Read the cassette of a place and hold it against the place.

    Args:
        location: model and scenario that the file must be of.

    Returns:
        The content.

    Raises:
        CassetteError: it cannot be read, or belongs to another kind, model or scenario.
    """
    path = location.path
    command = location.record_command()
    cassette = file.read(path, mend=command)
    kind: CassetteProblem | None = None
    if cassette.kind != location.kind:
        kind, problem = "kind", f"holds {cassette.kind} traffic in the folder of {location.kind} traffic"
    elif cassette.model != location.model:
        kind, problem = "model", f"is of model {cassette.model!r}, its path says {location.model!r}"
    elif cassette.scenario != location.scenario:
        kind, problem = (
            "scenario",
            f"is of scenario {cassette.scenario!r}, its path says {location.scenario!r}",
        )
    if kind:
        raise CassetteError(path, problem, kind=kind, mend=command)
    return cassette


def save(location: CassetteLocation, cassette: CassetteFile, *, live_key: str | None = None) -> Path:
    """Save a cassette whole or not at all; an older file stays until the new one is complete.

    Args:
        location: where to.
        cassette: the content.
        live_key: the key in use, which must not be in the file.

    Returns:
        The path written.

    Raises:
        SecretFound: the content holds the key or something like one; nothing was written.
        CassetteError: the disk refused it.
    """
    path = location.path
    findings = find_secrets(cassette, live_key=live_key)
    if findings:
        raise SecretFound(path, findings)
    content = file.dump(cassette).encode("utf-8")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        remove_leftovers(path.parent)
        _replace(path, content)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise CassetteError(path, f"cannot be written: {reason}", kind="unwritable") from error
    return path


def remove_leftovers(folder: Path) -> None:
    """Remove the temporary files that a killed run left in a folder; those being written stay."""
    for path in folder.glob(f".*{_TEMPORARY_SUFFIX}"):
        with contextlib.suppress(OSError):
            _remove_abandoned(path)


def _replace(path: Path, content: bytes) -> None:
    temporary, descriptor = _create_temporary(path)
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
            stream.flush()
            os.fsync(stream.fileno())
            # Windows moves no open file; elsewhere the lock has to last until the name is final.
            if sys.platform != "win32":
                temporary.replace(path)
        if sys.platform == "win32":
            temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    _sync_folder(path.parent)


def _create_temporary(path: Path) -> tuple[Path, int]:
    for _ in range(_WRITE_TRIES):
        temporary = path.with_name(f".{path.name}.{secrets.token_hex(6)}{_TEMPORARY_SUFFIX}")
        # Opened like any file, so that the user's umask decides about its mode.
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        if _lock(descriptor):
            return temporary, descriptor
        os.close(descriptor)
    raise OSError("the temporary file was taken away by another process")


if sys.platform == "win32":

    def _lock(_descriptor: int) -> bool:
        return True

    def _remove_abandoned(path: Path) -> None:
        if time.time() - path.stat().st_mtime > _ABANDONED_AFTER_S:
            path.unlink()

    def _sync_folder(_folder: Path) -> None:
        # Windows has no handle on a folder that could be flushed.
        return

else:
    import fcntl

    def _lock(descriptor: int) -> bool:
        # The system drops the lock with the process: a file without one has no writer any more. A
        # cleaner may come between creation and lock; then the file has no name left. On a file system
        # without locks nothing is cleaned up, which is better than not to save.
        with contextlib.suppress(OSError):
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        return os.fstat(descriptor).st_nlink > 0

    def _remove_abandoned(path: Path) -> None:
        descriptor = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # While the lock is held, so that a writer waiting for it sees that the file is gone.
            path.unlink()
        finally:
            os.close(descriptor)

    def _sync_folder(folder: Path) -> None:
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
