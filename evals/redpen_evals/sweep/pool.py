"""The engine of one machine: a pool of processes that judges chunks, a bounded number at a time, in order."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import get_context
from typing import Final

from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Chunk, Judged, judge_chunk, unjudged
from redpen_evals.sweep.tally import Tally

_WAITING: Final = 3
"""Chunks a worker that are read ahead."""


def judge_in_pool(
    chunks: Iterator[Chunk], judging: Judging, *, workers: int, tell: Callable[[str], None]
) -> Iterator[Judged]:
    """Yield the verdicts on chunks, in their order.

    A worker that dies takes its pool with it: what was waiting is judged again, a chunk at a time; a chunk
    that kills again is judged row by row, and the row that kills is one that cannot be judged.

    Args:
        chunks: read only as far ahead as the workers need.
        judging: what judges them.
        workers: processes.
        tell: called with a sentence for each worker that died.
    """
    pool = _pool(workers)
    waiting: deque[tuple[Chunk, Future[Judged]]] = deque()
    try:
        while True:
            for chunk in islice(chunks, _WAITING * workers - len(waiting)):
                waiting.append((chunk, _submit(pool, judging, chunk)))
            if not waiting:
                return
            oldest, future = waiting.popleft()
            if not _is_lost(future):
                yield future.result()
                continue
            tell("a worker died; what it was at is judged again")
            pool.shutdown(wait=False, cancel_futures=True)
            lost = [oldest, *(chunk for chunk, _ in waiting)]
            waiting.clear()
            yield from _one_by_one(lost, judging, tell)
            pool = _pool(workers)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _submit(pool: ProcessPoolExecutor, judging: Judging, chunk: Chunk) -> Future[Judged]:
    """Hand a chunk to a pool; one whose worker has just died takes none, and the chunk is lost as well."""
    try:
        return pool.submit(judge_chunk, judging, chunk)
    except BrokenProcessPool as broken:
        lost: Future[Judged] = Future()
        lost.set_exception(broken)
        return lost


def _pool(workers: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=_leave_interrupts)


def _leave_interrupts() -> None:
    # Ctrl-C is for the process that started the workers, which ends them.
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _is_lost(future: Future[Judged]) -> bool:
    return isinstance(future.exception(), BrokenProcessPool)


def _one_by_one(chunks: list[Chunk], judging: Judging, tell: Callable[[str], None]) -> Iterator[Judged]:
    alone = _Alone(judging)
    try:
        for chunk in chunks:
            found = alone.judge(chunk)
            if found is None:
                tell(f"{chunk.file}: a chunk killed its worker; its rows are judged one by one")
                found = _joined([_row_alone(row, alone, tell) for row in chunk.single()])
            yield found
    finally:
        alone.close()


def _row_alone(row: Chunk, alone: _Alone, tell: Callable[[str], None]) -> Judged:
    found = alone.judge(row)
    if found is None:
        tell(f"{row.file}:{row.rows[0].line}: killed its worker")
        return unjudged(row, "judging it killed the process")
    return found


class _Alone:
    """One worker at a time, made anew after each death."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging
        self._pool = _pool(1)

    def judge(self, chunk: Chunk) -> Judged | None:
        """Return the verdicts on a chunk; None where it killed its worker."""
        future = self._pool.submit(judge_chunk, self._judging, chunk)
        if _is_lost(future):
            self.close()
            self._pool = _pool(1)
            return None
        return future.result()

    def close(self) -> None:
        """End the worker."""
        self._pool.shutdown(wait=False, cancel_futures=True)


def _joined(parts: list[Judged]) -> Judged:
    tally = Tally()
    for part in parts:
        tally.merge(part.tally)
    return Judged(lines=b"".join(part.lines for part in parts), tally=tally)
