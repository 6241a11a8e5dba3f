"""Process-wide patches of the HTTP libraries while runs are active.

vcrpy knows the function with which each library sends requests. The patch replaces these functions, so that
every request reaches the router, which finds its run. Nothing is patched while no run is active.
"""

from __future__ import annotations

import concurrent.futures.thread
import contextvars
import itertools
import multiprocessing.pool
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from multiprocessing.pool import Pool, ThreadPool
from typing import Any, Final

from redpen_evals.traffic.dispatch import Place
from redpen_evals.traffic.in_aiohttp import aiohttp_places
from redpen_evals.traffic.in_http_client import http_client_places
from redpen_evals.traffic.in_httpx import httpx_places
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import CURRENT, RunScope

_STARTED: Final[weakref.WeakSet[threading.Thread]] = weakref.WeakSet()

# A pool's threads outlive the run that started them, so each task gets its own context.
_POOL_THREADS: Final = (
    getattr(concurrent.futures.thread, "_worker", None),
    getattr(multiprocessing.pool, "worker", None),
    *(getattr(Pool, name, None) for name in ("_handle_workers", "_handle_tasks", "_handle_results")),
)
_POOL_METHODS: Final = ("apply_async", "_map_async", "imap", "imap_unordered")
# Its tasks run in other interpreters, which have no access to the context.
_INTERPRETER_POOL: Final = getattr(concurrent.futures, "InterpreterPoolExecutor", ())


def thread_places() -> Iterator[tuple[type, str, Callable[..., Any]]]:
    """Yield the replacements of methods that start threads and give them tasks."""
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
            # A leftover thread of a run must not keep the process from ending.
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
        # Threads cannot share a context.
        return context.copy().run(task, *args, **kwargs)

    return run


class TrafficPatch:
    """The patch of this process: installed with the first run, removed after the last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._users = 0
        self._removers: list[Any] = []
        self._before: list[tuple[Any, str, Any, bool]] = []

    @property
    def in_place(self) -> bool:
        """Whether the libraries are patched now."""
        return bool(self._before)

    def __enter__(self) -> None:
        """Install the patch, unless it is installed."""
        with self._lock:
            self._users += 1
            if not self._before:
                self._install()

    def __exit__(self, *_: object) -> None:
        """Remove it after the last run, unless threads of runs, or telemetry, may still send requests."""
        with self._lock:
            self._users -= 1
            if not self._users and not ROUTER.seen_telemetry and not run_threads_alive():
                self._uninstall()

    @cached_property
    def _places(self) -> list[Place]:
        places = (http_client_places(self._removers), aiohttp_places(), httpx_places(), thread_places())
        return list(itertools.chain.from_iterable(places))

    def _install(self) -> None:
        for owner, name, value in self._places:
            own = name in vars(owner)
            self._before.append((owner, name, vars(owner)[name] if own else None, own))
            setattr(owner, name, value)

    def _uninstall(self) -> None:
        for owner, name, value, own in reversed(self._before):
            if own:
                setattr(owner, name, value)
            else:
                delattr(owner, name)
        self._before.clear()
        for remover in self._removers:
            remover.__exit__(None, None, None)
            # Otherwise it would keep all pools alive, and visit each after every run.
            remover._connection_pool_to_connections.clear()


PATCH: Final = TrafficPatch()
"""The patch of this process."""
