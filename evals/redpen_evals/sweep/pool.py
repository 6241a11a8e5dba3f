"""The engine of one machine: a pool of processes that judges chunks, a bounded number at a time, in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from typing import Final

from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Chunk, Judged, joined, unjudged
from redpen_evals.sweep.workers import Workers

_AHEAD: Final = 3
"""Chunks per worker that are read ahead."""


def judge_in_pool(
    chunks: Iterator[Chunk], judging: Judging, *, workers: int, tell: Callable[[str], None]
) -> Iterator[Judged]:
    """Yield the verdicts on chunks, in their order.

    A worker that dies breaks its pool: the waiting chunks are judged again, one at a time; a chunk that kills
    its worker again is judged row by row, and a row that does so counts as not judged.

    Args:
        chunks: read ahead only as far as the workers need.
        judging: the judge.
        workers: number of processes.
        tell: called with a sentence for each worker that died.
    """
    pool = Workers(judging, workers)
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
            yield from _one_by_one(lost, judging, tell)
            pool = Workers(judging, workers)
    except BaseException:
        # Their results are no longer needed, and a guard may be slow.
        pool.kill()
        raise
    pool.end()


def _is_lost(future: Future[Judged]) -> bool:
    return isinstance(future.exception(), BrokenProcessPool)


def _one_by_one(chunks: list[Chunk], judging: Judging, tell: Callable[[str], None]) -> Iterator[Judged]:
    alone = _Alone(judging)
    try:
        for chunk in chunks:
            verdicts = alone.judge(chunk)
            if verdicts is None:
                tell(f"{chunk.file}: a chunk killed its worker; its rows are judged one by one")
                verdicts = joined([_row_alone(row, alone, tell) for row in chunk.single()])
            yield verdicts
    finally:
        alone.close()


def _row_alone(row: Chunk, alone: _Alone, tell: Callable[[str], None]) -> Judged:
    verdicts = alone.judge(row)
    if verdicts is None:
        tell(f"{row.file}:{row.rows[0].line}: killed its worker")
        return unjudged(row, "judging it killed the process")
    return verdicts


class _Alone:
    """One worker at a time, replaced after each death."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging
        self._pool = Workers(judging, 1)

    def judge(self, chunk: Chunk) -> Judged | None:
        """Return the verdicts on a chunk; None if it killed its worker."""
        future = self._pool.submit(chunk)
        if _is_lost(future):
            self.close()
            self._pool = Workers(self._judging, 1)
            return None
        return future.result()

    def close(self) -> None:
        """End the worker."""
        self._pool.kill()
