"""A killed or interrupted sweep ends its workers and can be resumed."""

from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

LIMIT_S = 60
GUARDS = """
import signal

def waits(*, original, revised, context):
    with open({pipe!r}, "w") as pipe:
        pipe.write("begun\\n")
        pipe.flush()
        signal.pause()
"""
# A background job of a shell script inherits that interrupts are ignored.
COMMAND = """
import signal
from redpen_evals.cli import main

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)
    main()
"""


@contextmanager
def waiting_sweep(folder, checkout, library):
    """Start a sweep whose two workers wait inside a guard; yield the process and the pipe they hold."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    (folder / "waiting_guards.py").write_text(GUARDS.format(pipe=str(pipe)))
    (folder / "command.py").write_text(COMMAND)
    path = folder / "rows.jsonl"
    rows = ({"id": number, "text": f"We look into case {number}.", "context": {}} for number in range(40))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    sources = [str(folder), str(checkout / "agents"), str(checkout / "evals")]
    args = ["sweep", str(path), "--guards", "waiting_guards:waits", "--workers", "2", "--shard-rows", "10"]
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, str(folder / "command.py"), "--scenarios", str(library.layout.scenarios), *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sources)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process, reader
        finally:
            os.close(reader)
            process.kill()


def read_until(reader, wanted):
    """Read from a pipe until a text appears, or for ``None`` until no process holds it open."""
    limit = time.monotonic() + LIMIT_S
    content = ""
    with selectors.DefaultSelector() as selector:
        selector.register(reader, selectors.EVENT_READ)
        while wanted is None or wanted not in content:
            assert selector.select(limit - time.monotonic()), f"{content!r} is all that came"
            part = os.read(reader, 4096).decode()
            if not part and wanted is None:
                return
            content += part


@pytest.mark.parametrize("stop", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_sweep_that_started_them(tmp_path, checkout, library, stop):
    with waiting_sweep(tmp_path, checkout, library) as (process, reader):
        read_until(reader, "begun\nbegun\n")
        process.send_signal(stop)
        process.communicate(timeout=LIMIT_S)
        read_until(reader, None)


def test_interrupted_sweep_ends_its_workers_and_names_resume(tmp_path, checkout, library):
    with waiting_sweep(tmp_path, checkout, library) as (process, reader):
        read_until(reader, "begun\nbegun\n")
        # Ctrl-C reaches all processes of a terminal.
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=LIMIT_S)
        assert process.returncode == 1
        assert "--resume" in errors
        assert "Traceback" not in errors
        read_until(reader, None)
