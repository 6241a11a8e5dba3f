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
        workers: number of processes, if the cluster is started here.
        skip: number of rows at the beginning that are done.
        shard_rows: no chunk crosses a multiple of this.

    Raises:
        ConfigurationError: Ray is not installed.
    """
    check_ray()
    import pyarrow
    import ray
    import ray.data

    def read(batch: Any) -> Iterator[Any]:
        for pickled in batch.column("source").to_pylist():
            read_sources: tuple[Source, ...] = pickle.loads(pickled)  # noqa: S301 - made below
            for chunk in chunks_of(read_sources, shard_rows=shard_rows, skip=skip):
                yield pyarrow.table({"chunk": [pickle.dumps(chunk)]})

    def judge(row: dict[str, Any]) -> dict[str, bytes]:
        chunk: Chunk = pickle.loads(row["chunk"])  # noqa: S301 - made by `read`
        return {"judged": pickle.dumps(judge_chunk(judging, chunk))}

    # RAY_ADDRESS names the cluster; without it one is started on this machine.
    ray.init(ignore_reinit_error=True, num_cpus=workers, log_to_driver=False, configure_logging=False)
    context = ray.data.DataContext.get_current()
    context.execution_options.preserve_order = True
    context.enable_progress_bars = False
    # A task judges about one chunk, apart from reading; otherwise one task would do all.
    context.target_max_block_size = _BLOCK_BYTES
    inputs = ray.data.from_items([{"source": pickle.dumps(sources)}])
    chunks = inputs.map_batches(read, batch_size=1, batch_format="pyarrow", num_cpus=0.1)
    for row in chunks.map(judge).iter_rows():
        yield pickle.loads(row["judged"])  # noqa: S301 - made by `judge`


def check_ray() -> None:
    """Raise ConfigurationError if Ray is not installed."""
    if find_spec("ray") is None:
        raise ConfigurationError("--engine ray needs Ray: pip install 'redpen-evals[ray]'")
