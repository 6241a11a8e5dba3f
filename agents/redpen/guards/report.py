"""What a guard found: violations (certain) and concerns (worth a person's look)."""

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
"""Every verdict a guard can give, in the order of the checks.

``guard_error`` says that a guard crashed, which blocks; its family names the guard. ``new_statement``
is only ever a concern; ``unread_language`` is one unless the rules make it a violation. The family of
``restricted_phrase`` and ``missing_disclaimer`` is the code that the policy gives. ``judged`` is what a model
found (``redpen.judges``), where all other guards found nothing.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class AllowedFact:
    """A fact that the revision may state, and where it comes from.

    Attributes:
        reading: the fact in words, e.g. ``"45 minutes = duration 2700 s"``.
        path: JSON path in the context (``incident.eta_minutes``, ``approved_actions[0]``) or ``original``.
    """

    reading: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing a guard found in a revised text.

    Attributes:
        code: which rule it breaks.
        family: the kind of fact or claim (``duration``, ``share``, ``region``, ``guarantee`` …).
        span: start and end (exclusive) in characters of the revised text **as given**.
        text: that piece of the revised text.
        reading: how it was read, e.g. ``"90 minutes = duration 5400 s"``.
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
        # `asdict` copies each text of each field, which shows where millions of reports are written.
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
    """Return a finding of which all of a text is the place."""
    return part_of_text(code, text, (0, len(text)), reading, reason, family=family)


def part_of_text(
    code: Code, text: str, span: tuple[int, int], reading: str, reason: str, *, family: str
) -> Finding:
    """Return a finding of which a span of a text is the place."""
    return Finding(
        code=code, family=family, span=span, text=text[slice(*span)], reading=reading, reason=reason
    )
