"""Identifies the process that resumes a run, even if its process id is reused later."""

from __future__ import annotations

import os
import socket
import sys
import uuid
from pathlib import Path
from typing import Final

_START_FIELD: Final = 19


def new_owner() -> str:
    """Return an id for one attempt of this process to resume a run: ``machine/process/start/attempt``."""
    process = os.getpid()
    return f"{_machine()}/{process}/{_started(process)}/{uuid.uuid4().hex[:8]}"


def is_alive(owner: str) -> bool | None:
    """Return whether the process of an owner is still running; None if that is unknown on this machine."""
    machine, _, rest = owner.rpartition("/")[0].partition("/")
    process, _, started = rest.partition("/")
    if machine != _machine() or not process.isdecimal():
        return None
    if started:
        return _started(int(process)) == started
    if sys.platform == "win32":
        # On Windows, `os.kill(pid, 0)` would end the process.
        return None
    try:
        os.kill(int(process), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return None
    return True


def _machine() -> str:
    """Return an id of this machine, or of this container, whose process ids are unique."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        # Containers share the kernel, but each has its own process ids.
        space = Path("/proc/self/ns/pid").readlink().name
    except OSError:
        return socket.gethostname().replace("/", "-")
    return f"{boot}-{space}".replace("/", "-")


def _started(process: int) -> str:
    """Return the start time of a process, in ticks since boot; empty if it cannot be read."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The program name is in parentheses, and may contain spaces and parentheses.
    fields = stat.rpartition(")")[2].split()
    if fields and fields[0] in {"Z", "X"}:
        return ""
    return fields[_START_FIELD] if len(fields) > _START_FIELD else ""
