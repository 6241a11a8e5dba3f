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
            pool = Workers(judging, 1)
            for chunk in lost:
                yield _judged_alone(pool, chunk, tell)
            pool.end()
            pool = Workers(judging, workers)
    except BaseException:
        # Their results are no longer needed, and a guard may be slow.
        pool.kill()
        raise
    pool.end()


def _is_lost(future: Future[Judged]) -> bool:
    return isinstance(future.exception(), BrokenProcessPool)


def _judged_alone(pool: Workers, chunk: Chunk, tell: Callable[[str], None]) -> Judged:
    """Judge a chunk in a pool of one worker, and row by row if it kills that worker."""
    future = pool.submit(chunk)
    if not _is_lost(future):
        return future.result()
    pool.restart()
    if len(chunk.rows) == 1:
        tell(f"{chunk.file}:{chunk.rows[0].line}: killed its worker")
        return unjudged(chunk, "judging it killed the process")
    tell(f"{chunk.file}: a chunk killed its worker; its rows are judged one by one")
    return joined([_judged_alone(pool, row, tell) for row in chunk.single()])
