"""Threads that reach for a network at once: each is stopped, or let through, by its own run's guard."""

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
    """Let threads reach for a server of this machine at once, half of them under a guard of their run.

    Args:
        _root: a folder, as every campaign is given; nothing is written.
        workers: threads, at most 250; every other one is let through.
        repeats: how often.
    """
    with closing(socket.create_server((_HOST, 0), backlog=workers * repeats)) as server:
        port: int = server.getsockname()[1]

        def work(_repeat: int, worker: int) -> str:
            return _reach(port) if worker % 2 else _reach_in_vain(port, f"127.0.{worker + 1}.1")

        found = [at_once(work, repeat, workers) for repeat in range(repeats)]
    return Tally(
        fault=f"{workers} threads reach for a network, half of them in runs that may not",
        claim="those are stopped, whatever thread they start, and see no attempt of another run",
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


def _reach_in_vain(port: int, own: str) -> str:
    """Try from the run's own thread, from one that belongs to it, and from one that belongs to nobody."""
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
            threading.Thread(target=attempt, args=("a thread of nobody", _HOST)),
        ):
            thread.start()
            thread.join()
    # What belongs to nobody is held against every run, so only the addresses tell whose attempt it was.
    targets = [attempt.target for attempt in guard.attempts]
    strange = [target for target in targets if not target.startswith((own, _HOST))]
    if passed:
        return f"let through: {', '.join(passed)}"
    if strange:
        return f"told of another run's attempts: {', '.join(strange)}"
    return "" if targets.count(own) == 2 else f"told of {targets.count(own)} of its 2 attempts"
