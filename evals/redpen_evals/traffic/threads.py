"""Threads that a run starts belong to it."""

from __future__ import annotations

import concurrent.futures.thread
import contextvars
import threading
import weakref
from collections.abc import Callable
from typing import Any, Final

from redpen_evals.traffic.scope import CURRENT, RunScope

_STARTED: Final[weakref.WeakSet[threading.Thread]] = weakref.WeakSet()
_POOL_WORKER: Final = getattr(concurrent.futures.thread, "_worker", None)


def thread_start(original: Callable[[threading.Thread], None]) -> Callable[[threading.Thread], None]:
    """Return a ``Thread.start`` under which a thread takes over the context that starts it."""

    def start(self: threading.Thread) -> None:
        if isinstance(CURRENT.get(), RunScope) and not self._started.is_set():  # type: ignore[attr-defined]
            # What a run leaves behind must not keep the process from ending.
            self.daemon = True
            # A pool's worker outlives the run that needed it first: each of its tasks brings its own context.
            if getattr(self, "_target", None) is not _POOL_WORKER:
                context, run = contextvars.copy_context(), self.run
                self.run = lambda: context.run(run)  # type: ignore[method-assign]
                _STARTED.add(self)
        original(self)

    return start


def pool_submit(original: Callable[..., Any]) -> Callable[..., Any]:
    """Return a ``ThreadPoolExecutor.submit`` under which a task takes over the context that submits it."""

    def submit(self: Any, task: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        if isinstance(CURRENT.get(), RunScope):
            return original(self, contextvars.copy_context().run, task, *args, **kwargs)
        return original(self, task, *args, **kwargs)

    return submit


def run_threads_alive() -> bool:
    """Return whether a thread that a run started is still alive."""
    return any(thread.is_alive() for thread in list(_STARTED))
