"""What a person may let stand in a text of the person's own."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from redpen.guards import Finding, Report

NEVER_WAIVED: Final = frozenset({"empty", "too_long", "guard_error"})
"""Not a matter of judgement: there is nothing to read, a channel does not take it, or nobody could look."""

_UNREAD: Final = "residue"
_OF_THE_TEAM: Final = frozenset({"restricted_phrase", "missing_disclaimer"})
_ALSO: Final = {"fix_plan_not_applied": "required_changes_not_applied"}


def without_waived(report: Report, codes: Iterable[str]) -> Report:
    """Return a report without the violations that a person lets stand.

    Args:
        report: on a text that the person wrote.
        codes: of findings; a restricted phrase or disclaimer also by the code that the policy gives it.
    """
    waived = {_ALSO.get(code, code) for code in codes}
    if not waived:
        return report
    return replace(
        report, violations=tuple(item for item in report.violations if not _is_waived(item, waived))
    )


def _is_waived(finding: Finding, waived: set[str]) -> bool:
    # What is not read cannot be let stand, whatever it is called.
    if finding.code in NEVER_WAIVED or finding.family == _UNREAD:
        return False
    return finding.code in waived or (finding.code in _OF_THE_TEAM and finding.family in waived)
