"""A guard that lets nothing reach a network while it is active."""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, Self, TypeVar

from redpen.errors import RedpenError

T = TypeVar("T")

_RESOLVING: Final = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}
)
_SENDING: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_GUARDED: Final = _RESOLVING | _SENDING
_INTERNET: Final = frozenset({socket.AF_INET, socket.AF_INET6})

# The runs that the code at hand works for, the outermost first. A context variable, so that tasks of one
# thread are told apart, and so that a thread that is given its maker's context belongs to the same run.
_RUNS: ContextVar[tuple[object, ...]] = ContextVar("redpen_network_runs", default=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt that was blocked: Python's name of the event, the address asked for, the thread."""

    event: str
    target: str
    thread: str


class NetworkBlocked(RedpenError):  # noqa: N818 - names what happened, as a stop reason does
    """Raised where code tried to connect or to resolve a name; the attempt is logged all the same."""

    def __init__(self, attempt: Attempt) -> None:
        """Keep the attempt and name it."""
        self.attempt = attempt
        super().__init__(f"the network is blocked here: {attempt.event} to {attempt.target}")


class NetworkGuard:
    """Blocks every connection, datagram and name resolution over IPv4 and IPv6 in this process.

    Use it as a context manager. It works at Python's audit events, so it covers every thread and every
    library that uses Python's sockets, and code that keeps its own reference to a socket function.
    Guards nest; an attempt has to pass all of them. UNIX sockets are let through. Out of its reach are
    subprocesses, libraries that open sockets in their own C code, and data sent over a connection that
    was open before.

    Args:
        allow_loopback: let 127.0.0.0/8, ::1 and `localhost` through, for a server in this process.
        one_run: leave alone what another run of this process does, which has a guard of its own or is
            marked by `reaching_out`; what cannot be told to be of any run is blocked all the same.
        allow: hosts that are let through, ``name`` or ``name:port``, by their names and addresses.
    """

    def __init__(
        self, *, allow_loopback: bool = False, one_run: bool = False, allow: Iterable[str] = ()
    ) -> None:
        """Make a guard that is not active yet."""
        self.allow_loopback = allow_loopback
        self._allowed = _allowed_hosts(allow)
        self.one_run = one_run
        self._attempts: list[Attempt] = []

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """What was blocked so far, whatever the caller made of the exception."""
        return tuple(self._attempts)

    def __enter__(self) -> Self:
        """Start to block."""
        _AUDIT.activate(self)
        _RUNS.set((*_RUNS.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        """Stop to block."""
        _RUNS.set(_without(_RUNS.get(), self))
        _AUDIT.deactivate(self)

    def blocks(self, host: str | None) -> bool:
        """Tell whether an attempt to reach a host is stopped; None is no host in particular."""
        if host is not None and host.lower() in self._allowed:
            return False
        return not (self.allow_loopback and is_loopback(host))

    def log(self, attempt: Attempt) -> None:
        """Keep a blocked attempt."""
        self._attempts.append(attempt)


@contextmanager
def reaching_out() -> Iterator[None]:
    """Mark what is done inside as a run that may reach a network, such as a recording.

    Guards of other runs leave it alone; those around it, and those of the whole process, do not.
    """
    run = object()
    _AUDIT.mark(run)
    _RUNS.set((*_RUNS.get(), run))
    try:
        yield
    finally:
        _RUNS.set(_without(_RUNS.get(), run))
        _AUDIT.unmark(run)


def is_loopback(host: str | None) -> bool:
    """Tell whether a host name or address is this machine's own by its form, without resolving it."""
    if host is None:
        return False
    name = host.lower().rstrip(".")
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return bool((mapped or address).is_loopback)


def _allowed_hosts(allow: Iterable[str]) -> frozenset[str]:
    found = set()
    for entry in allow:
        name, colon, port = entry.lower().rpartition(":")
        host = name.strip("[]") if colon and port.isdigit() else entry.lower().strip("[]")
        found.add(host)
        # A connection is made to the address, once the name is resolved.
        try:
            found |= {str(info[4][0]) for info in socket.getaddrinfo(host, None)}
        except OSError:
            continue
    return frozenset(found)


class _AuditHook:
    # Python cannot remove an audit hook, so there is one a process, installed at the first use, and the
    # guards that are active come and go.
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._active: tuple[NetworkGuard, ...] = ()
        self._marked: tuple[object, ...] = ()
        self._installed = False

    def activate(self, guard: NetworkGuard) -> None:
        with self._lock:
            if not self._installed:
                sys.addaudithook(self._hook)
                self._installed = True
            self._active = (*self._active, guard)

    def deactivate(self, guard: NetworkGuard) -> None:
        with self._lock:
            self._active = _without(self._active, guard)

    def mark(self, run: object) -> None:
        with self._lock:
            self._marked = (*self._marked, run)

    def unmark(self, run: object) -> None:
        with self._lock:
            self._marked = _without(self._marked, run)

    def _hook(self, event: str, args: tuple[Any, ...]) -> None:
        active = self._active
        if not active or event not in _GUARDED:
            return
        if event in _SENDING:
            if args[0].family not in _INTERNET:
                return
            host, target = _destination(args[0], args[1])
        else:
            host, target = _name(event, args)
            if not host:
                return
        blocking = [guard for guard in self._concerned(active) if guard.blocks(host)]
        if blocking:
            attempt = Attempt(event=event, target=target, thread=threading.current_thread().name)
            for guard in blocking:
                guard.log(attempt)
            raise NetworkBlocked(attempt)

    def _concerned(self, active: tuple[NetworkGuard, ...]) -> list[NetworkGuard]:
        runs, guards = _RUNS.get(), list(dict.fromkeys(active))
        # A thread that outlives its run belongs to none, and nobody lets it through.
        if not any(run in runs for run in (*(guard for guard in guards if guard.one_run), *self._marked)):
            return guards
        return [guard for guard in guards if not guard.one_run or guard in runs]


def _without(items: tuple[T, ...], last: object) -> tuple[T, ...]:
    """Return the items without the last one that is this very object."""
    at = max((at for at, item in enumerate(items) if item is last), default=len(items))
    return (*items[:at], *items[at + 1 :])


def _destination(source: socket.socket, address: object) -> tuple[str | None, str]:
    if address is None:
        try:
            address = source.getpeername()
        except OSError:
            return None, "(no address)"
    if isinstance(address, tuple) and address:
        host = _as_text(address[0])
        return host, f"{host}:{address[1]}" if len(address) > 1 else host
    return None, repr(address)


def _name(event: str, args: tuple[Any, ...]) -> tuple[str, str]:
    # A passive lookup without a host only asks for this machine's own addresses.
    asked = args[0]
    if event == "socket.getnameinfo" and isinstance(asked, tuple) and asked:
        asked = asked[0]
    host = "" if asked is None else _as_text(asked)
    return host, host


def _as_text(host: object) -> str:
    return host.decode("utf-8", "replace") if isinstance(host, (bytes, bytearray)) else str(host)


_AUDIT: Final = _AuditHook()
