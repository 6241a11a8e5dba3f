"""The engine of several machines: Ray Data, with a chunk as each of its rows."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Chunk, Judged, judge_chunk
from redpen_evals.sweep.reading import chunks_of
from redpen_evals.sweep.sources import Source

_BLOCK_BYTES: Final = 256_000


def judge_with_ray(
    sources: tuple[Source, ...], judging: Judging, *, workers: int, shard_rows: int, skip: int
) -> Iterator[Judged]:
    """Yield the verdicts on all rows of some files, in their order.

    Args:
        sources: which the machines of the cluster must be able to read.
        judging: the judge.
        workers: number of processes, if the cluster is started here.
        skip: number of rows at the beginning that are done.
        shard_rows: no chunk crosses a multiple of this.

    Raises:
        ConfigurationError: Ray is not installed.
    """
    check_ray()
    import ray
    import ray.data

    # RAY_ADDRESS names the cluster; without it one is started on this machine.
    ray.init(ignore_reinit_error=True, num_cpus=workers, log_to_driver=False, configure_logging=False)
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    # A task judges about one chunk, apart from reading; otherwise one task would do all.
    context.target_max_block_size = _BLOCK_BYTES
    inputs = ray.data.from_items([{"source": pickle.dumps(sources)}])
    read = _Reading(shard_rows, skip).read
    chunks = inputs.map_batches(read, batch_size=1, batch_format="pyarrow", num_cpus=0.1)
    judged = chunks.map(_Judge(judging).judge)
    for row in judged.iter_rows():
        yield pickle.loads(row["judged"])  # noqa: S301 - made by `_Judge`


def check_ray() -> None:
    """Raise ConfigurationError if Ray is not installed."""
    if find_spec("ray") is None:
        raise ConfigurationError("--engine ray needs Ray: pip install 'redpen-evals[ray]'")


class _Reading:
    """Reads files as rows of pickled chunks."""

    def __init__(self, shard_rows: int, skip: int) -> None:
        self._shard_rows, self._skip = shard_rows, skip

    def read(self, batch: Any) -> Iterator[Any]:
        """Yield each chunk of the files as a table of one row."""
        import pyarrow

        for pickled in batch.column("source").to_pylist():
            sources: tuple[Source, ...] = pickle.loads(pickled)  # noqa: S301 - made above
            for chunk in chunks_of(sources, shard_rows=self._shard_rows, skip=self._skip):
                yield pyarrow.table({"chunk": [pickle.dumps(chunk)]})


class _Judge:
    """Judges pickled chunks."""

    def __init__(self, judging: Judging) -> None:
        self._judging = judging

    def judge(self, row: dict[str, Any]) -> dict[str, bytes]:
        """Return the verdicts on a chunk."""
        chunk: Chunk = pickle.loads(row["chunk"])  # noqa: S301 - made by `_Reading`
        return {"judged": pickle.dumps(judge_chunk(self._judging, chunk))}
