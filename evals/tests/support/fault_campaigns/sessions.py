"""Many pytest sessions from one process that has everything imported; each is a forked child."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Self

_TIMEOUT_S = 600
_PARENT = """
import gc
import json
import os
import sys

import pytest

from fault_campaigns.imports import import_for_sessions
from redpen_evals.reports import templating

import_for_sessions()
# Compiling the templates takes as long as a small session.
for template in templating.environment().list_templates(extensions="html"):
    templating.environment().get_template(template)
# A garbage collection of a child would touch, and so copy, all of what it shares with this process.
gc.freeze()
gc.set_threshold(50_000)

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND

for line in sys.stdin:
    session = json.loads(line)
    child = os.fork()
    if not child:
        for number, name in ((1, "output"), (2, "errors")):
            os.dup2(os.open(session[name], _FLAGS), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.chdir(session["folder"])
        # As for `python -m pytest`.
        sys.path.insert(0, os.getcwd())
        os.environ.update(session["environ"])
        code = pytest.main(session["arguments"])
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(int(code))
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    print(code, flush=True)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One pytest session.

    Attributes:
        folder: where it starts.
        arguments: of the command line.
        output: a file for what it prints.
        errors: a file for its standard error, which may be the same.
        environ: additional environment variables.
    """

    folder: str
    arguments: Sequence[str]
    output: str
    errors: str
    environ: Mapping[str, str] = field(default_factory=dict)


class SessionProcess:
    """A process that has everything imported, and forks a child for each session.

    Args:
        environ: its environment, which is set before the packages are imported.
    """

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - our own interpreter
            [sys.executable, "-c", _PARENT],
            env=dict(environ),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        # It ends at the end of its input.
        self._process.communicate()

    def run(self, session: Session) -> int:
        """Run a session and return its exit code, negative if a signal ended it; raises RuntimeError."""
        to_process, from_process = self._process.stdin, self._process.stdout
        if to_process is None or from_process is None:
            raise RuntimeError("the process of the sessions has no pipes")
        to_process.write(json.dumps(asdict(session)) + "\n")
        to_process.flush()
        too_late = threading.Timer(_TIMEOUT_S, self._process.kill)
        too_late.start()
        answer = from_process.readline()
        too_late.cancel()
        if not answer:
            raise RuntimeError("the process of the sessions has ended")
        return int(answer)


def environment(sources: Sequence[Path]) -> dict[str, str]:
    """Return an environment without keys and settings, in which Redpen is imported from folders."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PYTEST_"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, sources))}
