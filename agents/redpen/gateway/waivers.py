"""Waivers: findings that a reviewer accepts in a text that the reviewer wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from redpen.guards import Finding, Report

NEVER_WAIVED: Final = frozenset({"empty", "too_long", "guard_error"})
"""Codes that nobody can waive: the text is empty, too long for the channel, or was not checked."""

_UNREAD_FAMILY: Final = "residue"
_CUSTOM_CODES: Final = frozenset({"restricted_phrase", "missing_disclaimer"})
_CODE_ALIASES: Final = {"fix_plan_not_applied": "required_changes_not_applied"}


def without_waived(report: Report, codes: Iterable[str]) -> Report:
    """Return a report without the violations that a reviewer waives.

    Args:
        report: on a text that the reviewer wrote.
        codes: of the findings; restricted phrases and disclaimers also by their code in the policy.
    """
    waived = {_CODE_ALIASES.get(code, code) for code in codes}
    if not waived:
        return report
    return replace(
        report, violations=tuple(item for item in report.violations if not _is_waived(item, waived))
    )


def _is_waived(finding: Finding, waived: set[str]) -> bool:
    # Text that no guard has read cannot be waived, whatever its code.
    if finding.code in NEVER_WAIVED or finding.family == _UNREAD_FAMILY:
        return False
    return finding.code in waived or (finding.code in _CUSTOM_CODES and finding.family in waived)
