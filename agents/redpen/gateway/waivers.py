"""Waivers of findings in a text that a reviewer wrote."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from redpen.guards import Finding, Report

NEVER_WAIVED: Final = frozenset({"empty", "too_long", "guard_error"})
"""Codes that cannot be waived: the text is empty, too long for the channel, or could not be checked."""

_UNREAD_FAMILY: Final = "residue"
_CUSTOM_CODES: Final = frozenset({"restricted_phrase", "missing_disclaimer"})
_CODE_ALIASES: Final = {"fix_plan_not_applied": "required_changes_not_applied"}


def without_waived(report: Report, codes: Iterable[str]) -> Report:
    """Return a report without the violations that a reviewer waives.

    Args:
        report: the report on a text that the reviewer wrote.
        codes: codes of the waived findings; restricted phrases and disclaimers also by the policy's own code.
    """
    waived = {_CODE_ALIASES.get(code, code) for code in codes}
    if not waived:
        return report
    remaining = tuple(finding for finding in report.violations if not _is_waived(finding, waived))
    return replace(report, violations=remaining)


def _is_waived(finding: Finding, waived: set[str]) -> bool:
    # Text that the guards could not read cannot be waived, whatever the code of the finding.
    if finding.code in NEVER_WAIVED or finding.family == _UNREAD_FAMILY:
        return False
    return finding.code in waived or (finding.code in _CUSTOM_CODES and finding.family in waived)
