"""One sweep: rows of many files judged, their verdicts written in shards, resumable."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from redpen.errors import ConfigurationError
from redpen.guards.claims.detector import SHIPPED
from redpen.guards.data import data_path
from redpen.types import JsonObject
from redpen_evals.fingerprints import redpen_code
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.sweep.folder import MANIFEST, SUMMARY, Folder
from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Judged, check_judging
from redpen_evals.sweep.policy import SweepPolicy
from redpen_evals.sweep.pool import judge_in_pool
from redpen_evals.sweep.ray_engine import check_ray, judge_with_ray
from redpen_evals.sweep.reading import MOST_ROWS, chunks_of
from redpen_evals.sweep.sources import Row, Source
from redpen_evals.sweep.tally import Tally
from redpen_evals.versions import installed_versions

Engine = Literal["local", "ray"]
SHARD_ROWS: Final = 5_000
_ROWS_FOR_AN_INTERPRETER: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What is to be done.

    Attributes:
        sources: files of rows.
        judging: what judges them.
        out: where the verdicts go.
        workers: processes; None for one a core.
        engine: ``local``, or ``ray`` for a cluster.
        shard_rows: verdicts of one file.
    """

    sources: tuple[Source, ...]
    judging: Judging
    out: Folder
    workers: int
    engine: Engine = "local"
    shard_rows: int = SHARD_ROWS


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a sweep has come.

    Attributes:
        tally: of what was judged, in earlier sessions too.
        earlier: rows of earlier sessions.
        done_bytes: bytes that were read, of ``total_bytes``.
        total_bytes: of all files.
    """

    tally: Tally
    earlier: int
    done_bytes: int
    total_bytes: int


def run_sweep(
    sweep: Sweep, *, resume: bool, tell: Callable[[str], None], show: Callable[[Progress], None]
) -> Tally:
    """Judge all rows, and write verdicts, manifest and summary.

    Args:
        sweep: what is to be done.
        resume: whether the folder may hold an earlier part of the same sweep.
        tell: called with a sentence for what went wrong and was mended.
        show: called now and then with how far it has come.

    Returns:
        What all verdicts came to, those of earlier sessions too.

    Raises:
        ConfigurationError: the folder holds another sweep, or cannot be written.
    """
    _check(sweep)
    total = Tally()
    begun = _begin(sweep, resume=resume)
    for tally in sweep.out.shards() if begun else ():
        total.merge(tally)
    if total.rows % sweep.shard_rows:
        # The last shard of a sweep alone is shorter, so this one is done.
        sweep.out.write_json(SUMMARY, total.to_dict())
        return total
    earlier = total.rows
    at = _Place(sweep.sources)
    number = earlier // sweep.shard_rows
    lines: list[bytes] = []
    shard = Tally()
    for judged in _judged(sweep, skip=earlier, at=at, tell=tell):
        lines.append(judged.lines)
        shard.merge(judged.tally)
        total.merge(judged.tally)
        if shard.rows == sweep.shard_rows:
            sweep.out.write_shard(number, b"".join(lines), shard)
            number, lines, shard = number + 1, [], Tally()
        show(Progress(tally=total, earlier=earlier, done_bytes=at.done_bytes, total_bytes=at.total_bytes))
    if shard.rows or not number:
        sweep.out.write_shard(number, b"".join(lines), shard)
    sweep.out.write_json(SUMMARY, total.to_dict())
    return total


class _Place:
    """Which byte of all files was read last."""

    def __init__(self, sources: tuple[Source, ...]) -> None:
        self.total_bytes = sum(source.size for source in sources)
        self.done_bytes = 0
        self._before: dict[str, int] = {}
        for source in sources:
            self._before[source.path] = sum(one.size for one in sources[: len(self._before)])

    def seen(self, source: Source, row: Row) -> None:
        """Note a row that was read."""
        self.done_bytes = self._before[source.path] + row.read_bytes


def _judged(sweep: Sweep, *, skip: int, at: _Place, tell: Callable[[str], None]) -> Iterator[Judged]:
    if sweep.engine == "ray":
        judged = judge_with_ray(
            sweep.sources, sweep.judging, workers=sweep.workers, shard_rows=sweep.shard_rows, skip=skip
        )
    else:
        most = _ROWS_FOR_AN_INTERPRETER if sweep.judging.interpreter else MOST_ROWS
        chunks = chunks_of(
            sweep.sources, shard_rows=sweep.shard_rows, skip=skip, most_rows=most, seen=at.seen
        )
        judged = judge_in_pool(chunks, sweep.judging, workers=sweep.workers, tell=tell)
    yield from judged


def _check(sweep: Sweep) -> None:
    """Raise where nothing could be judged: a folder that is begun then would only stand in the way."""
    if sweep.engine == "ray":
        check_ray()
    check_judging(sweep.judging)


def _begin(sweep: Sweep, *, resume: bool) -> bool:
    """Write the manifest, or compare it with the one that is there; returns whether a part is done."""
    manifest = manifest_of(sweep)
    there = sweep.out.manifest()
    if there is None:
        sweep.out.write_json(MANIFEST, manifest)
        return False
    if not resume:
        raise ConfigurationError(
            f"{sweep.out.path}: holds a sweep already; --resume goes on with it, another --out begins anew"
        )
    if differing := [name for name in manifest if there.get(name) != manifest[name]]:
        lines = [
            f"  {name}: was {_brief(there.get(name))}, is {_brief(manifest[name])}" for name in differing
        ]
        raise ConfigurationError(
            "\n".join(
                [f"{sweep.out.path}: was begun otherwise, and verdicts of two kinds would be mixed:", *lines]
            )
        )
    return True


def _brief(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 120 else f"{text[:119]}…"


def manifest_of(sweep: Sweep) -> JsonObject:
    """Return what verdicts depend on: versions, guards, settings and files, as JSON."""
    judging = sweep.judging
    weights = hashlib.sha256(data_path(SHIPPED).read_bytes()).hexdigest()[:24]
    return {
        "format": 1,
        "versions": dict(installed_versions()),
        "redpen": redpen_code()[:24],
        "weights": weights,
        "guards": judging.guards or "redpen",
        "guards code": _code_of(judging),
        "policy": _policy(judging.policy),
        "policy hash": None if judging.policy is None else judging.policy.hash,
        "interpreter": judging.interpreter,
        "columns": [list(pair) for pair in judging.columns],
        "context": judging.context,
        "claims": judging.claims,
        "unread language": judging.unread_language,
        "texts": judging.keep_texts,
        "shard rows": sweep.shard_rows,
        "sources": [{"path": one.path, "size": one.size, "digest": one.digest()} for one in sweep.sources],
    }


def _policy(policy: SweepPolicy | None) -> str | None:
    if policy is None:
        return None
    return policy.name or "by tenant and role"


def _code_of(judging: Judging) -> str | None:
    """Return a digest of the module of somebody's guards."""
    module, colon, _ = (judging.guards or "").partition(":")
    if not colon:
        return None
    try:
        with importable(judging.paths):
            spec = importlib.util.find_spec(module)
    except (ImportError, ValueError):
        return None
    if spec is None or spec.origin is None or not Path(spec.origin).is_file():
        return None
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()[:24]
