"""Processes that judge chunks: they leave interrupts to the one that started them, and end with it."""

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
        judging: what judges.
        count: of processes.
    """

    def __init__(self, judging: Judging, count: int) -> None:
        # Pickled once: policy packs take longer to pickle than some rows to judge.
        self._judging = pickle.dumps(judging)
        self._others = frozenset(active_children())
        self._pool = ProcessPoolExecutor(count, mp_context=get_context("spawn"), initializer=_begin)

    def submit(self, chunk: Chunk) -> Future[Judged]:
        """Hand out a chunk; a pool whose worker has just died takes none, and the chunk is lost as well."""
        try:
            with _blocked_interrupts():
                return self._pool.submit(_judge, self._judging, chunk)
        except BrokenProcessPool as broken:
            lost: Future[Judged] = Future()
            lost.set_exception(broken)
            return lost

    def end(self) -> None:
        """End the processes when they have nothing more to do."""
        self._pool.shutdown(wait=False, cancel_futures=True)

    def kill(self) -> None:
        """End the processes, whatever they are at."""
        mine = frozenset(active_children()) - self._others
        self.end()
        for process in mine:
            process.terminate()


def _judge(judging: bytes, chunk: Chunk) -> Judged:
    return judge_chunk(_unpickled(judging), chunk)


@lru_cache(maxsize=1)
def _unpickled(judging: bytes) -> Judging:
    found: Judging = pickle.loads(judging)  # noqa: S301 - made by `Workers`
    return found


def _begin() -> None:
    # Ctrl-C is for the process that started the workers, which ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    # A worker holds both ends of its queue, so that it would wait for ever when its parent was killed.
    parent = parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


@contextmanager
def _blocked_interrupts() -> Iterator[None]:
    """Hold interrupts back for as long as processes may be started: these inherit that."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
