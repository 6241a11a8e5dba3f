"""Trying properties of a guard, round by round: what was judged, what broke, and the smallest such text."""

from __future__ import annotations

import json
import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.drafting import FAMILIES, labelled
from redpen_evals.fuzz.trials import Cell, Counterexample, NotTried, Result, Row, Trial, problem_of
from redpen_evals.guard_adapters.recording import GuardTraffic
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import Family
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.targets.calling import TIMED_OUT, call
from redpen_evals.targets.run import Raised

TIMEOUT_S = 5.0
"""How long a guard may take for one text, in seconds."""

MODEL_TIMEOUT_S = 120.0
"""How long where it may ask a model that takes its time."""

MOST_TIMEOUTS = 3
"""After so many texts without an answer in time a guard is asked no more."""

_TIMES = 3
"""How often a text is judged to find out how long that takes: the shortest time counts."""


class TooSlowError(Exception):
    """The guard has given too many texts no verdict in time, and is asked no more."""


class NotRecordedError(Exception):
    """The guard asked a model something that is not recorded, so that what it said is no verdict."""


@dataclass(slots=True, kw_only=True)
class Asking:
    """A guard under test.

    Attributes:
        guard_set: what judges.
        traffic: the model calls that it makes; None where nobody records them.
        timeout_s: how long it may take for one text, in seconds.
        is_program: whether it runs in a process of its own.
        asked: how often it was asked.
        overdue: how often it gave no verdict in time.
    """

    guard_set: GuardSet
    traffic: GuardTraffic | None = None
    timeout_s: float = TIMEOUT_S
    is_program: bool = False
    asked: int = field(default=0, init=False)
    overdue: int = field(default=0, init=False)
    _known: dict[bytes, Judgement] = field(default_factory=dict, init=False)

    def verdict(self, case: Case) -> Judgement:
        """Return what it makes of a case; of the same texts it is asked once; raises NotRecordedError."""
        key = sha256(
            json.dumps([case.original, case.revised, case.context], sort_keys=True).encode()
        ).digest()
        if key not in self._known:
            self._known[key] = self.again(case)
        return self._known[key]

    def again(self, case: Case) -> Judgement:
        """Ask it anew, whatever it has said of the same texts; raises NotRecordedError, TooSlowError."""
        if self.overdue >= MOST_TIMEOUTS:
            raise TooSlowError
        self.asked += 1

        def judge() -> Judgement:
            return self.guard_set.judge(original=case.original, revised=case.revised, context=case.context)

        answer = call(judge, timeout_s=self.timeout_s, root=None)
        if self.traffic is not None and self.traffic.missed():
            raise NotRecordedError
        if isinstance(answer, Raised):
            self.overdue += answer.stop_reason == TIMED_OUT
            message = f"{answer.names[0] if answer.names else answer.stop_reason}: {answer.message}"
            return Judgement(blocked=True, error=message)
        judged: Judgement = answer
        return judged

    def seconds(self, case: Case) -> float:
        """Return how long it takes for a text, in seconds: of the processor, unless it is a program."""
        clock = time.perf_counter if self.is_program else time.process_time
        taken = []
        for _ in range(_TIMES):
            before = clock()
            self.again(case)
            taken.append(clock() - before)
        return min(taken)

    def peak_bytes(self, case: Case) -> int:
        """Return how much memory it takes for a text, in bytes, beyond what it held before."""
        tracemalloc.start()
        try:
            self.again(case)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    @property
    def asks_model(self) -> bool:
        """Whether it has asked a model so far."""
        return self.traffic is not None and (self.traffic.calls > 0 or bool(self.traffic.misses))


EXAMPLES: Final = 10
"""Examples of each cell a round."""

ROUNDS: Final = 10
"""Rounds that are tried unless time ends them: with ``EXAMPLES`` as many as the profile ``ci`` tries."""

_MOST_REFUSED: Final = 4
"""How many trials a round may say nothing, for each that is asked for."""

_MOST_SHRINKING: Final = 300
"""How often a guard is asked to make one counterexample smaller."""

Show = Callable[[str], None]


def try_cells(
    asking: Asking,
    cells: Sequence[Cell],
    *,
    random_seed: int = 0,
    rounds: int = ROUNDS,
    examples: int = EXAMPLES,
    seconds: float | None = None,
    show: Show = lambda _text: None,
) -> Result:
    """Try every cell, a few examples each, and round after round those that still hold.

    What is found follows from ``random_seed`` and the number of rounds alone. The clock is read before each
    cell, so that with a time limit only the last round depends on it.

    Args:
        asking: the guard.
        cells: what to try.
        random_seed: the same gives the same examples.
        rounds: how many, at the most.
        examples: of each cell a round.
        seconds: how long to try; None for as long as it takes.
        show: called with the progress, in words.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    rows = [Row(cell=cell, why_not=cell.why_not) for cell in cells]
    _warm_up(asking)
    done, cut = 0, False
    for turn in range(rounds):
        for row in rows:
            if ends is not None and time.monotonic() > ends:
                cut = True
                break
            left = f", {max(ends - time.monotonic(), 0):.0f} s left" if ends is not None else ""
            holes = sum(1 for one in rows if one.broken)
            show(f"round {turn + 1} of {rounds}: {row.cell.of}, {row.cell.name}; {holes} broken{left}")
            caught = tuple(family for family in FAMILIES if family in _caught(rows))
            _try_row(asking, row, caught, turn=turn, random_seed=random_seed, examples=examples)
        if cut:
            break
        done = turn + 1
    for row in rows:
        row.why_not = row.why_not or (_why_not(asking, row, cut=cut and not done) if not row.tried else "")
    return Result(
        guard=asking.guard_set.name,
        rows=tuple(rows),
        seed=random_seed,
        rounds=done,
        cut=cut,
        asked=asking.asked,
        unrecorded=sum(row.unrecorded for row in rows),
    )


def _warm_up(asking: Asking) -> None:
    """Have it judge one text, so that what it imports then is there from the first example on."""
    text = "We are looking into it."
    try:
        asking.verdict(labelled("warm-up", text, text, {}, label="pass", family="rewrite"))
    except (NotRecordedError, TooSlowError):
        return


def _caught(rows: Sequence[Row]) -> frozenset[str]:
    """Return the families of which the guard has caught a breach so far."""
    return frozenset(row.cell.name for row in rows if row.cell.of == "breaches" and row.tried > row.broken)


def _try_row(
    asking: Asking, row: Row, caught: tuple[Family, ...], *, turn: int, random_seed: int, examples: int
) -> None:
    cell = row.cell
    if row.broken or row.why_not or asking.overdue >= MOST_TIMEOUTS:
        return
    if cell.of in ("time", "memory") and asking.asks_model:
        row.why_not = "it asks a model, whose time and memory are not its own"
        return
    if cell.of == "memory" and asking.is_program:
        row.why_not = "it is another process"
        return
    if turn == 0:
        for trial in cell.examples:
            _try_one(asking, row, trial)
    strategy = cell.narrowed(caught) if cell.narrowed is not None and caught else cell.strategy
    if strategy is None:
        return
    number = int.from_bytes(sha256(f"{random_seed}/{cell.of}/{cell.name}/{turn}".encode()).digest()[:8])
    most = min(examples, cell.most or examples)
    _generate(asking, row, strategy, number=number, examples=most)
    if row.found is not None:
        _shrink(asking, row, strategy, number=number, examples=most)


def _generate(
    asking: Asking, row: Row, strategy: st.SearchStrategy[Trial], *, number: int, examples: int
) -> None:
    refused = 0

    def body(trial: Trial) -> None:
        nonlocal refused
        if refused < _MOST_REFUSED * examples and not _try_one(asking, row, trial):
            refused += 1
            reject()

    _run(body, strategy, number=number, examples=examples, phases=(Phase.generate,))


def _shrink(
    asking: Asking, row: Row, strategy: st.SearchStrategy[Trial], *, number: int, examples: int
) -> None:
    """Make the first counterexample smaller: the same seed finds it again, and hypothesis shrinks it."""
    limit = asking.asked + _MOST_SHRINKING

    def body(trial: Trial) -> None:
        if asking.asked >= limit:
            return
        problem = _problem(asking, trial)
        if problem:
            _keep_smaller(row, trial, problem)
            raise AssertionError(problem)
        if problem is None:
            reject()

    try:
        _run(body, strategy, number=number, examples=examples, phases=(Phase.generate, Phase.shrink))
    except Exception:  # noqa: BLE001 - hypothesis raises what was found, or that the limit made it flaky
        return


def _run(
    body: Callable[[Trial], None],
    strategy: st.SearchStrategy[Trial],
    *,
    number: int,
    examples: int,
    phases: tuple[Phase, ...],
) -> None:
    chosen = settings(
        max_examples=examples,
        database=None,
        deadline=None,
        derandomize=False,
        phases=phases,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
        verbosity=Verbosity.quiet,
    )
    try:
        seed(number)(chosen(given(strategy)(body)))()
    except Unsatisfiable:
        # Nothing was tried, which the row says.
        return


def _try_one(asking: Asking, row: Row, trial: Trial) -> bool:
    """Judge one trial and count it, once; returns whether it said something of the property."""
    key = _key(trial)
    if key in row.seen:
        return True
    try:
        problem = problem_of(trial, asking)
    except (NotTried, TooSlowError):
        return False
    except NotRecordedError:
        row.unrecorded += 1
        return False
    row.seen.add(key)
    row.tried += 1
    if problem:
        row.broken += 1
        _keep_smaller(row, trial, problem)
    return True


def _problem(asking: Asking, trial: Trial) -> str | None:
    try:
        return problem_of(trial, asking)
    except (NotTried, NotRecordedError, TooSlowError):
        return None


def _keep_smaller(row: Row, trial: Trial, problem: str) -> None:
    if row.found is None or _size(trial) < _size(row.found.trial):
        row.found = Counterexample(trial=trial, problem=problem)


def _size(trial: Trial) -> tuple[int, str, str]:
    cases = (trial.case, *trial.between)
    chars = sum(len(case.original) + len(case.revised) for case in cases)
    return chars, trial.case.revised, trial.case.original


def _key(trial: Trial) -> bytes:
    texts = [_texts(case) for case in (trial.case, trial.before, *trial.between) if case is not None]
    return sha256(repr(texts).encode("utf-8", "surrogatepass")).digest()


def _texts(case: Case) -> tuple[str, str, str]:
    return case.original, case.revised, repr(case.context)


def _why_not(asking: Asking, row: Row, *, cut: bool) -> str:
    if asking.overdue >= MOST_TIMEOUTS:
        return f"{asking.overdue} texts got no verdict in {asking.timeout_s:g} s, so it was asked no more"
    if row.unrecorded:
        return "the model calls that it needs are not recorded"
    if cut:
        return "not reached in the time"
    return _SAID_NOTHING.get(row.cell.of, "the guard gave no verdict that could be compared")


_SAID_NOTHING: Final[dict[str, str]] = {
    "disguises": "nothing that it has a hold on is caught undisguised",
    "allowed": "nothing that it has a hold on passes undisguised",
    "monotone": "no breach is blocked",
    "faithful": "it blocks even what was not changed",
    "denied": "it blocks even what was not changed",
}
