"""What the guards cost, as ratios to the plain regex guard: `python evals/bench/guards.py`.

Every figure without a unit is a ratio of two measurements made in this very run, in turns, the best of
several rounds each, in processor time; absolute times are shown for orientation only. A draft is *cold*
when all that the guards keep of texts and words is forgotten before it; their tables stay.
"""

from __future__ import annotations

import argparse
import gc
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, replace
from itertools import cycle, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parent.parent
SOURCES = (CHECKOUT / "agents", CHECKOUT / "evals")
SHORT, LONG = 800, 4_000
TARGETS = {
    "cold draft / regex guard": 1.5,
    "next revision of it / regex guard": 0.8,
    "the same revision again / regex guard": 0.1,
    "a character at 4,000 / at 800": 1.2,
    "worst hostile text": 8.0,
    "import redpen.guards over bare Python": 60.0,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What a guard is asked to judge."""

    original: str
    revised: str
    context: dict[str, Any]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drafts", type=int, default=40, help="drafts of 800 characters; a fifth of 4,000")
    parser.add_argument("--repeat", type=int, default=5, help="measurements of each kind; the best counts")
    options = parser.parse_args()
    sys.path[:0] = [str(HERE), *map(str, SOURCES)]
    # A collection in the middle of a draft is no cost of that draft.
    gc.disable()
    cold, known, again, regex = _drafts(SHORT, options.drafts, options.repeat)
    long, *_ = _drafts(LONG, max(1, options.drafts // 5), options.repeat)
    name, worst = _worst_hostile(options.repeat)
    ours, bare = _imports(options.repeat)
    times = {
        "regex guard, 800 characters": regex,
        "cold draft, 800 characters": cold,
        "next revision of it": known,
        "the same revision again": again,
        "cold draft, 4,000 characters": long,
        f"hostile text ({name})": worst,
        "import redpen.guards, with Python": ours,
        "bare Python": bare,
    }
    ratios = {
        "cold draft / regex guard": cold / regex,
        "next revision of it / regex guard": known / regex,
        "the same revision again / regex guard": again / regex,
        "a character at 4,000 / at 800": long / LONG / (cold / SHORT),
        "worst hostile text": worst * 1e3,
        "import redpen.guards over bare Python": (ours - bare) * 1e3,
    }
    for title, seconds in times.items():
        print(f"{title:<40} {seconds * 1e6:8.0f} µs")  # noqa: T201 - its whole purpose
    for title, ratio in ratios.items():
        unit = " ms" if title.startswith(("worst", "import")) else ""
        print(f"{title:<40} {ratio:8.2f}   to reach: at most {TARGETS[title]:g}{unit}")  # noqa: T201


def _drafts(size: int, count: int, repeat: int) -> tuple[float, float, float, float]:
    """Return the seconds a draft takes.

    Cold; with its original and context known; with its revision known too; with the regex guard.
    """
    from redpen.guards import check_revision
    from redpen_evals.scorecard.guard_sets import check_with_patterns

    cases = _cases(size, count)
    _run(check_revision, cases[0])
    sums = [0.0, 0.0, 0.0, 0.0]
    for case in cases:
        rounds = []
        for _ in range(repeat):
            _forget()
            first = _run(check_revision, case)
            _forget()
            # Another revision before it makes the original and the context known.
            _run(check_revision, replace(case, revised="Nine new facts."))
            known, again = _run(check_revision, case), _run(check_revision, case)
            rounds.append((first, known, again, _run(check_with_patterns, case)))
        best = [min(column) for column in zip(*rounds, strict=True)]
        sums = [total + seconds for total, seconds in zip(sums, best, strict=True)]
    cold, known, again, regex = (total / count for total in sums)
    return cold, known, again, regex


def _worst_hostile(repeat: int) -> tuple[str, float]:
    """Return what the slowest hostile text is made of, and the seconds that it takes."""
    from hostile import hostile_texts

    from redpen.guards import check_revision

    plain = _cases(SHORT, 1)[0]
    best: dict[str, float] = {}
    for _ in range(repeat):
        for name, text in hostile_texts().items():
            _forget()
            seconds = _run(check_revision, replace(plain, revised=text))
            best[name] = min(seconds, best.get(name, seconds))
    worst = max(best, key=lambda name: best[name])
    return worst, best[worst]


def _run(guard: Callable[..., object], case: Case) -> float:
    started = time.process_time()
    guard(original=case.original, revised=case.revised, context=case.context)
    return time.process_time() - started


def _forget() -> None:
    """Empty every cache of the guards but those of tables: of a single value, or of their rows alone."""
    for name, module in list(sys.modules.items()):
        if name.startswith(("redpen.guards", "redpen.text")):
            for value in vars(module).values():
                if hasattr(value, "cache_clear") and value.cache_parameters()["maxsize"] not in (1, None):
                    value.cache_clear()


def _cases(size: int, count: int) -> list[Case]:
    """Return drafts of a length, joined from those of the library; every second of the joined is revised."""
    from redpen_evals.scenario_library.drafts import load_all_drafts
    from redpen_evals.scenario_library.layout import Layout

    layout = Layout(scenarios=CHECKOUT / "scenarios", cassettes=CHECKOUT / "cassettes")
    drafts = [draft for draft in load_all_drafts(layout) if draft.item.split == "dev"]
    pieces = list({draft.original: draft for draft in drafts if draft.item.disguise == "none"}.values())
    cases = []
    for start in range(count):
        joined = list(islice(cycle(pieces), start, start + size // 100))
        texts = [draft.original if place % 2 else draft.item.revised for place, draft in enumerate(joined)]
        original = " ".join(draft.original for draft in joined)
        context = dict(joined[0].context)
        cases.append(Case(original=original[:size], revised=" ".join(texts)[:size], context=context))
    return cases


def _imports(repeat: int) -> tuple[float, float]:
    """Return the processor seconds of a fresh process with the guards, and with nothing."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-X", f"pycache_prefix={folder}", "-c"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, SOURCES))}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)

        def seconds(names: str) -> float:
            script = f"import time, {names}; print(time.process_time())"
            done = subprocess.run(  # noqa: S603
                [*command, script], env=environment, capture_output=True, text=True, check=True
            )
            return float(done.stdout)

        # The first process of each kind compiles.
        pairs = [(seconds("redpen.guards"), seconds("sys")) for _ in range(3 * repeat + 1)][1:]
    ours, bare = zip(*pairs, strict=True)
    return min(ours), min(bare)


if __name__ == "__main__":
    main()
