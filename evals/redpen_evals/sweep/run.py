"""One resumable sweep: judges the rows of many files and writes the verdicts in shards."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Final, Literal

from redpen.errors import ConfigurationError
from redpen.guards.claims.detector import SHIPPED
from redpen.guards.data import data_path
from redpen.screen import shortened
from redpen.types import JsonObject
from redpen_evals.fingerprints import redpen_code
from redpen_evals.guard_adapters.importing import importable
from redpen_evals.sweep.folder import MANIFEST, SUMMARY, Folder
from redpen_evals.sweep.judges import Judging
from redpen_evals.sweep.judging import Judged, check_judging
from redpen_evals.sweep.pool import judge_in_pool
from redpen_evals.sweep.ray_engine import check_ray, judge_with_ray
from redpen_evals.sweep.reading import MAX_ROWS, chunks_of
from redpen_evals.sweep.sources import Row, Source
from redpen_evals.sweep.tally import Tally
from redpen_evals.versions import installed_versions

Engine = Literal["local", "ray"]
SHARD_ROWS: Final = 5_000
_ROWS_FOR_AN_INTERPRETER: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """The parameters of a sweep; ``shard_rows`` is the number of verdicts per file."""

    sources: tuple[Source, ...]
    judging: Judging
    out: Folder
    workers: int
    engine: Engine = "local"
    shard_rows: int = SHARD_ROWS


@dataclass(slots=True, kw_only=True)
class Progress:
    """The progress of a sweep.

    Attributes:
        tally: counts of all verdicts, earlier sessions included.
        earlier: number of rows of earlier sessions.
    """

    tally: Tally
    earlier: int
    done_bytes: int = 0


def run_sweep(
    sweep: Sweep, *, resume: bool, tell: Callable[[str], None], show: Callable[[Progress], None]
) -> Tally:
    """Judge all rows, and write verdicts, manifest and summary.

    Args:
        resume: whether the folder may hold an earlier part of the same sweep.

    Returns:
        The counts of all verdicts, earlier sessions included.

    Raises:
        ConfigurationError: the folder holds another sweep, or cannot be written.
    """
    # Before the output folder is created.
    if sweep.engine == "ray":
        check_ray()
    check_judging(sweep.judging)
    total = Tally()
    begun = _begin(sweep, resume=resume)
    for tally in sweep.out.shards() if begun else ():
        total.merge(tally)
    if total.rows % sweep.shard_rows:
        # Only the last shard of a sweep is shorter, so this sweep is complete.
        sweep.out.write_json(SUMMARY, total.to_dict())
        return total
    sizes = [source.size for source in sweep.sources]
    starts = dict(zip((source.path for source in sweep.sources), accumulate(sizes, initial=0), strict=False))
    progress = Progress(tally=total, earlier=total.rows)

    def seen(source: Source, row: Row) -> None:
        progress.done_bytes = starts[source.path] + row.read_bytes

    number = total.rows // sweep.shard_rows
    lines: list[bytes] = []
    shard = Tally()
    for judged in _judged(sweep, skip=total.rows, seen=seen, tell=tell):
        lines.append(judged.lines)
        shard.merge(judged.tally)
        total.merge(judged.tally)
        if shard.rows == sweep.shard_rows:
            sweep.out.write_shard(number, b"".join(lines), shard)
            number, lines, shard = number + 1, [], Tally()
        show(progress)
    if shard.rows or not number:
        sweep.out.write_shard(number, b"".join(lines), shard)
    sweep.out.write_json(SUMMARY, total.to_dict())
    return total


def _judged(
    sweep: Sweep, *, skip: int, seen: Callable[[Source, Row], None], tell: Callable[[str], None]
) -> Iterator[Judged]:
    if sweep.engine == "ray":
        return judge_with_ray(
            sweep.sources, sweep.judging, workers=sweep.workers, shard_rows=sweep.shard_rows, skip=skip
        )
    max_rows = _ROWS_FOR_AN_INTERPRETER if sweep.judging.interpreter else MAX_ROWS
    chunks = chunks_of(sweep.sources, shard_rows=sweep.shard_rows, skip=skip, max_rows=max_rows, seen=seen)
    return judge_in_pool(chunks, sweep.judging, workers=sweep.workers, tell=tell)


def _begin(sweep: Sweep, *, resume: bool) -> bool:
    """Write the manifest, or compare it with an existing one; returns whether there is one."""
    manifest = manifest_of(sweep)
    existing = sweep.out.read_json(MANIFEST)
    if existing is None:
        sweep.out.write_json(MANIFEST, manifest)
        return False
    if not resume:
        raise ConfigurationError(
            f"{sweep.out.path}: holds a sweep already; --resume continues it, another --out starts a new one"
        )
    if differing := [name for name in manifest if existing.get(name) != manifest[name]]:
        problem = "was begun with other inputs, and two kinds of verdicts would be mixed:"
        pairs = [
            (name, *(shortened(str(each.get(name)), 120) for each in (existing, manifest)))
            for name in differing
        ]
        lines = [f"  {name}: was {before}, is {after}" for name, before, after in pairs]
        raise ConfigurationError("\n".join([f"{sweep.out.path}: {problem}", *lines]))
    return True


def manifest_of(sweep: Sweep) -> JsonObject:
    """Return the inputs that verdicts depend on: versions, guards, settings and files, as JSON."""
    judging, policy = sweep.judging, sweep.judging.policy
    weights = hashlib.sha256(data_path(SHIPPED).read_bytes()).hexdigest()[:24]
    return {
        "format": 1,
        "versions": dict(installed_versions()),
        "redpen": redpen_code()[:24],
        "weights": weights,
        "guards": judging.guards or "redpen",
        "guards code": _code_of(judging),
        "policy": None if policy is None else policy.name or "by tenant and role",
        "policy hash": None if policy is None else policy.hash,
        "interpreter": judging.interpreter,
        "columns": [list(pair) for pair in judging.columns],
        "context": judging.context,
        "claims": judging.claims,
        "unread language": judging.unread_language,
        "texts": judging.keep_texts,
        "shard rows": sweep.shard_rows,
        "sources": [
            {"path": source.path, "size": source.size, "digest": source.digest()} for source in sweep.sources
        ],
    }


def _code_of(judging: Judging) -> str | None:
    """Return a digest of the module of the user's own guards."""
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
