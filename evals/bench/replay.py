"""What replay costs, as ratios: `python evals/bench/replay.py`.

Every figure is a ratio of two measurements made in this very run, one right after the other, best of
three; absolute times are shown for orientation only.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
SOURCES = (CHECKOUT / "agents", CHECKOUT / "evals")
SCENARIO = "self-critique/bench"
TARGETS = {
    "cassette layer / in-memory transport": 1.15,
    "foreign client: dispatcher / in-memory transport": 1.25,
    "own targets without a model call / empty tests": 2.0,
    "replayed runs / empty tests": 4.0,
    "a call at 40 calls / a call at 3 calls": 1.5,
}

_INI = f"""
[pytest]
pythonpath = {" ".join(str(path) for path in SOURCES)} {HERE}
addopts = -q -p no:cacheprovider
"""
_CONFTEST = 'pytest_plugins = ["redpen_evals.plugin"]\n'
_EMPTY = """
import pytest

@pytest.mark.parametrize("number", range({runs}))
def test_empty(number):
    pass
"""
_SDK = """
import pytest
from workload import {make}

@pytest.mark.parametrize("number", range({runs}))
def test_three_calls(number):
    {make}()
"""
_SCENARIOS = """
def test_agent(scenario_run):
    scenario_run.check()
"""

_AGENT = """
def write_reply(ticket):
    return f"Thank you for asking: {ticket}"
"""
_OWN_SCENARIO = """
agent: mailer:write_reply
input: {ticket: "Where is order 81?"}
expect: {contains: ["order 81"]}
"""


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000, help="tests in each measurement")
    parser.add_argument("--repeat", type=int, default=3, help="measurements of each kind; the best counts")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        seconds = _measure(Path(folder), options.runs, options.repeat)
        few, many, memory, typed = _calls(Path(folder), options.repeat)
        dispatched, direct = _foreign_calls(options.repeat)
    ratios = {
        "cassette layer / in-memory transport": seconds["cassette"] / seconds["in-memory"],
        "foreign client: dispatcher / in-memory transport": dispatched / direct,
        "own targets without a model call / empty tests": seconds["own"] / seconds["empty"],
        "replayed runs / empty tests": seconds["scenarios"] / seconds["empty"],
        "a call at 40 calls / a call at 3 calls": many / few,
    }
    for name, value in seconds.items():
        print(f"{name:<50} {value:8.2f} s for {options.runs} tests")  # noqa: T201 - its whole purpose
    for name, ratio in ratios.items():
        print(f"{name:<50} {ratio:8.2f}   to reach: at most {TARGETS[name]:g}")  # noqa: T201
    print(f"{'bare call: cassette / our client in memory':<50} {few / memory:6.2f}")  # noqa: T201
    print(f"{'bare call: cassette / typed SDK in memory':<50} {few / typed:6.2f}")  # noqa: T201
    print(f"{'collect-only imports openai':<50} {_collecting_imports_openai()!s:>8}   to reach: False")  # noqa: T201


def _measure(folder: Path, runs: int, repeat: int) -> dict[str, float]:
    sys.path[:0] = [str(HERE), *map(str, SOURCES)]
    from workload import save_cassette

    projects = {
        "empty": {"test_empty.py": _EMPTY.format(runs=runs)},
        "in-memory": {"test_sdk.py": _SDK.format(runs=runs, make="in_memory")},
        "cassette": {"test_sdk.py": _SDK.format(runs=runs, make="cassette")},
        "scenarios": {"test_agents.py": _SCENARIOS},
        "own": {"test_agents.py": _SCENARIOS, "mailer.py": _AGENT},
    }
    for name, files in projects.items():
        project = folder / name
        project.mkdir()
        for file, text in {"pytest.ini": _INI, "conftest.py": _CONFTEST, **files}.items():
            (project / file).write_text(text, encoding="utf-8")
    save_cassette(folder / "cassette" / "cassettes", calls=3)
    _copy_scenarios(folder / "scenarios", runs)
    for number in range(runs):
        _write(folder / "own" / "scenarios" / "mine" / f"run-{number}.yaml", _OWN_SCENARIO)
    best = dict.fromkeys(projects, float("inf"))
    for _ in range(repeat):
        for name in projects:
            best[name] = min(best[name], _seconds(folder / name))
    return best


def _copy_scenarios(project: Path, runs: int) -> None:
    scenario = (HERE / "bench.yaml").read_text(encoding="utf-8")
    context = (CHECKOUT / "scenarios" / "contexts" / "payments-us-p1.yaml").read_text(encoding="utf-8")
    _write(project / "scenarios" / "contexts" / "payments-us-p1.yaml", context)
    for number in range(runs):
        _write(project / "scenarios" / "self-critique" / f"run-{number}.yaml", scenario)
    _pytest(project, "--record=missing")


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _seconds(project: Path) -> float:
    started = time.perf_counter()
    _pytest(project)
    return time.perf_counter() - started


def _pytest(project: Path, *arguments: str) -> None:
    command = [sys.executable, "-m", "pytest", *arguments]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise SystemExit(done.stdout[-3000:] + done.stderr[-1000:])


def _calls(folder: Path, repeat: int) -> tuple[float, ...]:
    from workload import memory_seconds_a_call, seconds_a_call, typed_seconds_a_call

    return (
        min(seconds_a_call(folder, calls=3, rounds=100) for _ in range(repeat)),
        min(seconds_a_call(folder, calls=40, rounds=8) for _ in range(repeat)),
        min(memory_seconds_a_call(calls=3, rounds=100) for _ in range(repeat)),
        min(typed_seconds_a_call(calls=3, rounds=100) for _ in range(repeat)),
    )


def _foreign_calls(repeat: int) -> tuple[float, float]:
    from workload import foreign_seconds_a_call

    best = {True: float("inf"), False: float("inf")}
    for _ in range(repeat):
        for dispatched, seconds in best.items():
            best[dispatched] = min(seconds, foreign_seconds_a_call(calls=300, dispatched=dispatched))
    return best[True], best[False]


def _collecting_imports_openai() -> bool:
    script = (
        "import sys, pytest; pytest.main(['--collect-only', '-q', '-q', 'evals/suites']);"
        "print('IMPORTED', 'openai' in sys.modules)"
    )
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], cwd=CHECKOUT, capture_output=True, text=True, check=True
    )
    return bool(json.loads(done.stdout.rsplit("IMPORTED ", 1)[1].strip().lower()))


if __name__ == "__main__":
    main()
