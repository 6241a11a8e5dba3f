"""The engine of one machine: processes that judge chunks, a bounded number at a time, in order.

The processes ignore interrupts, and end with the process that started them.
"""

from __future__ import annotations

import os
import pickle
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.connection import wait
from typing import Final

from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Chunk, Judged, joined, judge_chunk, unjudged

_AHEAD: Final = 3
"""Chunks per worker that are read ahead."""


def judge_in_pool(
    chunks: Iterator[Chunk], judging: Judging, *, workers: int, tell: Callable[[str], None]
) -> Iterator[Judged]:
    """Yield the verdicts on chunks, in their order; chunks are read only as far ahead as the workers need.

    A worker that dies breaks its pool: the waiting chunks are judged again, one at a time; a chunk that kills
    its worker again is judged row by row, and a row that does so counts as not judged.
    """
    pool = _Workers(judging, workers)
    waiting: deque[tuple[Chunk, Future[Judged]]] = deque()
    try:
        while True:
            for chunk in islice(chunks, _AHEAD * workers - len(waiting)):
                waiting.append((chunk, pool.submit(chunk)))
            if not waiting:
                break
            oldest, future = waiting.popleft()
            if not _is_lost(future):
                yield future.result()
                continue
            tell("a worker died; its rows are judged again")
            pool.end()
            lost = [oldest, *(chunk for chunk, _ in waiting)]
            waiting.clear()
            pool = _Workers(judging, 1)
            for chunk in lost:
                yield _judged_alone(pool, chunk, tell)
            pool.end()
            pool = _Workers(judging, workers)
    except BaseException:
        # Their results are no longer needed, and a guard may be slow.
        pool.kill()
        raise
    pool.end()


def _is_lost(future: Future[Judged]) -> bool:
    return isinstance(future.exception(), BrokenProcessPool)


def _judged_alone(pool: _Workers, chunk: Chunk, tell: Callable[[str], None]) -> Judged:
    """Judge a chunk in a pool of one worker, and row by row if it kills that worker."""
    future = pool.submit(chunk)
    if not _is_lost(future):
        return future.result()
    pool.restart()
    if len(chunk.rows) == 1:
        tell(f"{chunk.file}:{chunk.rows[0].line}: killed its worker")
        return unjudged(chunk, "judging it killed the process")
    tell(f"{chunk.file}: a chunk killed its worker; its rows are judged one by one")
    return joined([_judged_alone(pool, replace(chunk, rows=(row,)), tell) for row in chunk.rows])


class _Workers:
    """A pool of processes."""

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
    value: Judging = pickle.loads(judging)  # noqa: S301 - made by `_Workers`
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
