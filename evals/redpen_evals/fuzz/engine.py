"""Test properties of a guard in rounds and shrink the counterexamples."""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from hypothesis import HealthCheck, Phase, Verbosity, given, reject, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable

from redpen_evals.fuzz.case import Case
from redpen_evals.fuzz.drafting import FAMILIES
from redpen_evals.fuzz.trials import Cell, Inconclusive, Result, Row, Trial, problem_of
from redpen_evals.guard_adapters.recording import GuardTraffic
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import Family
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.targets.calling import TIMED_OUT, call
from redpen_evals.targets.run import Raised

TIMEOUT_S = 5.0
"""Time limit of a guard for one text, in seconds."""

MODEL_TIMEOUT_S = 120.0
"""Time limit while model calls are recorded, in seconds."""

MOST_TIMEOUTS = 3
"""Number of timeouts after which a guard is not called any more."""

_TIMES = 3
"""Number of calls per time measurement; the shortest counts."""


class TooSlowError(Exception):
    """The guard has timed out too often and is not called any more."""


class NotRecordedError(Exception):
    """The guard made a model call that is not recorded, so its answer is not a verdict."""


@dataclass(slots=True, kw_only=True)
class GuardUnderTest:
    """A guard under test.

    Attributes:
        traffic: recorder or player of its model calls; None for none.
    """

    guard_set: GuardSet
    traffic: GuardTraffic | None = None
    timeout_s: float = TIMEOUT_S
    is_program: bool = False
    calls: int = field(default=0, init=False)
    timeouts: int = field(default=0, init=False)
    _verdicts: dict[bytes, Judgement] = field(default_factory=dict, init=False)

    def verdict(self, case: Case) -> Judgement:
        """Return the verdict on a case, cached by its texts; raises as ``again``."""
        key = _key(case)
        if key not in self._verdicts:
            self._verdicts[key] = self.again(case)
        return self._verdicts[key]

    def again(self, case: Case) -> Judgement:
        """Call the guard without the cache; raises NotRecordedError, TooSlowError."""
        if self.timeouts >= MOST_TIMEOUTS:
            raise TooSlowError
        self.calls += 1

        def judge() -> Judgement:
            return self.guard_set.judge(original=case.original, revised=case.revised, context=case.context)

        answer = call(judge, timeout_s=self.timeout_s, root=None)
        if self.traffic is not None and self.traffic.missed():
            raise NotRecordedError
        if isinstance(answer, Raised):
            self.timeouts += answer.stop_reason == TIMED_OUT
            message = f"{answer.names[0] if answer.names else answer.stop_reason}: {answer.message}"
            return Judgement(blocked=True, error=message)
        judgement: Judgement = answer
        return judgement

    def seconds(self, case: Case) -> float:
        """Return the shortest time for a text, in seconds: CPU time, or wall time for another process."""
        clock = time.perf_counter if self.is_program else time.process_time
        taken = []
        for _ in range(_TIMES):
            before = clock()
            self.again(case)
            taken.append(clock() - before)
        return min(taken)

    def peak_bytes(self, case: Case) -> int:
        """Return the peak of additional memory for a text, in bytes."""
        tracemalloc.start()
        try:
            self.again(case)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    @property
    def asks_model(self) -> bool:
        """Whether it has called a model so far."""
        return self.traffic is not None and (self.traffic.calls > 0 or bool(self.traffic.misses))


EXAMPLES: Final = 10
"""Examples per cell and round."""

ROUNDS: Final = 10
"""Default number of rounds; with ``EXAMPLES`` as many examples as in the profile ``ci``."""

_MAX_REJECTED: Final = 4
"""Maximum number of inconclusive trials in a round, per requested example."""

_MAX_SHRINK_CALLS: Final = 300
"""Maximum number of guard calls for shrinking one counterexample."""

Show = Callable[[str], None]


def try_cells(
    guard: GuardUnderTest,
    cells: Sequence[Cell],
    *,
    random_seed: int = 0,
    rounds: int = ROUNDS,
    seconds: float | None = None,
    show: Show = lambda _text: None,
) -> Result:
    """Test every cell with a few examples per round; a broken cell is not tested again.

    The result depends only on ``random_seed`` and the number of rounds. The clock is checked before each
    cell, so that a time limit only affects the last round.
    """
    ends = None if seconds is None else time.monotonic() + seconds
    rows = [Row(cell=cell, why_not=cell.why_not) for cell in cells]
    _warm_up(guard)
    done, cut = 0, False
    for round_index in range(rounds):
        for row in rows:
            if ends is not None and time.monotonic() > ends:
                cut = True
                break
            remaining = f", {max(ends - time.monotonic(), 0):.0f} s left" if ends is not None else ""
            broken = sum(1 for other in rows if other.broken)
            cell = f"{row.cell.of}, {row.cell.name}"
            show(f"round {round_index + 1} of {rounds}: {cell}; {broken} broken{remaining}")
            of_breaches = [each for each in rows if each.cell.of == "breaches"]
            caught = {each.cell.name for each in of_breaches if each.tried > each.broken}
            families = tuple(family for family in FAMILIES if family in caught) or FAMILIES
            _try_row(guard, row, families, random_seed=random_seed, round_index=round_index)
        if cut:
            break
        done = round_index + 1
    for row in rows:
        row.why_not = row.why_not or (_skip_reason(guard, row, cut=cut and not done) if not row.tried else "")
    return Result(
        guard=guard.guard_set.name,
        rows=tuple(rows),
        seed=random_seed,
        rounds=done,
        cut=cut,
        calls=guard.calls,
        warning=guard.traffic.warning if guard.traffic is not None else "",
    )


def _warm_up(guard: GuardUnderTest) -> None:
    """Judge one text, so that lazy imports do not count in the first example."""
    text = "We are looking into it."
    with suppress(NotRecordedError, TooSlowError):
        guard.verdict(Case(name="warm-up", original=text, revised=text, context={}))


def _try_row(
    guard: GuardUnderTest, row: Row, families: tuple[Family, ...], *, random_seed: int, round_index: int
) -> None:
    """Run a round of one cell; its breaches are of the given families."""
    cell = row.cell
    if row.broken or row.why_not or guard.timeouts >= MOST_TIMEOUTS:
        return
    if cell.of in ("time", "memory") and guard.asks_model:
        row.why_not = "it calls a model, whose time and memory cannot be measured"
        return
    if cell.of == "memory" and guard.is_program:
        row.why_not = "it runs in another process"
        return
    if round_index == 0:
        for trial in cell.examples:
            _try_one(guard, row, trial)
    if cell.strategy is not None:
        seed_text = f"{random_seed}/{cell.of}/{cell.name}/{round_index}"
        number = int.from_bytes(sha256(seed_text.encode()).digest()[:8])
        _try_examples(guard, row, cell.strategy(families), number)


def _try_examples(
    guard: GuardUnderTest, row: Row, strategy: st.SearchStrategy[Trial], random_seed: int
) -> None:
    """Run a few trials, and shrink the first counterexample."""
    examples = min(EXAMPLES, row.cell.most or EXAMPLES)
    drawing, given_trials = seed(random_seed), given(strategy)
    rejected = 0

    def count(trial: Trial) -> None:
        nonlocal rejected
        if rejected < _MAX_REJECTED * examples and not _try_one(guard, row, trial):
            rejected += 1
            reject()

    with suppress(Unsatisfiable):
        # The row shows if nothing was tried.
        drawing(_settings(examples, Phase.generate)(given_trials(count)))()
    if row.found is None:
        return
    most_calls = guard.calls + _MAX_SHRINK_CALLS

    def shrink(trial: Trial) -> None:
        if guard.calls >= most_calls:
            return
        try:
            problem = problem_of(trial, guard)
        except (Inconclusive, NotRecordedError, TooSlowError):
            reject()
        if problem:
            _keep_smaller(row, trial, problem)
            raise AssertionError(problem)

    # The same seed finds the first counterexample again. Hypothesis raises it, or Flaky because of the limit.
    with suppress(Exception):
        drawing(_settings(examples, Phase.generate, Phase.shrink)(given_trials(shrink)))()


def _settings(examples: int, *phases: Phase) -> settings:
    return settings(
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


def _try_one(guard: GuardUnderTest, row: Row, trial: Trial) -> bool:
    """Judge a trial and count it once; returns whether it was conclusive."""
    key = _key(trial.case, trial.before, *trial.between)
    if key in row.seen:
        return True
    try:
        problem = problem_of(trial, guard)
    except (Inconclusive, TooSlowError):
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


def _keep_smaller(row: Row, trial: Trial, problem: str) -> None:
    if row.found is None or _size(trial) < _size(row.found):
        row.found, row.problem = trial, problem


def _size(trial: Trial) -> tuple[int, str, str]:
    cases = (trial.case, *trial.between)
    chars = sum(len(case.original) + len(case.revised) for case in cases)
    return chars, trial.case.revised, trial.case.original


def _key(*cases: Case | None) -> bytes:
    """Return a hash of the texts and contexts of cases."""
    texts = [(case.original, case.revised, repr(case.context)) for case in cases if case is not None]
    return sha256(repr(texts).encode("utf-8", "surrogatepass")).digest()


def _skip_reason(guard: GuardUnderTest, row: Row, *, cut: bool) -> str:
    if guard.timeouts >= MOST_TIMEOUTS:
        return f"stopped after {guard.timeouts} texts without a verdict in {guard.timeout_s:g} s"
    if row.unrecorded:
        return "the model calls that it needs are not recorded"
    if cut:
        return "not reached within the time limit"
    return _INCONCLUSIVE.get(row.cell.of, "no verdict could be compared")


_INCONCLUSIVE: Final[dict[str, str]] = {
    "disguises": "no text that it changes is caught undisguised",
    "allowed": "no text that it changes passes undisguised",
    "monotone": "no breach is blocked",
    "faithful": "it blocks unchanged texts",
    "denied": "it blocks unchanged texts",
}
