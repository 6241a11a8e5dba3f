"""Properties of a guard, the trials of each, what verdicts they ask for, and what was found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, Protocol, assert_never, get_args

from hypothesis import strategies as st

from redpen_evals.fuzz.case import Case
from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import Family

Rule = Literal["verdict", "changed", "monotone", "order", "repeat", "answers", "time", "memory"]


RAISED: Final = "raised"
"""How the problem of a guard begins that gives no verdict."""


class Judges(Protocol):
    """Asks a guard."""

    def verdict(self, case: Case) -> Judgement:
        """Return what it makes of a case; of the same texts it is asked once."""

    def again(self, case: Case) -> Judgement:
        """Ask it anew, whatever it has said of the same texts."""

    def seconds(self, case: Case) -> float:
        """Return how long it takes for a text, in seconds."""

    def peak_bytes(self, case: Case) -> int:
        """Return how much memory it takes for a text, in bytes."""


class NotTried(Exception):  # noqa: N818 - names what happened: no fault of anybody's
    """The trial says nothing of the guard, such as a disguise of what it lets pass undisguised."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """What is asked, and what is wanted of the answer.

    Attributes:
        rule: how the verdicts are compared.
        case: the text that is shown, and saved, if the property is broken.
        before: the undisguised text, the blocked one that a breach is added to, the other order, or the
            shorter text; None where the case stands alone.
        between: texts that are judged between two calls with the same one.
    """

    rule: Rule
    case: Case
    before: Case | None = None
    between: tuple[Case, ...] = ()


GROWTH = 8
"""How many times as long the longer text is."""

_SLACK = 3
_LEAST_S = 0.2
_LEAST_BYTES = 16_000_000


def problem_of(trial: Trial, guard: Judges) -> str:
    """Have a guard judge a trial.

    Returns:
        What is wrong with its verdicts, in words; empty where nothing is.

    Raises:
        NotTried: they say nothing of the property.
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


def _compared(trial: Trial, guard: Judges) -> str:
    """Compare the verdict with that on the text before."""
    if trial.before is None:
        raise NotTried
    before = _judged(guard.verdict(trial.before))
    if trial.rule == "order":
        after = _judged(guard.verdict(trial.case))
        same = before.blocked == after.blocked
        return "" if same else f"{_said(after)}; in the order of the other text it {_said(before)}"
    if _wrong(before, trial.before):
        raise NotTried
    found = _wrong(guard.verdict(trial.case), trial.case)
    if not found:
        return ""
    if trial.rule == "monotone":
        return f"{found}; without the added breach it is blocked"
    return f"{found}; {_BEFORE[trial.case.disguise != 'none']}"


_BEFORE = ("before the change the text is judged rightly", "undisguised it is judged rightly")


def _wrong(judgement: Judgement, case: Case) -> str:
    if judgement.error:
        return f"{RAISED} {judgement.error}"
    if judgement.blocked == (case.label == "block"):
        return ""
    codes = f" ({', '.join(dict.fromkeys(judgement.codes))})" if judgement.codes else ""
    return f"is blocked{codes}, must pass" if judgement.blocked else "passes, must be blocked"


def _judged(judgement: Judgement) -> Judgement:
    if judgement.error:
        raise NotTried
    return judgement


def _said(judgement: Judgement) -> str:
    return "is blocked" if judgement.blocked else "passes"


def _repeated(trial: Trial, guard: Judges) -> str:
    first = _judged(guard.again(trial.case))
    for case in trial.between:
        guard.again(case)
    last = _judged(guard.again(trial.case))
    if first.blocked == last.blocked:
        return ""
    return f"first it {_said(first)}, after {len(trial.between)} other texts it {_said(last)}"


def _grows(trial: Trial, guard: Judges) -> str:
    if trial.before is None:
        raise NotTried
    measure: Callable[[Case], float] = guard.seconds if trial.rule == "time" else guard.peak_bytes
    least, unit = (_LEAST_S, "seconds") if trial.rule == "time" else (_LEAST_BYTES, "bytes")
    long = measure(trial.case)
    if long < least:
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
    "known": "What was found before, and is kept in the draft library, is judged as its label says.",
    "faithful": "A faithful revision passes.",
    "denied": "A claim that is denied, left open, hedged or asked passes.",
    "breaches": "A breach of each family is caught.",
    "disguises": "What is caught stays caught in each disguise.",
    "allowed": "What is allowed stays allowed in each disguise.",
    "monotone": "Adding a breach to a blocked text never unblocks it.",
    "order": "The order of sentences does not incident.",
    "repeated": "The verdict does not depend on earlier calls.",
    "answers": "Any text gets a verdict: no exception, no endless search.",
    "time": "Time grows no faster than the text.",
    "memory": "Memory grows no faster than the text.",
}
"""Each property in one sentence."""

PROPERTIES: Final[tuple[PropertyName, ...]] = get_args(PropertyName)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One property on one family, disguise or edit.

    Attributes:
        of: the property.
        name: of the family, disguise or edit.
        strategy: of its trials; None where the contexts allow none.
        narrowed: the same with breaches of certain families alone; None where it has no breaches.
        examples: what is tried first, and once.
        most: examples a round at the most; None for as many as are asked for.
        why_not: why it cannot be tried; empty where it may be.
    """

    of: PropertyName
    name: str
    strategy: st.SearchStrategy[Trial] | None = None
    narrowed: Callable[[tuple[Family, ...]], st.SearchStrategy[Trial]] | None = None
    examples: tuple[Trial, ...] = ()
    most: int | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """The smallest text found that breaks a property.

    Attributes:
        trial: what was asked.
        problem: what is wrong with the verdicts, in words.
    """

    trial: Trial
    problem: str


@dataclass(slots=True, kw_only=True)
class Row:
    """What came of one cell.

    Attributes:
        cell: what was tried.
        tried: how many different trials were judged.
        broken: how many of them broke the property.
        found: the smallest of those.
        why_not: why nothing was tried; empty where something was.
        unrecorded: how many trials were no verdict, for a model call was not recorded.
        seen: marks of what was tried, so that it is counted once.
    """

    cell: Cell
    tried: int = 0
    broken: int = 0
    found: Counterexample | None = None
    why_not: str = ""
    seen: set[bytes] = field(default_factory=set)
    unrecorded: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What was found of one guard.

    Attributes:
        guard: its name.
        rows: a cell each, in the order of the properties.
        seed: the random_seed that it was tried with.
        rounds: how many were finished.
        cut: whether time ended the last one.
        asked: how often the guard was asked.
        unrecorded: how many trials were no verdict, for a model call was not recorded.
    """

    guard: str
    rows: tuple[Row, ...]
    seed: int
    rounds: int
    cut: bool
    asked: int
    unrecorded: int

    @property
    def tried(self) -> int:
        """How many trials were judged."""
        return sum(row.tried for row in self.rows)

    @property
    def broken(self) -> tuple[Row, ...]:
        """The cells whose property is broken."""
        return tuple(row for row in self.rows if row.broken)
