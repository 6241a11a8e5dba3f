"""A guard that lets nothing reach a network while it is active."""

from __future__ import annotations

import ipaddress
import socket
import sys
import threading
from dataclasses import dataclass
from typing import Any, Final, Self

from redpen.errors import RedpenError

_RESOLVING: Final = frozenset(
    {"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"}
)
_SENDING: Final = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})
_GUARDED: Final = _RESOLVING | _SENDING
_INTERNET: Final = frozenset({socket.AF_INET, socket.AF_INET6})


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
    """

    def __init__(self, *, allow_loopback: bool = False) -> None:
        """Make a guard that is not active yet."""
        self.allow_loopback = allow_loopback
        self._attempts: list[Attempt] = []

    @property
    def attempts(self) -> tuple[Attempt, ...]:
        """What was blocked so far, whatever the caller made of the exception."""
        return tuple(self._attempts)

    def __enter__(self) -> Self:
        """Start to block."""
        _AUDIT.activate(self)
        return self

    def __exit__(self, *_: object) -> None:
        """Stop to block."""
        _AUDIT.deactivate(self)

    def blocks(self, host: str | None) -> bool:
        """Tell whether an attempt to reach a host is stopped; None is no host in particular."""
        return not (self.allow_loopback and is_loopback(host))

    def log(self, attempt: Attempt) -> None:
        """Keep a blocked attempt."""
        self._attempts.append(attempt)


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


class _AuditHook:
    # Python cannot remove an audit hook, so there is one a process, installed at the first use, and the
    # guards that are active come and go.
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._active: tuple[NetworkGuard, ...] = ()
        self._installed = False

    def activate(self, guard: NetworkGuard) -> None:
        with self._lock:
            if not self._installed:
                sys.addaudithook(self._hook)
                self._installed = True
            self._active = (*self._active, guard)

    def deactivate(self, guard: NetworkGuard) -> None:
        with self._lock:
            active = list(self._active)
            active.reverse()
            active.remove(guard)
            active.reverse()
            self._active = tuple(active)

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
        blocking = [guard for guard in dict.fromkeys(active) if guard.blocks(host)]
        if blocking:
            attempt = Attempt(event=event, target=target, thread=threading.current_thread().name)
            for guard in blocking:
                guard.log(attempt)
            raise NetworkBlocked(attempt)


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
