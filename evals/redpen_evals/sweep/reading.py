"""Rows of many files as chunks that never cross the end of a shard."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from redpen_evals.sweep.judging import Chunk
from redpen_evals.sweep.sources import Row, Source, read_rows

MAX_ROWS: Final = 128
_MAX_BYTES: Final = 256_000


def chunks_of(
    sources: Iterable[Source],
    *,
    shard_rows: int,
    skip: int = 0,
    max_rows: int = MAX_ROWS,
    seen: Callable[[Source, Row], None] | None = None,
) -> Iterator[Chunk]:
    """Yield the rows of files as chunks; the same files always give the same chunks.

    Args:
        shard_rows: no chunk crosses a multiple of this number of rows.
        skip: number of rows to skip at the beginning; a multiple of ``shard_rows``.
        seen: called with the file and the last row of each full chunk.
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
            if rows and (len(rows) >= max_rows or size >= _MAX_BYTES or number % shard_rows == 0):
                yield Chunk(file=source.path, rows=tuple(rows))
                rows, size = [], 0
                if seen:
                    seen(source, row)
        if rows:
            yield Chunk(file=source.path, rows=tuple(rows))
