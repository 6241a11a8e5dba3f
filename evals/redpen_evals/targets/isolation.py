"""Isolation of runs: the changes that an agent makes to its process are undone after the run."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any, Final, NoReturn
from unittest import mock

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.errors import TargetError
from redpen_evals.targets.environment import SECRETS
from redpen_evals.targets.loading import import_module

_SIGNALS: Final = tuple(
    number
    for number in signal.valid_signals()
    if number not in {getattr(signal, name, None) for name in ("SIGKILL", "SIGSTOP", "SIGALRM")}
)
_MAX_OUTPUT_CHARS: Final = 65_536
_STANDARD: Final = (0, 1, 2)
_EXIT_PROCESS: Final = os._exit


@contextlib.contextmanager
def isolated(
    *, paths: tuple[Path, ...] = (), environment: Mapping[str, str | None] | None = None
) -> Iterator[None]:
    """Run the user's own code, and undo its changes to the process.

    Working folder, environment variables, ``sys.path``, ``sys.argv``, standard streams, file mask, recursion
    limit and signal handlers are restored; output is passed on up to a limit; ``os._exit`` ends only the
    run; a forked process ends where it would return from the code. Threads share this state: it is restored
    after the last of their runs.

    Args:
        paths: folders to add to the import path inside the block.
        environment: variables to set inside the block; None removes one.
    """
    process = os.getpid()
    _SHARED.enter()
    for path in reversed(paths):
        if str(path) not in sys.path:
            sys.path.insert(0, str(path))
    for name, value in (environment or {}).items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    try:
        with _kept_descriptors(), _bounded_output():
            yield
    finally:
        if os.getpid() != process:
            # A forked child that continued here would run the rest of the session a second time.
            _EXIT_PROCESS(0)
        _SHARED.leave()


def _environment() -> dict[Any, Any]:
    # The undecoded mapping, if possible: decoding takes longer than all the rest here.
    encoded = getattr(os.environ, "_data", None)
    return dict(encoded if isinstance(encoded, dict) else os.environ)


class _State:
    """The state to restore, read when it is created."""

    def __init__(self) -> None:
        self._folder: str | None = None
        with contextlib.suppress(OSError):
            self._folder = os.getcwd()  # noqa: PTH109 - a path object costs more than all the rest
        self._environment = _environment()
        self._path, self._argv = sys.path[:], sys.argv[:]
        self._depth = sys.getrecursionlimit()
        self._mask = _file_mask()
        is_main = threading.current_thread() is threading.main_thread()
        self._handlers = [signal.getsignal(number) for number in _SIGNALS] if is_main else []

    def restore(self) -> None:
        with contextlib.suppress(OSError):
            if self._folder is not None and os.getcwd() != self._folder:  # noqa: PTH109
                os.chdir(self._folder)
        if _environment() != self._environment:
            # Secrets that the code has read from a file must not be in results either.
            SECRETS.note()
            before = {os.fsdecode(name): os.fsdecode(value) for name, value in self._environment.items()}
            for name in os.environ.keys() - before.keys():
                del os.environ[name]
            os.environ.update(before)
        if _file_mask() != self._mask:
            os.umask(self._mask)
        if sys.getrecursionlimit() != self._depth:
            sys.setrecursionlimit(self._depth)
        if sys.path != self._path:
            sys.path[:] = self._path
        if sys.argv != self._argv:
            sys.argv[:] = self._argv
        for number, handler in zip(_SIGNALS, self._handlers, strict=False):
            if handler is not None and signal.getsignal(number) is not handler:
                signal.signal(number, handler)


class _SharedState:
    """The state that runs of several threads restore together."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._runs = 0
        self._before = _State()
        self._process = os.getpid()

    def enter(self) -> None:
        """Save the state, unless another run is active."""
        with self._lock:
            if not self._runs:
                self._before = _State()
                self._process = os.getpid()
                os._exit = self._exit
            self._runs += 1

    def leave(self) -> None:
        """Restore the state if no other run is active."""
        with self._lock:
            self._runs -= 1
            if not self._runs:
                os._exit = _EXIT_PROCESS
                self._before.restore()

    def _exit(self, status: int) -> NoReturn:
        # The session would end without a result of this run, or of any later one.
        if os.getpid() != self._process:
            _EXIT_PROCESS(status)
        raise SystemExit(status)


def _file_mask() -> int:
    # The mask can only be read by setting another one.
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


@contextlib.contextmanager
def _bounded_output() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = sys.stdout, sys.stderr
    bounded: list[Any] = [_Bounded(stream) for stream in before]
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(stream, "utf-8", "replace", newline="", write_through=True) for stream in bounded
    )
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
        for stream in bounded:
            stream.flush()


@contextlib.contextmanager
def _kept_descriptors() -> Iterator[None]:
    # Python's streams and pytest's capture still write there if the code closes them.
    kept = [(number, os.dup(number)) for number in _STANDARD if _is_open(number)]
    try:
        yield
    finally:
        for number, copy in kept:
            if not _is_open(number):
                os.dup2(copy, number)
            os.close(copy)


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


class _Bounded(io.RawIOBase):
    """Output that is passed on to a stream up to a limit, with secrets redacted; the rest becomes one notice.

    A line is passed on in one piece, so that a secret is detected that is printed in several.
    """

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.name = getattr(stream, "name", "")
        self._available = _MAX_OUTPUT_CHARS
        self._line = b""

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return int(self._stream.fileno())

    def isatty(self) -> bool:
        return bool(self._stream.isatty())

    def write(self, content: Any, /) -> int:
        head, line_break, rest = bytes(content).rpartition(b"\n")
        if line_break or len(self._line) + len(rest) > _MAX_OUTPUT_CHARS:
            self._pass_on(self._line + head + line_break + (b"" if line_break else rest))
            self._line = rest if line_break else b""
        else:
            self._line += rest
        return len(content)

    def flush(self) -> None:
        line, self._line = self._line, b""
        if line:
            self._pass_on(line)
        with contextlib.suppress(ValueError, AttributeError):
            self._stream.flush()

    def close(self) -> None:
        """Flush; the stream is not the agent's to close."""
        self.flush()

    def _pass_on(self, content: bytes) -> None:
        if self._available > 0 and self._stream is not None:
            text = SECRETS.redacted(content.decode("utf-8", "replace"))
            self._stream.write(text[: self._available])
            self._available -= len(text)
            if self._available <= 0:
                notice = f"… the agent's output beyond {_MAX_OUTPUT_CHARS:,} characters is left out"
                self._stream.write(f"\n{notice}\n")


_SHARED: Final = _SharedState()


_TEST_MODULES: Final = ("conftest", "test_", "__main__")
_OURS: Final = frozenset({"redpen", "redpen_evals"})
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})


@contextlib.contextmanager
def fresh_modules(paths: tuple[Path, ...]) -> Iterator[None]:
    """Reload the modules of some folders inside the block, and restore the old ones afterwards.

    Installed modules and those of tests are not reloaded.
    """
    folders = tuple(path.resolve() for path in paths)
    before = {name: sys.modules[name] for name in _names_below(folders)}
    for name in before:
        del sys.modules[name]
    try:
        yield
    finally:
        for name in _names_below(folders):
            del sys.modules[name]
        sys.modules.update(before)


def _names_below(folders: tuple[Path, ...]) -> list[str]:
    return [
        name
        for name, module in list(sys.modules.items())
        if name.partition(".")[0] not in _OURS
        and not name.rpartition(".")[2].startswith(_TEST_MODULES)
        and any(_is_below(place, folders) for place in _places(module))
    ]


def _places(module: object) -> list[str]:
    file = getattr(module, "__file__", None)
    if isinstance(file, str):
        return [file]
    try:
        return [str(place) for place in getattr(module, "__path__", None) or ()]
    except Exception:  # noqa: BLE001 - a module's `__path__` may be anything
        return []


def _is_below(place: str, folders: tuple[Path, ...]) -> bool:
    path = Path(place)
    return not _INSTALLED & set(path.parts) and any(path.is_relative_to(folder) for folder in folders)


@contextlib.contextmanager
def attributes_set(values: Mapping[str, Any], *, root: Path | None = None) -> Iterator[None]:
    """Set attributes of modules inside the block.

    Args:
        values: by place, ``support.mailer:PROMPT``; a string replaces a path as a path.

    Raises:
        ConfigurationError: there is no such attribute, or it cannot be set.
    """
    with contextlib.ExitStack() as stack:
        for place, value in values.items():
            owner, name = _find(place, root)
            before = getattr(owner, name)
            is_path = isinstance(before, PurePath) and isinstance(value, str)
            try:
                stack.enter_context(mock.patch.object(owner, name, type(before)(value) if is_path else value))
            except (AttributeError, TypeError) as error:
                raise ConfigurationError(f"--variants attr.{place}: {error}") from None
        yield


def _find(place: str, root: Path | None) -> tuple[Any, str]:
    module, _, path = place.partition(":")
    try:
        owner = import_module(module, root)
    except TargetError as error:
        raise ConfigurationError(f"--variants attr.{place}: {error}") from error
    *parents, name = path.split(".")
    for part in parents:
        owner = _part(owner, part, place)
    _part(owner, name, place)
    return owner, name


def _part(owner: Any, part: str, place: str) -> Any:
    if not hasattr(owner, part):
        public = [attribute for attribute in dir(owner) if not attribute.startswith("_")]
        raise ConfigurationError(f"--variants attr.{place}: there is no {part!r}{suggestion(part, public)}")
    return getattr(owner, part)
