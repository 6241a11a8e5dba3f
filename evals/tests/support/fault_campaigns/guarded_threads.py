"""Threads that connect at the same time: each is stopped, or let through, by the guard of its own run."""

from __future__ import annotations

import contextvars
import socket
import threading
from contextlib import closing
from pathlib import Path

from fault_campaigns.concurrency import at_once
from fault_campaigns.tally import Tally
from redpen_evals.network import NetworkBlocked, NetworkGuard, reaching_out

_WAIT_S = 60.0
_HOST = "127.0.0.1"


def guarded_threads(_root: Path, *, workers: int, repeats: int) -> Tally:
    """Connect to a local server in threads at the same time, half of them under a guard of their run.

    Args:
        _root: unused; every campaign gets a folder.
        workers: number of threads, at most 250; every other one is let through.
        repeats: number of repeats.
    """
    with closing(socket.create_server((_HOST, 0), backlog=workers * repeats)) as server:
        port: int = server.getsockname()[1]

        def work(_repeat: int, worker: int) -> str:
            return _reach(port) if worker % 2 else _try_under_guard(port, f"127.0.{worker + 1}.1")

        found = [at_once(work, repeat, workers) for repeat in range(repeats)]
    return Tally(
        fault=f"{workers} threads connect, half of them in runs that may not",
        claim="those are stopped, in any thread that they start, and see no attempt of another run",
        tried=workers * repeats,
        broken=tuple(
            f"repeat {repeat}: {line}" for repeat, lines in enumerate(found) for line in lines if line
        ),
    )


def _reach(port: int) -> str:
    with reaching_out():
        try:
            socket.create_connection((_HOST, port), timeout=_WAIT_S).close()
        except NetworkBlocked as blocked:
            return f"a run that may reach out was stopped: {blocked}"
    return ""


def _try_under_guard(port: int, own: str) -> str:
    """Try from the run's own thread, from one with its context, and from one without a run."""
    passed: list[str] = []

    def attempt(thread: str, host: str) -> None:
        try:
            socket.create_connection((host, port), timeout=_WAIT_S).close()
        except NetworkBlocked:
            return
        except OSError as error:
            passed.append(f"{thread}: {error}")
        else:
            passed.append(thread)

    with NetworkGuard(one_run=True) as guard:
        attempt("the run's thread", own)
        inside = contextvars.copy_context()
        for thread in (
            threading.Thread(target=inside.run, args=(attempt, "a thread of the run", own)),
            threading.Thread(target=attempt, args=("a thread without a run", _HOST)),
        ):
            thread.start()
            thread.join()
    # Attempts without a run are reported to every run, so only the addresses identify the run.
    targets = [attempt.target for attempt in guard.attempts]
    strange = [target for target in targets if not target.startswith((own, _HOST))]
    if passed:
        return f"let through: {', '.join(passed)}"
    if strange:
        return f"was shown attempts of another run: {', '.join(strange)}"
    return "" if targets.count(own) == 2 else f"was shown {targets.count(own)} of its 2 attempts"
