"""A guard that blocks access to networks while it is active."""

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
_CREATING: Final = "socket.__new__"
_GUARDED: Final = _RESOLVING | _SENDING | {_BINDING, _CREATING}
_INTERNET: Final = frozenset({socket.AF_INET, socket.AF_INET6})
_LOCAL: Final = frozenset(
    getattr(socket, name) for name in ("AF_UNIX", "AF_NETLINK", "AF_ALG") if hasattr(socket, name)
)
"""Families that reach nothing outside of this machine's kernel."""
_UNSPECIFIED: Final = -1
"""Family of a socket that is made of an open descriptor, which has one already."""

# The runs that the current code belongs to, the outermost first. A context variable tells tasks of one thread
# apart, and a thread that is given its creator's context belongs to the same run.
_RUNS: ContextVar[tuple[object, ...]] = ContextVar("redpen_network_runs", default=())
_TRUSTED: ContextVar[bool] = ContextVar("redpen_network_trusted", default=False)
"""Set during access to what the user has named: an allowed host, a store of events."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One blocked attempt: Python's name of the event, the requested address, the thread.

    ``process`` is the id of the process if that is a fork of this one, else 0.
    """

    event: str
    target: str
    thread: str
    process: int = 0


class NetworkBlocked(RedpenError):  # noqa: N818 - names what happened, as a stop reason does
    """Raised where code tries to connect or to resolve a name; the attempt is logged as well."""

    def __init__(self, attempt: Attempt) -> None:
        """Keep the attempt."""
        self.attempt = attempt
        super().__init__(f"the network is blocked here: {attempt.event} to {attempt.target}")


class NetworkGuard:
    """Blocks every connection, datagram and name resolution over IPv4 and IPv6 in this process.

    Use it as a context manager. It listens to Python's audit events, so it covers every thread and every
    library that uses Python's sockets, and code that keeps its own reference to a socket function.
    Guards nest; an attempt has to pass all of them. UNIX sockets are allowed; sockets of families other than
    those of the internet are refused when they are created (packets, virtual machines). Attempts of a fork of
    this process are blocked and reported as well. Not covered are other subprocesses, libraries that open
    sockets in their own C code, and data sent over a connection that was open before.

    Args:
        allow_loopback: allow 127.0.0.0/8, ::1 and `localhost`, for a server in this process.
        one_run: ignore other runs of this process, which have guards of their own or are marked by
            `reaching_out`; attempts that belong to no known run are blocked.
        allow: allowed hosts, ``name`` or ``name:port``, by their names and addresses.
        of_session: ignore what belongs to an active run, which has its own guard. What outlives its run may
            not even reach loopback.

    Attributes:
        allowed: names and addresses that are allowed.
        is_open: whether every host is allowed for now.
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
        """The attempts blocked so far, including those whose exception was caught."""
        self._attempts += (Attempt(**report) for report in self._forks.read())
        return tuple(self._attempts)

    def allow(self, hosts: Iterable[str]) -> None:
        """Allow further hosts."""
        self.allowed |= _allowed_hosts(hosts)

    def started(self, source: Any) -> None:
        """Register a socket that the run binds: what listens there is part of the run."""
        if self.one_run:
            self._started.add(source)

    def __enter__(self) -> Self:
        """Activate the guard."""
        self._forks.open()
        _AUDIT.activate(self)
        _RUNS.set((*_RUNS.get(), self))
        return self

    def __exit__(self, *_: object) -> None:
        """Deactivate the guard."""
        _RUNS.set(_without(_RUNS.get(), self))
        _AUDIT.deactivate(self)
        self._attempts += (Attempt(**report) for report in self._forks.read())

    def allows(self, host: str | None) -> bool:
        """Return whether a host was explicitly allowed."""
        return self.is_open or (host is not None and host.lower() in self.allowed)

    def blocks(self, host: str | None, port: int | None) -> bool:
        """Return whether an attempt to reach a host is blocked; None is no host in particular, or any port.

        A run may reach the local addresses at which it listens itself.
        """
        if self.allows(host):
            return False
        if not is_loopback(host):
            return True
        started = any(port in (None, bound) for bound in map(_port_of, self._started))
        return not (self.allow_loopback or started)

    def log(self, attempt: Attempt) -> None:
        """Log a blocked attempt; a fork sends it to the process that created the guard."""
        if self._forks.is_fork:
            report = {"event": attempt.event, "target": attempt.target, "thread": attempt.thread}
            self._forks.send({**report, "process": os.getpid()})
        else:
            self._attempts.append(attempt)


@contextmanager
def reaching_out() -> Iterator[None]:
    """Mark the code inside as a run that may reach a network, such as a recording.

    Guards of other runs ignore it; those around it, and those of the whole process, do not.
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
    """Allow everything inside, for access to places that the user has named."""
    token = _TRUSTED.set(True)
    try:
        yield
    finally:
        _TRUSTED.reset(token)


def is_loopback(host: str | None) -> bool:
    """Return whether a host name or address is this machine's own by its form, without resolving it."""
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
    hosts = set()
    for entry in allow:
        name, colon, port = entry.lower().rpartition(":")
        host = name.strip("[]") if colon and port.isdigit() else entry.lower().strip("[]")
        hosts.add(host)
        # Connections are made to the resolved addresses.
        with trusted(), suppress(OSError):
            hosts |= {str(info[4][0]) for info in socket.getaddrinfo(host, None)}
    return frozenset(hosts)


class _AuditHook:
    # Python cannot remove an audit hook, so a process installs one at the first use, and guards are added to
    # it and removed.
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
        # Nearly all events are others, such as calls of `id` and opened files. At exit, events arrive after
        # Python has cleared this module; the default of a parameter survives that.
        if event not in guarded or not (active := self._active):
            return
        request = _request(event, args)
        if request is None or _TRUSTED.get():
            return
        responsible = self._responsible(active)
        blocking = [guard for guard in responsible if guard.blocks(request.host, request.port)]
        blocking = blocking or self._blocking_ended_runs(active, request)
        if blocking:
            attempt = Attempt(event=event, target=request.target, thread=threading.current_thread().name)
            for guard in blocking:
                guard.log(attempt)
            raise NetworkBlocked(attempt)

    def _responsible(self, active: tuple[NetworkGuard, ...]) -> list[NetworkGuard]:
        runs, guards = _RUNS.get(), list(dict.fromkeys(active))
        # A thread that outlives its run belongs to none, so no run's guard exempts it.
        if not any(run in runs for run in (*(guard for guard in guards if guard.one_run), *self._marked)):
            # During a run its guards decide; between runs that of the session does.
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

    def _blocking_ended_runs(self, active: tuple[NetworkGuard, ...], request: _Request) -> list[NetworkGuard]:
        """Return the guards of the session, where an ended run reaches for more than it started."""
        ended = [run for run in _RUNS.get() if isinstance(run, NetworkGuard) and run not in active]
        if not any(run.one_run and run.blocks(request.host, request.port) for run in ended):
            return []
        return [guard for guard in active if guard.of_session and not guard.allows(request.host)]


def _without(items: tuple[T, ...], last: object) -> tuple[T, ...]:
    """Return the items without the last occurrence of an object, by identity."""
    at = max((at for at, item in enumerate(items) if item is last), default=len(items))
    return (*items[:at], *items[at + 1 :])


class _Request(NamedTuple):
    """The requested host and port, where they are known, and both as text for messages."""

    host: str | None
    port: int | None
    target: str


def _request(event: str, args: tuple[Any, ...]) -> _Request | None:
    """Return what an audit event requests; None where it requests nothing outside."""
    if event in _RESOLVING:
        host, target = _name(event, args)
        return _Request(host, None, target) if host else None
    family = args[1] if event == _CREATING else _family_of(args[0])
    if family in _LOCAL or family == _UNSPECIFIED:
        return None
    if family not in _INTERNET:
        return _Request(None, None, f"a socket of {_family_name(family)}")
    if event in _SENDING:
        return _Request(*_destination(args[0], args[1]))
    if event == _BINDING:
        for run in _RUNS.get():
            if isinstance(run, NetworkGuard):
                run.started(args[0])
    return None


def _family_of(source: Any) -> int:
    """Return the family that the system knows, even if a subclass overrides it."""
    return int(_socket.socket.family.__get__(source))


def _family_name(family: int) -> str:
    try:
        return socket.AddressFamily(family).name
    except ValueError:
        return f"family {family}"


def _port_in(address: object) -> int | None:
    has_port = isinstance(address, tuple) and len(address) > 1 and isinstance(address[1], int)
    return address[1] if has_port else None  # type: ignore[index]


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
    name = args[0]
    if event == "socket.getnameinfo" and isinstance(name, tuple) and name:
        name = name[0]
    host = "" if name is None else _as_text(name)
    return host, host


def _as_text(host: object) -> str:
    return host.decode("utf-8", "replace") if isinstance(host, (bytes, bytearray)) else str(host)


_AUDIT: Final = _AuditHook()
