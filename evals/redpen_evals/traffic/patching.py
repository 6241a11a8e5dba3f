"""What stands in the place of HTTP libraries' functions while runs are active, for the whole process.

vcrpy knows where each library sends its requests; one patch of its making hands every request to the router,
which finds the run that it belongs to. Nothing is patched while no run is active.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, Final

from redpen_evals.traffic.dispatch import Place
from redpen_evals.traffic.in_aiohttp import aiohttp_places
from redpen_evals.traffic.in_http_client import http_client_places
from redpen_evals.traffic.in_httpx import httpx_places
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.threads import run_threads_alive, thread_places


class TrafficPatch:
    """The patch of this process: put in place with the first run, taken away after the last."""

    def __init__(self) -> None:
        """Start without it."""
        self._lock = threading.Lock()
        self._users = 0
        self._places: list[Place] | None = None
        self._removers: list[Any] = []
        self._before: list[tuple[Any, str, Any, bool]] = []

    @property
    def in_place(self) -> bool:
        """Whether the libraries are patched now."""
        return bool(self._before)

    def __enter__(self) -> None:
        """Put it in place, unless it is."""
        with self._lock:
            self._users += 1
            if not self._before:
                self._install()

    def __exit__(self, *_: object) -> None:
        """Take it away with the last run, unless threads of runs, or telemetry, may still send something."""
        with self._lock:
            self._users -= 1
            if not self._users and not ROUTER.seen_telemetry and not run_threads_alive():
                self._uninstall()

    def _install(self) -> None:
        if self._places is None:
            self._places = list(self._build())
        for owner, name, value in self._places:
            own = name in vars(owner)
            self._before.append((owner, name, vars(owner)[name] if own else None, own))
            setattr(owner, name, value)

    def _uninstall(self) -> None:
        for owner, name, value, own in reversed(self._before):
            if own:
                setattr(owner, name, value)
            else:
                delattr(owner, name)
        self._before.clear()
        for remover in self._removers:
            remover.__exit__(None, None, None)
            # It would hold each pool that ever was, and go through all of them after every run.
            remover._connection_pool_to_connections.clear()

    def _build(self) -> Iterator[Place]:
        yield from http_client_places(self._removers)
        yield from aiohttp_places()
        yield from httpx_places()
        yield from thread_places()


PATCH: Final = TrafficPatch()
"""The patch of this process."""
