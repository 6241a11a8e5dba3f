"""The severity scale of a project: labels such as SEV1 or "Sev A", one of which the incident has."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from redpen.guards.report import AllowedFact, Finding
from redpen.types import LONGEST_LABEL, MOST_LABELS

if TYPE_CHECKING:
    from redpen.text.views import View

SEVERITIES: Final = "severities"


def scale_in(context: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the labels of a context's scale; none if the key has another form and is an ordinary fact."""
    given = context.get(SEVERITIES)
    if not isinstance(given, (list, tuple)) or not all(isinstance(label, str) for label in given):
        return ()
    return tuple(label.strip() for label in given[:MOST_LABELS] if 0 < len(label.strip()) <= LONGEST_LABEL)


def severity_of(context: Mapping[str, Any]) -> object:
    """Return the severity of a context's incident, or of the context itself; None if there is none."""
    incident = context.get("incident")
    found = incident.get("severity") if isinstance(incident, Mapping) else None
    return context.get("severity") if found is None else found


def find_new_labels(
    *, revised: View, original: View, scale: tuple[str, ...], severity: object
) -> tuple[Finding, ...]:
    """Return the labels of the scale in a revision that neither context nor original has.

    Args:
        revised: the text to judge.
        original: the text before.
        scale: the labels, highest first or last.
        severity: the incident's own.
    """
    shown = _pattern(scale)
    if shown is None:
        return ()
    allowed = {_plain(match.group()) for match in shown.finditer(original.text)}
    path: tuple[AllowedFact, ...] = ()
    if isinstance(severity, str):
        allowed.add(_plain(severity))
        path = (AllowedFact(reading=severity, path="incident.severity"),)
    return tuple(
        Finding(
            code="new_severity_label",
            family="severity",
            span=(span := revised.span(*match.span())),
            text=revised.given[span[0] : span[1]],
            reading=f"{match.group()} = a severity of the scale",
            reason="neither the context nor the original gives this severity",
            nearest=path,
        )
        for match in shown.finditer(revised.text)
        if _plain(match.group()) not in allowed
    )


@lru_cache(maxsize=32)
def _pattern(scale: tuple[str, ...]) -> re.Pattern[str] | None:
    # Everyday words ("major", "critical") are labels only next to a word for severity; facts read those.
    labels = [label for label in scale if any(map(str.isdigit, label)) or " " in label or label.isupper()]
    if not labels:
        return None
    longest_first = sorted(map(_written, labels), key=len, reverse=True)
    return re.compile(rf"(?<![\w-])(?:{'|'.join(longest_first)})(?![\w-])")


def _written(label: str) -> str:
    # "SEV1" may be written SEV-1 or sev 1; RED does not match "red".
    parts = r"[ -]?".join(map(re.escape, re.findall(r"[^\W\d_]+|\d+|[^\w\s-]", label)))
    return parts if label.isupper() and label.isalpha() else f"(?i:{parts})"


def _plain(label: str) -> str:
    return re.sub(r"[\s_-]+", "", label).casefold()
