"""Concurrent runs in threads, tasks and processes, whose results must equal those of sequential runs."""

from __future__ import annotations

import asyncio
import importlib.util
import random
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

from fault_campaigns.alone import SAMPLES, Alone, as_json, run_all
from fault_campaigns.small_project import RANDOM_ORDER, last_record, run_pytest
from fault_campaigns.tally import Tally
from redpen.errors import ConfigurationError
from redpen_evals.atomic_write import is_temporary
from redpen_evals.network import NetworkGuard
from redpen_evals.scenario_library.layout import Layout

T = TypeVar("T")

_WAIT_S = 60.0


def threads(root: Path, *, workers: int, repeats: int) -> Tally:
    """Replay and record in threads at the same time, each with its own client and cassettes.

    Args:
        root: an empty folder.
        workers: number of threads; every other one records.
        repeats: number of repeats.
    """
    alone = Alone.prepare(root)

    def work(repeat: int, worker: int) -> list[str]:
        order = _order(repeat, worker)
        if worker % 2 == 0:
            return alone.differences(run_all(alone.layout, samples=SAMPLES, order=order))
        layout = Layout(scenarios=alone.layout.scenarios, cassettes=root / f"recorded{worker}")
        lines = alone.differences(run_all(layout, record=True, order=order), record=True)
        return lines or alone.other_calls(layout)

    with NetworkGuard(allow_loopback=True) as guard:
        broken = _broken(at_once(work, repeat, workers) for repeat in range(repeats))
    attempts = tuple(f"{attempt.event} to {attempt.target}" for attempt in guard.attempts[:1])
    return Tally(
        fault=f"{workers} threads replay and record at once",
        claim="each result equals that of a sequential run, and no run reaches a network",
        tried=workers * repeats,
        broken=broken or attempts,
    )


def tasks(root: Path, *, callers: int, repeats: int) -> Tally:
    """Evaluate in tasks of a running event loop: with ``asyncio.to_thread``, and on the loop itself.

    Args:
        root: an empty folder.
        callers: number of tasks; every other one blocks the loop.
        repeats: number of repeats.
    """
    alone = Alone.prepare(root)

    async def call(repeat: int, caller: int) -> list[str]:
        order = _order(repeat, caller)
        if caller % 2:
            return alone.differences(run_all(alone.layout, order=order))
        found = await asyncio.to_thread(run_all, alone.layout, samples=SAMPLES, order=order)
        return alone.differences(found)

    async def call_all(repeat: int) -> list[list[str]]:
        return await asyncio.gather(*(call(repeat, caller) for caller in range(callers)))

    return Tally(
        fault=f"{callers} tasks of one event loop evaluate at once",
        claim="each result equals that of a sequential run",
        tried=callers * repeats,
        broken=_broken(asyncio.run(call_all(repeat)) for repeat in range(repeats)),
    )


def shared_cassettes(root: Path, *, workers: int, repeats: int) -> Tally:
    """Record the same cassettes in several threads at the same time, while others replay them.

    Args:
        root: an empty folder.
        workers: number of threads; every other one records.
        repeats: number of repeats.
    """
    alone = Alone.prepare(root)

    def work(_repeat: int, worker: int) -> list[str]:
        record = bool(worker % 2)
        return alone.differences(run_all(alone.layout, record=record), record=record)

    def share(repeat: int) -> list[str]:
        lines = [line for found in at_once(work, repeat, workers) for line in found]
        left = (path for path in alone.layout.cassettes.rglob("*") if is_temporary(path))
        return [*lines, *alone.other_calls(alone.layout), *(f"{path.name}: left over" for path in left)]

    return Tally(
        fault=f"{workers} threads record and replay the same cassettes",
        claim="every replay reads a complete recording, and every cassette is written by one thread",
        tried=repeats,
        broken=_broken([share(repeat)] for repeat in range(repeats)),
    )


def xdist_workers(root: Path, *, counts: Sequence[int], repeats: int) -> Tally:
    """Run a project's tests with pytest-xdist in random orders, recording and replaying in turns.

    Args:
        root: an empty folder.
        counts: numbers of workers to try.
        repeats: number of repeats with each.

    Raises:
        ConfigurationError: pytest-xdist is not installed.
    """
    if importlib.util.find_spec("xdist") is None:
        raise ConfigurationError("pytest-xdist is not installed; to fix it: pip install pytest-xdist")
    alone = Alone.prepare(root)

    def run(repeat: int, count: int) -> list[str]:
        record = repeat % 2 == 0
        output = run_pytest(
            root,
            *("-p", RANDOM_ORDER, f"--order-seed={repeat}", f"-n{count}", f"--samples={SAMPLES}"),
            f"--record={'all' if record else 'none'}",
        )
        results = {(result.scenario, result.sample): as_json(result) for result in last_record(root).results}
        missing = [f"{key} was not run: {output}" for key in alone.replayed.keys() - results.keys()]
        lines = [*alone.differences(results, record=record), *missing, *alone.other_calls(alone.layout)]
        return [f"{count} workers: {line}" for line in lines]

    return Tally(
        fault=f"{', '.join(map(str, counts))} workers of pytest-xdist, in random orders",
        claim="record and cassettes equal those of sequential runs",
        tried=repeats * len(counts),
        broken=_broken([run(repeat, count) for count in counts] for repeat in range(repeats)),
    )


def at_once(work: Callable[[int, int], T], repeat: int, workers: int) -> list[T]:
    """Call a function in several threads that start together.

    Args:
        work: called with the numbers of the repeat and of the thread, from 0.
        repeat: number of the repeat.
        workers: number of threads.

    Returns:
        The results in the order of the threads.
    """
    start = threading.Barrier(workers)

    def started(worker: int) -> T:
        start.wait(_WAIT_S)
        return work(repeat, worker)

    with ThreadPoolExecutor(workers) as pool:
        return list(pool.map(started, range(workers)))


def _order(repeat: int, worker: int) -> random.Random:
    return random.Random(f"{repeat} {worker}")  # noqa: S311 - an order, not a secret


def _broken(repeats: Iterable[Sequence[Sequence[str]]]) -> tuple[str, ...]:
    # Only the first line of each worker, because a tally counts tries.
    return tuple(
        f"repeat {number}: {lines[0]}" for number, workers in enumerate(repeats) for lines in workers if lines
    )
