"""Properties of a guard: trials, expected verdicts and results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, assert_never, get_args

from hypothesis import strategies as st

from redpen_evals.fuzz.case import Case
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import Family

if TYPE_CHECKING:
    from redpen_evals.fuzz.engine import GuardUnderTest

Rule = Literal["verdict", "changed", "monotone", "order", "repeat", "answers", "time", "memory"]


RAISED: Final = "raised"
"""First word of the problem of a guard that gives no verdict."""


class Inconclusive(Exception):  # noqa: N818 - an outcome, not an error
    """The trial says nothing about the guard, such as a disguise of a breach that it does not catch plain."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """A case to judge and the expected verdict.

    Attributes:
        case: the text that is reported and saved if the property is broken.
        before: the text that the case is compared with: undisguised, without the added breach, in another
            order, or shorter; None for no comparison.
        between: texts that are judged between two calls with the case.
    """

    rule: Rule
    case: Case
    before: Case | None = None
    between: tuple[Case, ...] = ()


GROWTH = 8
"""Length of the longer text, as a multiple of the shorter."""

_SLACK = 3
_MIN_S = 0.2
_MIN_BYTES = 16_000_000


def problem_of(trial: Trial, guard: GuardUnderTest) -> str:
    """Judge a trial.

    Returns:
        What is wrong with the verdicts; empty if nothing is.

    Raises:
        Inconclusive: the verdicts say nothing about the property.
    """
    match trial.rule:
        case "verdict":
            return _wrong(guard.verdict(trial.case), trial.case)
        case "answers":
            error = guard.verdict(trial.case).error
            return f"{RAISED} {error}" if error else ""
        case "changed" | "monotone" | "order":
            return _compared(trial, guard)
        case "repeat":
            return _repeated(trial, guard)
        case "time" | "memory":
            return _grows(trial, guard)
        case _:
            assert_never(trial.rule)


def _compared(trial: Trial, guard: GuardUnderTest) -> str:
    """Compare the verdict with that on ``before``."""
    if trial.before is None:
        raise Inconclusive
    before = _judged(guard.verdict(trial.before))
    if trial.rule == "order":
        after = _judged(guard.verdict(trial.case))
        same = before.blocked == after.blocked
        return "" if same else f"{_describe(after)}; in the other order it {_describe(before)}"
    if _wrong(before, trial.before):
        raise Inconclusive
    problem = _wrong(guard.verdict(trial.case), trial.case)
    if not problem:
        return ""
    if trial.rule == "monotone":
        return f"{problem}; without the added breach it is blocked"
    return f"{problem}; {_BEFORE[trial.case.disguise != 'none']}"


_BEFORE = ("before the change it is judged correctly", "undisguised it is judged correctly")


def _wrong(judgement: Judgement, case: Case) -> str:
    if judgement.error:
        return f"{RAISED} {judgement.error}"
    if judgement.blocked == (case.label == "block"):
        return ""
    codes = f" ({', '.join(dict.fromkeys(judgement.codes))})" if judgement.codes else ""
    return f"is blocked{codes}, must pass" if judgement.blocked else "passes, must be blocked"


def _judged(judgement: Judgement) -> Judgement:
    if judgement.error:
        raise Inconclusive
    return judgement


def _describe(judgement: Judgement) -> str:
    return "is blocked" if judgement.blocked else "passes"


def _repeated(trial: Trial, guard: GuardUnderTest) -> str:
    first = _judged(guard.again(trial.case))
    for case in trial.between:
        guard.again(case)
    last = _judged(guard.again(trial.case))
    if first.blocked == last.blocked:
        return ""
    return f"first it {_describe(first)}, after {len(trial.between)} other texts it {_describe(last)}"


def _grows(trial: Trial, guard: GuardUnderTest) -> str:
    if trial.before is None:
        raise Inconclusive
    measure: Callable[[Case], float] = guard.seconds if trial.rule == "time" else guard.peak_bytes
    minimum, unit = (_MIN_S, "seconds") if trial.rule == "time" else (_MIN_BYTES, "bytes")
    long = measure(trial.case)
    if long < minimum:
        return ""
    short = measure(trial.before)
    factor = len(trial.case.revised) / max(len(trial.before.revised), 1)
    if long <= _SLACK * factor * short:
        return ""
    return f"takes {long / short:.0f} times as many {unit} for {factor:.0f} times the text"


PropertyName = Literal[
    "known",
    "faithful",
    "denied",
    "breaches",
    "disguises",
    "allowed",
    "monotone",
    "order",
    "repeated",
    "answers",
    "time",
    "memory",
]
STATEMENTS: Final[dict[PropertyName, str]] = {
    "known": "Saved counterexamples of the draft library are judged as labelled.",
    "faithful": "A faithful revision passes.",
    "denied": "A claim that is denied, left open, hedged or asked passes.",
    "breaches": "A breach of each family is caught.",
    "disguises": "A caught breach stays caught in each disguise.",
    "allowed": "An allowed text stays allowed in each disguise.",
    "monotone": "Adding a breach to a blocked text never unblocks it.",
    "order": "The order of sentences does not matter.",
    "repeated": "The verdict does not depend on earlier calls.",
    "answers": "Any text gets a verdict: no exception, no timeout.",
    "time": "Time grows no faster than the text.",
    "memory": "Memory grows no faster than the text.",
}
"""Each property in one sentence."""

PROPERTIES: Final[tuple[PropertyName, ...]] = get_args(PropertyName)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One property for one family, disguise or edit.

    Attributes:
        strategy: returns a strategy of its trials, whose breaches are of the given families; None if the
            contexts allow no trial.
        examples: trials that are run once, first.
        most: maximum number of examples per round; None for no maximum.
        why_not: why it cannot be tested; empty if it can.
    """

    of: PropertyName
    name: str
    strategy: Callable[[tuple[Family, ...]], st.SearchStrategy[Trial]] | None = None
    examples: tuple[Trial, ...] = ()
    most: int | None = None
    why_not: str = ""


@dataclass(slots=True, kw_only=True)
class Row:
    """The results of one cell.

    Attributes:
        tried: number of different trials judged.
        found: the trial with the smallest text that breaks the property; None if none was found.
        why_not: why nothing was tried; empty if something was.
        unrecorded: number of trials with a model call that is not recorded.
        seen: hashes of the trials counted.
    """

    cell: Cell
    tried: int = 0
    broken: int = 0
    found: Trial | None = None
    problem: str = ""
    why_not: str = ""
    seen: set[bytes] = field(default_factory=set)
    unrecorded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The results of one guard.

    Attributes:
        rows: one row per cell, in the order of the properties.
        cut: whether the time limit ended the last round.
        warning: about the recording of its model calls; empty for none.
    """

    guard: str
    rows: tuple[Row, ...]
    seed: int
    rounds: int
    cut: bool
    calls: int
    warning: str = ""

    @property
    def tried(self) -> int:
        """Number of trials judged."""
        return sum(row.tried for row in self.rows)

    @property
    def unrecorded(self) -> int:
        """Number of trials with a model call that is not recorded."""
        return sum(row.unrecorded for row in self.rows)

    @property
    def broken(self) -> tuple[Row, ...]:
        """The rows with a broken property."""
        return tuple(row for row in self.rows if row.broken)
