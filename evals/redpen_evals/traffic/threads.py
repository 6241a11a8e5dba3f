"""Threads that a run starts belong to it, and so do the tasks that it gives to pools of threads."""

from __future__ import annotations

import concurrent.futures.thread
import contextvars
import multiprocessing.pool
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import Pool, ThreadPool
from typing import Any, Final

from redpen_evals.traffic.scope import CURRENT, RunScope

_STARTED: Final[weakref.WeakSet[threading.Thread]] = weakref.WeakSet()

# A pool's threads outlive the run that needed them first: each of their tasks brings its own context.
_POOL_THREADS: Final = (
    getattr(concurrent.futures.thread, "_worker", None),
    getattr(multiprocessing.pool, "worker", None),
    *(getattr(Pool, name, None) for name in ("_handle_workers", "_handle_tasks", "_handle_results")),
)
_POOL_METHODS: Final = ("apply_async", "_map_async", "imap", "imap_unordered")
# Its tasks are sent to other interpreters, where no context goes.
_INTERPRETER_POOL: Final = getattr(concurrent.futures, "InterpreterPoolExecutor", ())


def thread_places() -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """Yield what takes the place of methods that start threads and give them tasks."""
    yield threading.Thread, "start", _thread_start(threading.Thread.start)
    yield ThreadPoolExecutor, "submit", _pool_submit(ThreadPoolExecutor.submit)
    for name in _POOL_METHODS:
        yield ThreadPool, name, _pool_map(getattr(ThreadPool, name))


def run_threads_alive() -> bool:
    """Return whether a thread that a run started is still alive."""
    return any(thread.is_alive() for thread in list(_STARTED))


def _thread_start(original: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    def start(self: threading.Thread) -> None:
        if isinstance(CURRENT.get(), RunScope) and not self._started.is_set():  # type: ignore[attr-defined]
            # What a run leaves behind must not keep the process from ending.
            self.daemon = True
            target = getattr(self, "_target", None)
            if target is None or target not in _POOL_THREADS:
                context, run = contextvars.copy_context(), self.run
                self.run = lambda: context.run(run)  # type: ignore[method-assign]
                _STARTED.add(self)
        original(self)

    return start


def _pool_submit(original: Callable[..., Any]) -> Callable[..., Any]:
    def submit(self: Any, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if isinstance(CURRENT.get(), RunScope) and not isinstance(self, _INTERPRETER_POOL):
            return original(self, contextvars.copy_context().run, task, *args, **kwargs)
        return original(self, task, *args, **kwargs)

    return submit


def _pool_map(original: Callable[..., Any]) -> Callable[..., Any]:
    def mapped(self: Any, task: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        if isinstance(CURRENT.get(), RunScope):
            return original(self, _in_context(task), *args, **kwargs)
        return original(self, task, *args, **kwargs)

    return mapped


def _in_context(task: Callable[..., Any]) -> Callable[..., Any]:
    context = contextvars.copy_context()

    def run(*args: Any, **kwargs: Any) -> Any:
        # Several threads cannot be in one context at once.
        return context.copy().run(task, *args, **kwargs)

    return run
