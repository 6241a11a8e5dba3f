"""The `regex` guard set: the kind of guard that an afternoon gives, kept for comparison.

It reads every number as a bare token, knows four claim patterns and compares characters. It shares
nothing with the guards of ``redpen``, and is not to be made better.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from typing import Any

MIN_SIMILARITY = 0.4

_NUMBER = re.compile(r"\b\d{1,15}(?:\.\d{1,15})?%?\b")
_LABELS: tuple[tuple[str, re.Pattern[str]], ...] = (
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


def check_with_patterns(*, original: str, revised: str, context: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the codes of what the patterns find in a revised text, in the order of the checks."""
    allowed = f"{json.dumps(context, ensure_ascii=False)}\n{original}"
    codes = []
    if SequenceMatcher(None, original, revised).ratio() < MIN_SIMILARITY:
        codes.append("too_large_edit")
    if _new(_NUMBER, revised, allowed):
        codes.append("no_new_facts")
    codes += [code for code, pattern in _LABELS if _new(pattern, revised, allowed)]
    hints = context.get("policy_hints")
    strict = isinstance(hints, Mapping) and bool(hints.get("avoid_absolute_guarantees"))
    if any(pattern.search(revised) and (strict or not pattern.search(allowed)) for pattern in _CLAIMS):
        codes.append("restricted_claims")
    return tuple(codes)


def _new(pattern: re.Pattern[str], revised: str, allowed: str) -> bool:
    known = {found.casefold() for found in pattern.findall(allowed)}
    return any(found.casefold() not in known for found in pattern.findall(revised))
