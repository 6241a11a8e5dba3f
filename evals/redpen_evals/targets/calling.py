"""Calls into the user's own code, plain or async, with a time limit."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import inspect
import itertools
import re
import signal
import sys
import sysconfig
import threading
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from pathlib import Path
from traceback import FrameSummary
from types import CodeType, FrameType
from typing import Any, Final

import redpen
import redpen_evals
from redpen.bounded_call import CallFailed, CallTimedOut, call_in_time
from redpen_evals.errors import TimeIsOver
from redpen_evals.targets.run import Raised

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
    """Return the traceback of an exception in the user's own files.

    Args:
        root: folder of the project; paths are relative to it.

    Returns:
        ``file:line in function: source`` each, the outermost first; the last line of a library if none is in
        the user's files.
    """
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if _is_own(frame.filename)]
    foreign = [frame for frame in frames[-1:] if not _is_below(frame.filename, _OURS)]
    lines = [_shown(frame, root) for frame in own or foreign]
    return tuple(_without_repeats(lines)[-_MAX_LINES:])


def shown_lines(frames: Iterable[traceback.FrameSummary], root: Path | None) -> tuple[str, ...]:
    """Return the frames in the user's own files as text, like ``own_lines``."""
    return tuple(_shown(frame, root) for frame in frames if _is_own(frame.filename))[-_MAX_LINES:]


def waiting_frames(coroutine: Any) -> tuple[traceback.FrameSummary, ...]:
    """Return the frames in which an async function waits, the outermost first."""
    frames = []
    while coroutine is not None:
        current = [getattr(coroutine, f"{kind}_frame", None) for kind in _ASYNC]
        frames += [(frame, frame.f_lineno) for frame in current if frame is not None]
        awaited = [getattr(coroutine, f"{kind}_{name}", None) for kind, name in _AWAITED]
        coroutine = next((inner for inner in awaited if inner is not None), None)
    return tuple(traceback.StackSummary.extract(iter(frames)))


def _without_repeats(lines: list[str]) -> list[str]:
    # Endless recursion has a thousand equal frames.
    groups = [(line, len(list(same))) for line, same in itertools.groupby(lines)]
    return [line if count == 1 else f"{line} (more than once in a row)" for line, count in groups]


def _is_own(name: str) -> bool:
    if name.startswith("<") or "site-packages" in Path(name).parts:
        return False
    return not _is_below(name, (*_OURS, *_LIBRARIES))


def _is_below(name: str, folders: tuple[Path, ...]) -> bool:
    path = Path(name).resolve()
    return any(path.is_relative_to(folder) for folder in folders)


def below_root(path: Path, root: Path | None) -> Path | None:
    """Return a path relative to the folder of the project; None if it is not below it."""
    if root is None or not path.resolve().is_relative_to(root.resolve()):
        return None
    return path.resolve().relative_to(root.resolve())


def _shown(frame: traceback.FrameSummary, root: Path | None) -> str:
    path = Path(frame.filename)
    shown = below_root(path, root)
    if shown is None:
        # Without the machine's own folders, so that results are the same everywhere.
        folders = [Path(folder) for folder in sys.path if folder and path.is_relative_to(folder)]
        shown = path.relative_to(max(folders, key=lambda folder: len(folder.parts), default=path.parent))
    source = f": {frame.line}" if frame.line else ""
    return f"{shown.as_posix()}:{frame.lineno} in {frame.name}{source}"


TIMED_OUT: Final = "timed_out"
_GRACE_S: Final = 0.5
"""Time for an async agent to end after its cancellation, in seconds."""

_AGAIN_S: Final = 0.5
_SLOW_INTERRUPTS: Final = 3
_RAPID_S: Final = 0.001
"""Interval of interrupts, in seconds, for code that swallows them."""
_MOST_LINES: Final = 20
"""Most lines that run between a swallowed interrupt and another one, which gets outside of any ``try``."""

_MAX_THROWS: Final = 100_000

_MAX_MESSAGE_CHARS: Final = 2_000
_ADDRESS: Final = re.compile(r" at 0x[0-9A-Fa-f]{4,}")
"""The memory address of an object, which differs in each run."""


class Overdue(TimeIsOver):
    """The time of a run is over.

    ``waiting`` are the frames in which an async agent waited, the outermost first.
    """

    waiting: tuple[FrameSummary, ...] = ()


class EventLoops(threading.local):
    """The event loop of each thread, shared by all async agents of a session.

    Clients that are created on import keep working from one run to the next.
    """

    _loop: asyncio.AbstractEventLoop | None = None

    def get(self) -> asyncio.AbstractEventLoop:
        """Return the loop of this thread."""
        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()
        return self._loop

    def close(self) -> None:
        """Close the loop of this thread, if it has one, and cancel its tasks."""
        loop, self._loop = self._loop, None
        if loop is None or loop.is_closed():
            return
        with contextlib.suppress(Exception):
            _cancel(loop, asyncio.all_tasks(loop))
            loop.run_until_complete(loop.shutdown_asyncgens())
        loop.close()


LOOPS: Final = EventLoops()

TEST_LOOP: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("redpen_test_loop", default=None)
"""The running loop of an async test, on which its agents run too; None outside of one."""


def call(
    work: Callable[[], Any], *, timeout_s: float, root: Path | None, total_s: float | None = None
) -> Any:
    """Call user code and wait for its result.

    Args:
        work: does the call; awaitables are awaited, generators collected.
        total_s: time limit of the whole run, for messages; by default ``timeout_s``.

    Returns:
        The result, or a ``Raised`` if there is none.
    """
    started = time.monotonic()
    total_s = timeout_s if total_s is None else total_s
    try:
        if threading.current_thread() is threading.main_thread() and hasattr(signal, "setitimer"):
            with _alarm(timeout_s):
                return _finished(_user_code(work), timeout_s - (time.monotonic() - started))
        # The inner limit knows where the code waited; the outer one is for code that blocks the inner one.
        outer_s = timeout_s + 4 * _GRACE_S
        return call_in_time(lambda: _finished(_user_code(work), timeout_s), name="agent", seconds=outer_s)
    except CallFailed as error:
        return raised(error.error, root, total_s)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - any exception is the result of the call
        return raised(error, root, total_s)


def raised(error: BaseException, root: Path | None, timeout_s: float) -> Raised:
    """Return an exception as the result of a call."""
    if isinstance(error, (Overdue, CallTimedOut)):
        waiting = error.waiting if isinstance(error, Overdue) else ()
        return timed_out("ended", timeout_s, shown_lines(waiting, root) or own_lines(error, root))
    names = tuple(kind.__name__ for kind in type(error).__mro__ if kind not in {BaseException, object})
    reason = f"raised:{names[0]}"
    try:
        message = _ADDRESS.sub(" at 0x…", str(error)).encode("utf-8", "replace").decode()
    except Exception:  # noqa: BLE001 - `__str__` is user code
        message = ""
    if isinstance(error, SystemExit):
        # For a string as code the status is 1.
        code = 0 if error.code is None else error.code
        reason = f"exited:{int(code) if isinstance(code, int) else 1}"
    message, lines = message[:_MAX_MESSAGE_CHARS], own_lines(error, root)
    return Raised(stop_reason=reason, names=names, message=message, lines=lines, error=error)


def timed_out(verb: str, timeout_s: float, lines: tuple[str, ...] = ()) -> Raised:
    """Return the result of a call that had not ``ended``, or ``answered``, in time."""
    message = f"it had not {verb} after {timeout_s:g} s"
    return Raised(stop_reason=TIMED_OUT, names=("TimeoutError",), message=message, lines=lines)


def _user_code(work: Callable[[], Any]) -> Any:
    # A separate frame, by which the alarm recognizes that it interrupts user code.
    return work()


def _finished(result: Any, left_s: float) -> Any:
    if inspect.isawaitable(result) or inspect.isasyncgen(result):
        return _run_on_loop(result, left_s)
    if inspect.isgenerator(result):
        return _joined(list(result))
    return result


def _run_on_loop(result: Any, left_s: float) -> Any:
    if (running := TEST_LOOP.get()) is not None:
        work = _settled(result)
        future = asyncio.run_coroutine_threadsafe(work, running)
        if not concurrent.futures.wait([future], timeout=max(left_s, 0)).done:
            error = _overdue(work)
            future.cancel()
            raise error
        return future.result()
    loop = LOOPS.get()
    known = asyncio.all_tasks(loop)
    asyncio.set_event_loop(loop)
    try:
        task = loop.create_task(_settled(result))
        loop.run_until_complete(asyncio.wait([task], timeout=max(left_s, 0)))
        if task.done():
            return task.result()
        error = _overdue(task.get_coro())
    except BaseException:
        _cancel(loop, asyncio.all_tasks(loop) - known)
        raise
    _cancel(loop, asyncio.all_tasks(loop) - known)
    raise error


def _overdue(coroutine: Any) -> Overdue:
    # Read before the cancellation, which changes the frames.
    error = Overdue()
    error.waiting = waiting_frames(coroutine)
    return error


def _cancel(loop: asyncio.AbstractEventLoop, tasks: set[asyncio.Task[Any]]) -> None:
    for task in tasks:
        task.cancel()
    if tasks and not loop.is_running():
        loop.run_until_complete(asyncio.wait(tasks, timeout=_GRACE_S))
        for task in tasks:
            if not task.done():
                _end(task)


def _end(task: asyncio.Task[Any]) -> None:
    """End a task that swallows its cancellation: garbage collection would resume it, without end."""
    coroutine: Any = task.get_coro()
    # Otherwise asyncio logs that the task was pending.
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        return
    with _alarm(0):
        _throw_until_ended(coroutine)


def _throw_until_ended(coroutine: Any) -> None:
    for _ in range(_MAX_THROWS):
        try:
            coroutine.throw(Overdue)
        except BaseException:  # noqa: BLE001 - the task has ended in some way
            return


async def _settled(result: Any) -> Any:
    if inspect.isasyncgen(result):
        return _joined([part async for part in result])
    return await result


def _joined(parts: list[Any]) -> Any:
    # Agents that stream text yield it in pieces.
    return "".join(parts) if parts and all(isinstance(part, str) for part in parts) else parts


def _interrupt_again(frame: FrameType, codes: set[CodeType], after: int) -> None:
    """Interrupt code that swallows an interrupt once more, a number of lines later.

    Args:
        frame: the frame that is interrupted now; it and its callers up to ``codes`` are traced.
        codes: the code of Redpen that calls the agent.
        after: how many lines of these frames run before.
    """
    lines = 0

    def trace(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal lines
        if event != "line":
            return None if event == "call" else trace
        lines += 1
        if lines > after:
            raise Overdue
        return trace

    for outer, _ in traceback.walk_stack(frame):
        if outer.f_code in codes:
            break
        outer.f_trace = trace
    sys.settrace(trace)


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    interrupts = 0
    codes = {_finished.__code__, _user_code.__code__, _throw_until_ended.__code__}

    def interrupt(_number: int, frame: FrameType | None) -> None:
        nonlocal interrupts
        # Anywhere else it would interrupt the clean-up.
        if frame is None or not any(outer.f_code in codes for outer, _ in traceback.walk_stack(frame)):
            return
        interrupts += 1
        # Set again each time: a periodic timer would interrupt this function too.
        signal.setitimer(signal.ITIMER_REAL, _AGAIN_S if interrupts < _SLOW_INTERRUPTS else _RAPID_S)
        if interrupts > 1:
            _interrupt_again(frame, codes, after=interrupts % _MOST_LINES)
        raise Overdue

    started = time.monotonic()
    tracing = sys.gettrace()
    handler = signal.signal(signal.SIGALRM, interrupt)
    # An async agent is cancelled at its deadline; the alarm ends code that blocks the loop.
    remaining_before, interval = signal.setitimer(signal.ITIMER_REAL, seconds + _GRACE_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler if handler is not None else signal.SIG_DFL)
        if interrupts > 1:
            sys.settrace(tracing)
        if remaining_before:
            # Restore another timer, such as that of pytest-timeout.
            remaining = max(remaining_before - (time.monotonic() - started), 0.001)
            signal.setitimer(signal.ITIMER_REAL, remaining, interval)
