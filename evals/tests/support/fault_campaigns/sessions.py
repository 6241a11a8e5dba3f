"""Many pytest sessions out of one process that has everything imported: each is a forked child of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

_TIMEOUT_S = 600
_PARENT = """
import json
import os
import sys

import hypothesis
import openai
import pytest

import redpen_evals.evaluation
import redpen_evals.plugin
from redpen_evals.reports import document, markdown, page, templating

templating.environment().get_template("page.html")

for session in json.load(sys.stdin):
    sys.stdout.flush()
    child = os.fork()
    if not child:
        output = os.open(session["output"], os.O_WRONLY | os.O_CREAT)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(session["folder"])
        os.environ.update(session["environ"])
        code = pytest.main(session["arguments"])
        sys.stdout.flush()
        os._exit(int(code))
    os.waitpid(child, 0)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One pytest session.

    Attributes:
        folder: where it starts.
        arguments: of the command line.
        output: a file, which does not exist yet, for what it prints.
        environ: variables of its environment, in addition to those of all.
    """

    folder: str
    arguments: Sequence[str]
    output: str
    environ: Mapping[str, str] = field(default_factory=dict)


def run_sessions(sessions: Sequence[Session], *, environ: Mapping[str, str]) -> None:
    """Run sessions one after another.

    Args:
        sessions: which.
        environ: the environment that all share, which is there while the packages are imported.
    """
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", _PARENT],
        input=json.dumps([asdict(session) for session in sessions]).encode(),
        env=dict(environ),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=_TIMEOUT_S,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(done.stdout.decode("utf-8", "backslashreplace"))


def environment(sources: Sequence[Path]) -> dict[str, str]:
    """Return the environment of sessions that import Redpen from folders, and know no key and no setting."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PYTEST_"))}
    return {**kept, "PYTHONPATH": os.pathsep.join(map(str, sources))}
