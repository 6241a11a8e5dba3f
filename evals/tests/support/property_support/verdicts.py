"""The verdict of the built-in guards on a generated draft."""

from __future__ import annotations

from redpen.guards import Report, check_revision
from redpen_evals.fuzz.case import Case, CounterexampleError


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
