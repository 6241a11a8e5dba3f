"""Findings of guards: violations, which block, and concerns, which a person should check."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Code = Literal[
    "empty",
    "too_long",
    "no_changes",
    "too_large_edit",
    "length_increase_limit",
    "too_many_changed_lines",
    "line_not_requested",
    "restricted_phrase",
    "no_new_facts",
    "new_incident_id",
    "new_severity_label",
    "new_region",
    "restricted_claims",
    "unread_language",
    "required_changes_not_applied",
    "missing_disclaimer",
    "guard_error",
    "new_statement",
    "judged",
]
"""Codes of all findings, in the order of the checks.

``guard_error`` means that a guard crashed, which blocks; its family is the guard. ``new_statement`` is always
a concern; ``unread_language`` is one unless the rules make it a violation. The family of
``restricted_phrase`` and ``missing_disclaimer`` is the code in the policy. ``judged`` comes from a model
(``redpen.judges``), which is asked if no other guard found a violation.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedFact:
    """A fact that the revision may state, and its source.

    Attributes:
        reading: the fact in words, e.g. ``"45 minutes = duration 2700 s"``.
        path: JSON path in the context (``incident.eta_minutes``, ``approved_actions[0]``) or ``original``.
    """

    reading: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """A finding in a revised text.

    Attributes:
        code: the rule that it breaks.
        family: the kind of fact or claim (``duration``, ``share``, ``region``, ``guarantee`` …).
        span: start and end (exclusive) in characters of the revised text **as given**.
        text: the text of the span.
        reading: its interpretation, e.g. ``"90 minutes = duration 5400 s"``.
        reason: why it is not allowed, in one sentence.
        nearest: the nearest allowed facts, closest first; may be empty.
    """

    code: Code
    family: str
    span: tuple[int, int]
    text: str
    reading: str
    reason: str
    nearest: tuple[AllowedFact, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the finding as JSON-ready values."""
        # `asdict` copies every field, which is slow for millions of reports.
        found: dict[str, Any] = {name: getattr(self, name) for name in self.__slots__}
        found["nearest"] = tuple(asdict(item) for item in self.nearest)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The verdict of the guards on one revised text.

    Attributes:
        violations: certain breaches, in the order of the checks, then of the text.
        concerns: new content that no rule allows or forbids.
    """

    violations: tuple[Finding, ...] = field(default=())
    concerns: tuple[Finding, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Whether nothing blocks; concerns do not."""
        return not self.violations

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready values."""
        return {
            "ok": self.ok,
            "violations": [item.to_dict() for item in self.violations],
            "concerns": [item.to_dict() for item in self.concerns],
        }


def whole_text(code: Code, text: str, reading: str, reason: str, *, family: str = "text") -> Finding:
    """Return a finding that spans the whole text."""
    return part_of_text(code, text, (0, len(text)), reading, reason, family=family)


def part_of_text(
    code: Code, text: str, span: tuple[int, int], reading: str, reason: str, *, family: str
) -> Finding:
    """Return a finding for a span of a text."""
    return Finding(
        code=code, family=family, span=span, text=text[slice(*span)], reading=reading, reason=reason
    )
