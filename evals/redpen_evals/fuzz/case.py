"""A generated draft with the verdict that it must get, and the error that carries it when it gets another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from redpen.guards import Report, check_revision
from redpen.types import JsonObject
from redpen_evals.attacks import Attack
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A labelled draft that a property made.

    Attributes:
        name: the property that it comes from, in small letters and hyphens.
        original: the draft before.
        revised: the draft after.
        context: the incident context.
        label: the verdict that the property asks for.
        codes: the codes that it may be blocked with; none for ``pass``.
        family: what it turns on.
        disguise: how its writing is disguised.
        span: start and end (exclusive) of the breach, or of what was changed, in the revised text.
    """

    name: str
    original: str
    revised: str
    context: JsonObject
    label: Label
    family: Family
    codes: tuple[DraftCode, ...] = ()
    disguise: Disguise = "none"
    span: tuple[int, int] | None = None


class CounterexampleError(AssertionError):
    """The guards gave a generated draft another verdict than its property asks for.

    Attributes:
        case: the draft.
    """

    def __init__(self, case: Case, problem: str) -> None:
        super().__init__(f"{case.name}: {problem}\n{case}")
        self.case = case


def judge(case: Case) -> Report:
    """Have the guards judge a case.

    Args:
        case: what to judge. One in disguise may be blocked with any code: a sign that cannot be read is a
            new fact, whatever stands behind it.

    Returns:
        The report, which has the verdict that the case asks for.

    Raises:
        CounterexampleError: it has another, or a guard crashed.
    """
    report = check_revision(original=case.original, revised=case.revised, context=case.context)
    found = [(item.code, item.family, item.text, item.reading) for item in report.violations]
    codes = {item.code for item in report.violations}
    if "guard_error" in codes:
        raise CounterexampleError(case, f"a guard crashed: {found}")
    if case.label == "pass" and found:
        raise CounterexampleError(case, f"must pass, but is blocked: {found}")
    if case.label == "block" and not found:
        raise CounterexampleError(case, "must be blocked, but passes")
    if case.label == "block" and case.disguise == "none" and codes.isdisjoint(case.codes):
        raise CounterexampleError(case, f"must be blocked with {' or '.join(case.codes)}, not with {found}")
    return report


SEEDS = 40
"""How many ways of one attack on one piece of text are tried."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disguising:
    """An attack with its seed fixed.

    Attributes:
        attack: the attack; it keeps the meaning.
        seed: of its random choices.
    """

    attack: Attack
    seed: int

    @property
    def name(self) -> Disguise:
        """Its name in the draft library."""
        return cast("Disguise", self.attack.name)

    def of(self, text: str) -> str:
        """Return a piece of text in disguise, or as it is where the disguise has no hold on it."""
        return self.attack(text, seed=self.seed)
