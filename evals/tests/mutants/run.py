"""Apply every mutant in a copy of the checkout and run its tests; at least one has to fail.

``python evals/tests/mutants/run.py [--only NAME]`` prints a line per mutant, then the survivors.
The exit code is 1 where there are any, 2 where the tests fail without a mutant.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutants import ROOT, Mutant, read_mutants

_TIMEOUT_S = 900
_FAILED = re.compile(r"^(?:FAILED|ERROR) (\S+)", re.MULTILINE)
_COPIED = ("agents", "evals", "scenarios", "cassettes")


def main() -> int:
    """Run the script; returns its exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", metavar="NAME", action="append", help="only this mutant (repeatable)")
    parser.add_argument("--trust", action="store_true", help="do not run the tests without a mutant first")
    parser.add_argument("--part", metavar="I/N", default="1/1", help="every N-th mutant, from the I-th on")
    asked = parser.parse_args()
    first, step = map(int, asked.part.split("/"))
    mutants = [mutant for mutant in read_mutants() if not asked.only or mutant.name in asked.only][
        first - 1 :: step
    ]
    if not mutants:
        parser.error(f"there is no mutant {asked.only}")
    with tempfile.TemporaryDirectory(prefix="redpen-mutants-") as folder:
        copy = Path(folder) / "checkout"
        copy_checkout(copy)
        if not asked.trust:
            tests = list(dict.fromkeys(test for mutant in mutants for test in mutant.tests))
            if found := failing(copy, tests, first_only=False):
                _say(f"fail without a mutant: {', '.join(found)}")
                return 2
        survivors = [mutant.name for mutant in mutants if not _is_killed(copy, mutant)]
    _say(f"{len(mutants) - len(survivors)} of {len(mutants)} mutants are found by their tests")
    for name in survivors:
        _say(f"survives: {name}")
    return 1 if survivors else 0


def copy_checkout(copy: Path) -> None:
    """Copy the files of the checkout that the tests need, including uncommitted changes."""
    copy.mkdir()
    for name in _COPIED:
        ignored = shutil.ignore_patterns("__pycache__", ".*", "node_modules")
        shutil.copytree(ROOT / name, copy / name, ignore=ignored)
    for path in ROOT.iterdir():
        if path.is_file():
            shutil.copy2(path, copy / path.name)


def failing(copy: Path, tests: list[str], *, first_only: bool = True) -> list[str]:
    """Return the tests that fail in a copy, or ``timeout`` if they do not end."""
    # Set before the installed packages, so that subprocesses run the copy's code too.
    paths = os.pathsep.join(str(copy / root) for root in ("agents", "evals"))
    environment = {**os.environ, "PYTHONPATH": paths, "PYTHONDONTWRITEBYTECODE": "1"}
    options = ["-x"] if first_only else []
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *tests]
    try:
        done = subprocess.run(  # noqa: S603 - pytest, with tests of this project
            command,
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ["timeout"]
    found = _FAILED.findall(done.stdout)
    return found or ([f"exit code {done.returncode}"] if done.returncode else [])


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _is_killed(copy: Path, mutant: Mutant) -> bool:
    path, text = mutant.apply(copy)
    began = time.monotonic()
    try:
        for test in mutant.tests:
            # One after the other, the most specific first, as it kills most mutants.
            if found := failing(copy, [test]):
                _say(f"{mutant.name}: {found[0]} ({time.monotonic() - began:.0f} s)")
                return True
    finally:
        path.write_text(text, encoding="utf-8")
    _say(f"{mutant.name}: SURVIVES {', '.join(mutant.tests)}")
    return False


if __name__ == "__main__":
    sys.exit(main())
