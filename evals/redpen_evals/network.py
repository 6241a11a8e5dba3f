"""A guard that lets nothing reach a network while it is active."""

from __future__ import annotations

import _socket
import ipaddress
import os
import socket
import sys
import threading
import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Self, TypeVar

from redpen.errors import RedpenError
from redpen_evals.forks import ForkReports

T = TypeVar("T")

_RESOLVING: Final = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}
)
_SENDING: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_BINDING: Final = "socket.bind"
_MAKING: Final = "socket.__new__"
_GUARDED: Final = _RESOLVING | _SENDING | {_BINDING, _MAKING}
_INTERNET: Final = frozenset({socket.AF_INET, socket.AF_INET6})
_LOCAL: Final = frozenset(
    getattr(socket, name) for name in ("AF_UNIX", "AF_NETLINK", "AF_ALG") if hasattr(socket, name)
)
"""Families that reach nothing outside of this machine's kernel."""
_UNSAID: Final = -1
"""Family of a socket that is made of an open descriptor, which is asked for it."""

# The runs that the code at hand works for, the outermost first. A context variable, so that tasks of one
# thread are told apart, and so that a thread that is given its maker's context belongs to the same run.
_RUNS: ContextVar[tuple[object, ...]] = ContextVar("redpen_network_runs", default=())
_TRUSTED: ContextVar[bool] = ContextVar("redpen_network_trusted", default=False)
"""Set while something is reached that the user has named: a host to be let through, a store of events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One attempt that was blocked: Python's name of the event, the address asked for, the thread.

    ``process`` is the number of the process where that is a fork of this one, else 0.
    """

    event: str
    target: str
    thread: str
    process: int = 0


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
    Guards nest; an attempt has to pass all of them. UNIX sockets are let through, other families than
    those of the internet are refused when they are made (packets, virtual machines). What a fork of this
    process tries is blocked and told as well. Out of its reach are other subprocesses, libraries that open
    sockets in their own C code, and data sent over a connection that was open before.

    Args:
        allow_loopback: let 127.0.0.0/8, ::1 and `localhost` through, for a server in this process.
        one_run: leave alone what another run of this process does, which has a guard of its own or is
            marked by `reaching_out`; what cannot be told to be of any run is blocked all the same.
        allow: hosts that are let through, ``name`` or ``name:port``, by their names and addresses.
        of_session: leave to the guards of runs what belongs to a run; stands for the time between runs. What
            a run has left behind may not even reach loopback.

    Attributes:
        allowed: names and addresses that are let through.
        is_open: whether everything is let through for now.
    """

    def __init__(
        self,
        *,
        allow_loopback: bool = False,
        one_run: bool = False,
        allow: Iterable[str] = (),
        of_session: bool = False,
    ) -> None:
        """Make a guard that is not active yet."""
        self.allow_loopback = allow_loopback
        self.allowed = _allowed_hosts(allow)
        self.is_open = False
        self.one_run = one_run
        self.of_session = of_session
        self._attempts: list[Attempt] = []
        self._forks = ForkReports()
        self._started: weakref.WeakSet[Any] = weakref.WeakSet()

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """What was blocked so far, whatever the caller made of the exception."""
        self._attempts += (Attempt(**report) for report in self._forks.read())
        return tuple(self._attempts)

    def allow(self, hosts: Iterable[str]) -> None:
        """Let further hosts through."""
        self.allowed |= _allowed_hosts(hosts)

    def started(self, source: Any) -> None:
        """Note a socket that the run binds: what listens there is a part of the run."""
        if self.one_run:
            self._started.add(source)

    def has_started(self, host: str | None, port: int | None) -> bool:
        """Whether a local address is one that the run itself listens at; no port means any."""
        return is_loopback(host) and any(port in (None, bound) for bound in map(_port_of, self._started))

    def __enter__(self) -> Self:
        """Start to block."""
        self._forks.open()
        _AUDIT.activate(self)
        _RUNS.set((*_RUNS.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        """Stop to block."""
        _RUNS.set(_without(_RUNS.get(), self))
        _AUDIT.deactivate(self)
        self._attempts += (Attempt(**report) for report in self._forks.read())

    def allows(self, host: str | None) -> bool:
        """Tell whether a host was named to be let through."""
        return self.is_open or (host is not None and host.lower() in self.allowed)

    def blocks(self, host: str | None) -> bool:
        """Tell whether an attempt to reach a host is stopped; None is no host in particular."""
        return not (self.allows(host) or (self.allow_loopback and is_loopback(host)))

    def log(self, attempt: Attempt) -> None:
        """Keep a blocked attempt; that of a fork is told to the process where the guard was made."""
        if self._forks.is_fork:
            report = {"event": attempt.event, "target": attempt.target, "thread": attempt.thread}
            self._forks.send({**report, "process": os.getpid()})
        else:
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


@contextmanager
def trusted() -> Iterator[None]:
    """Let through whatever is done inside, for places that the user has named himself."""
    token = _TRUSTED.set(True)
    try:
        yield
    finally:
        _TRUSTED.reset(token)


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
        with trusted(), suppress(OSError):
            found |= {str(info[4][0]) for info in socket.getaddrinfo(host, None)}
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

    def _hook(self, event: str, args: tuple[Any, ...], guarded: frozenset[str] = _GUARDED) -> None:
        # Nearly all events are others: Python tells of each call of `id` and each file that is opened, the
        # last of them when it has emptied this module at its end, where a parameter is still there.
        if event not in guarded or not (active := self._active):
            return
        asked = _asked(event, args)
        if asked is None or _TRUSTED.get():
            return
        blocking = [
            guard
            for guard in self._concerned(active)
            if guard.blocks(asked.host) and not guard.has_started(asked.host, asked.port)
        ]
        blocking = blocking or self._left_behind(active, asked)
        if blocking:
            attempt = Attempt(event=event, target=asked.target, thread=threading.current_thread().name)
            for guard in blocking:
                guard.log(attempt)
            raise NetworkBlocked(attempt)

    def _concerned(self, active: tuple[NetworkGuard, ...]) -> list[NetworkGuard]:
        runs, guards = _RUNS.get(), list(dict.fromkeys(active))
        # A thread that outlives its run belongs to none, and nobody lets it through.
        if not any(run in runs for run in (*(guard for guard in guards if guard.one_run), *self._marked)):
            # Where a run is under way its guards tell; between runs that of the session does.
            return (
                [guard for guard in guards if not guard.of_session]
                if any(guard.one_run for guard in guards)
                else guards
            )
        in_run = any(guard.one_run and guard in runs for guard in guards)
        return [
            guard
            for guard in guards
            if (not guard.one_run or guard in runs) and not (guard.of_session and in_run)
        ]

    def _left_behind(self, active: tuple[NetworkGuard, ...], asked: _Asked) -> list[NetworkGuard]:
        """Return the guards of the session, where a run that is over reaches for more than it started."""
        ended = [run for run in _RUNS.get() if isinstance(run, NetworkGuard) and run not in active]
        if not any(
            run.one_run and run.blocks(asked.host) and not run.has_started(asked.host, asked.port)
            for run in ended
        ):
            return []
        return [guard for guard in active if guard.of_session and not guard.allows(asked.host)]


def _without(items: tuple[T, ...], last: object) -> tuple[T, ...]:
    """Return the items without the last one that is this very object."""
    at = max((at for at, item in enumerate(items) if item is last), default=len(items))
    return (*items[:at], *items[at + 1 :])


class _Asked(NamedTuple):
    """What is reached for: a host and a port where they are known, and both in words."""

    host: str | None
    port: int | None
    target: str


def _asked(event: str, args: tuple[Any, ...]) -> _Asked | None:
    """Return what an audit event reaches for; None where it reaches for nothing outside."""
    if event in _RESOLVING:
        host, target = _name(event, args)
        return _Asked(host, None, target) if host else None
    family = args[1] if event == _MAKING else _family_of(args[0])
    if family in _LOCAL or family == _UNSAID:
        return None
    if family not in _INTERNET:
        return _Asked(None, None, f"a socket of {_family_name(family)}")
    if event in _SENDING:
        return _Asked(*_destination(args[0], args[1]))
    if event == _BINDING:
        for run in _RUNS.get():
            if isinstance(run, NetworkGuard):
                run.started(args[0])
    return None


def _family_of(source: Any) -> int:
    """Return the family that the system knows, whatever a subclass says of itself."""
    return int(_socket.socket.family.__get__(source))


def _family_name(family: int) -> str:
    try:
        return socket.AddressFamily(family).name
    except ValueError:
        return f"family {family}"


def _port_in(address: object) -> int | None:
    known = isinstance(address, tuple) and len(address) > 1 and isinstance(address[1], int)
    return address[1] if known else None  # type: ignore[index]


def _port_of(source: Any) -> int | None:
    try:
        return _port_in(_socket.socket.getsockname(source)) or 0
    except OSError:
        return 0


def _destination(source: socket.socket, address: object) -> tuple[str | None, int | None, str]:
    if address is None:
        try:
            address = source.getpeername()
        except OSError:
            return None, None, "(no address)"
    if isinstance(address, tuple) and address:
        host, port = _as_text(address[0]), _port_in(address)
        return host, port, f"{host}:{address[1]}" if len(address) > 1 else host
    return None, None, repr(address)


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
