"""A generated draft with its expected verdict, and the error for another verdict."""

from __future__ import annotations

from dataclasses import dataclass

from redpen.guards import Report, check_revision
from redpen.types import JsonObject
from redpen_evals.scenario_library.drafts import Disguise, DraftCode, Family, Label


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A labelled draft that a property made.

    Attributes:
        name: the property that it comes from, in lower case with hyphens.
        original: the draft before.
        revised: the draft after.
        context: the incident context.
        label: the expected verdict.
        family: the family of the draft library.
        codes: the codes that it may be blocked with; empty for ``pass``.
        disguise: how the text is disguised.
        span: start and end (exclusive) of the breach, or of what was changed, in the revised text.
    """

    name: str
    original: str
    revised: str
    context: JsonObject
    label: Label = "pass"
    family: Family = "rewrite"
    codes: tuple[DraftCode, ...] = ()
    disguise: Disguise = "none"
    span: tuple[int, int] | None = None


def span_of(part: str, text: str) -> tuple[int, int] | None:
    """Return start and end (exclusive) of the first occurrence of a part of a text; None if there is none."""
    start = text.find(part)
    return (start, start + len(part)) if start >= 0 else None


class CounterexampleError(AssertionError):
    """The guards gave a generated draft another verdict than expected.

    Attributes:
        case: the draft.
    """

    def __init__(self, case: Case, problem: str) -> None:
        super().__init__(f"{case.name}: {problem}\n{case}")
        self.case = case


def judge(case: Case) -> Report:
    """Judge a case with the built-in guards.

    Args:
        case: the case. A disguised one may be blocked with any code, since an unreadable character counts as
            a new fact.

    Returns:
        The report, which has the expected verdict.

    Raises:
        CounterexampleError: the verdict differs, or a guard crashed.
    """
    report = check_revision(original=case.original, revised=case.revised, context=case.context)
    violations = [(item.code, item.family, item.text, item.reading) for item in report.violations]
    codes = {item.code for item in report.violations}
    if "guard_error" in codes:
        raise CounterexampleError(case, f"a guard crashed: {violations}")
    if case.label == "pass" and violations:
        raise CounterexampleError(case, f"must pass, but is blocked: {violations}")
    if case.label == "block" and not violations:
        raise CounterexampleError(case, "must be blocked, but passes")
    if case.label == "block" and case.disguise == "none" and codes.isdisjoint(case.codes):
        raise CounterexampleError(
            case, f"must be blocked with {' or '.join(case.codes)}, not with {violations}"
        )
    return report


SEEDS = 40
"""Number of seeds that each attack is tried with."""
