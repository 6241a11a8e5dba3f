"""Processes that judge chunks; they ignore interrupts, and end with the process that started them."""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait

from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Chunk, Judged, judge_chunk


class Workers:
    """A pool of processes.

    Args:
        judging: the judge.
        count: number of processes.
    """

    def __init__(self, judging: Judging, count: int) -> None:
        # Pickled once: policy packs take longer to pickle than some rows to judge.
        self._judging = pickle.dumps(judging)
        self._others = frozenset(active_children())
        self._count = count
        self._pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count, mp_context=get_context("spawn"), initializer=_begin)

    def submit(self, chunk: Chunk) -> Future[Judged]:
        """Submit a chunk; in a pool whose worker has just died it fails as well."""
        try:
            with _blocked_interrupts():
                return self._pool.submit(_judge, self._judging, chunk)
        except BrokenProcessPool as broken:
            lost: Future[Judged] = Future()
            lost.set_exception(broken)
            return lost

    def end(self) -> None:
        """End the processes after their current work."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def restart(self) -> None:
        """Replace the processes, of which one has died."""
        self.kill()
        self._pool = self._started()

    def kill(self) -> None:
        """End the processes, even in the middle of their work."""
        mine = frozenset(active_children()) - self._others
        self.end()
        for process in mine:
            process.terminate()


def _judge(judging: bytes, chunk: Chunk) -> Judged:
    return judge_chunk(_unpickled(judging), chunk)


@lru_cache(maxsize=1)
def _unpickled(judging: bytes) -> Judging:
    value: Judging = pickle.loads(judging)  # noqa: S301 - made by `Workers`
    return value


def _begin() -> None:
    # The process that started the workers handles Ctrl-C, and ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A worker holds both ends of its queue, so it would wait for ever after its parent was killed.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Block interrupts while processes may be started, which inherit the mask."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
