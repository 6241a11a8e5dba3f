"""The `regex` guard set: the kind of guard that an afternoon gives, kept for comparison.

It reads every number as a bare token, knows four claim patterns and compares characters. It shares
nothing with the guards of ``redpen``, and is not to be made better.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

MIN_SIMILARITY = 0.4

_FACTS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("no_new_facts", re.compile(r"\b\d{1,15}(?:\.\d{1,15})?%?\b")),
    ("new_incident_id", re.compile(r"\binc_\w{1,80}\b", re.IGNORECASE)),
    ("new_severity_label", re.compile(r"\bP[0-5]\b", re.IGNORECASE)),
    ("new_region", re.compile(r"\b(?:US|EU|UK|UA|APAC|LATAM|GLOBAL)\b")),
)
_CLAIMS: tuple[re.Pattern[str], ...] = (
    re.compile(r"\b(?:fully|completely) (?:resolved|recovered|restored)\b", re.IGNORECASE),
    re.compile(r"\b(?:we )?(?:guarantee|promise)\b", re.IGNORECASE),
    re.compile(r"\bwill (?:definitely|certainly)\b", re.IGNORECASE),
    re.compile(r"\b(?:incident|issue) (?:is|has been) (?:resolved|fixed|closed)\b", re.IGNORECASE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternMatch:
    """What a pattern found: a code, and start and end (exclusive) in the revised text."""

    code: str
    span: tuple[int, int]


def check_with_patterns(
    *, original: str, revised: str, context: Mapping[str, Any]
) -> tuple[PatternMatch, ...]:
    """Return what the patterns find in a revised text, in the order of the checks."""
    allowed = f"{json.dumps(context, ensure_ascii=False)}\n{original}"
    found = []
    if SequenceMatcher(None, original, revised).ratio() < MIN_SIMILARITY:
        found.append(PatternMatch(code="too_large_edit", span=(0, len(revised))))
    for code, pattern in _FACTS:
        known = {match.casefold() for match in pattern.findall(allowed)}
        found += [
            PatternMatch(code=code, span=match.span())
            for match in pattern.finditer(revised)
            if match.group().casefold() not in known
        ]
    hints = context.get("policy_hints")
    strict = isinstance(hints, Mapping) and bool(hints.get("avoid_absolute_guarantees"))
    found += [
        PatternMatch(code="restricted_claims", span=match.span())
        for pattern in _CLAIMS
        if strict or not pattern.search(allowed)
        for match in pattern.finditer(revised)
    ]
    return tuple(found)
