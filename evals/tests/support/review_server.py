"""The review page as people start it: `redpen review serve`, in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import contextmanager


@contextmanager
def serve_reviews(address, folder, *options):
    """Give the address of a page on a queue, in a folder."""
    command = [sys.executable, "-m", "redpen_evals", "review", "serve", "--port", "0", "--queue", address]
    process = subprocess.Popen(  # noqa: S603 - our own command
        [*command, *options],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    try:
        line = process.stdout.readline()
        url = line.rpartition(" ")[2].strip()
        assert url.startswith("http://127.0.0.1:"), line + process.stderr.read()
        yield url
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
