"""Rows of many files as chunks that never go over the end of a shard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from redpen_evals.sweep.judging import Chunk
from redpen_evals.sweep.sources import Row, Source, read_rows

MOST_ROWS: Final = 128
_MOST_BYTES: Final = 256_000


def chunks_of(
    sources: Iterable[Source],
    *,
    shard_rows: int,
    skip: int = 0,
    most_rows: int = MOST_ROWS,
    seen: Callable[[Source, Row], None] | None = None,
) -> Iterator[Chunk]:
    """Yield the rows of files as chunks; the same files always give the same chunks.

    Args:
        sources: in this order.
        shard_rows: no chunk goes over a multiple of this many rows.
        skip: rows at the beginning that are passed over; a multiple of ``shard_rows``.
        most_rows: of one chunk.
        seen: called with each file and the last row that was read of it.
    """
    number = 0
    for source in sources:
        rows: list[Row] = []
        size = 0
        for row in read_rows(source):
            number += 1
            if number > skip:
                rows.append(row)
                size += len(row.data or b"")
            if rows and (len(rows) >= most_rows or size >= _MOST_BYTES or number % shard_rows == 0):
                yield Chunk(file=source.path, rows=tuple(rows))
                rows, size = [], 0
                if seen:
                    seen(source, row)
        if rows:
            yield Chunk(file=source.path, rows=tuple(rows))
