"""How explanations of packs are written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from redpen.policy.packs import BUILT_IN, PolicyPack, phrase_term

_CONCERNS = frozenset({"new_statement", "unread_language"})
_TERMS: Mapping[str, str] = {
    "too_long": "limits.max_answer_chars",
    "too_large_edit": "limits.min_patch_similarity",
    "length_increase_limit": "limits.max_length_increase_pct",
    "line_not_requested": "patch.mode",
    "too_many_changed_lines": "patch.max_changed_lines",
    "required_changes_not_applied": "semantic_changes",
}
"""Fields of a pack under which guards find what is neither a phrase nor a fact nor a claim."""


def loosened(pack: PolicyPack) -> str:
    """Say what a pack loosens on purpose; empty for nothing."""
    return f" (the pack {pack.name} loosens {', '.join(pack.loosened)})" if pack.loosened else ""


def decided_by(pack: PolicyPack, place: str) -> str:
    """Say what decides: ``place`` is the line of a file, or that it is built in."""
    return f"  decided by {'what is built in' if place == BUILT_IN else place}{loosened(pack)}"


def place_of_finding(pack: PolicyPack, found: Mapping[str, Any]) -> str:
    """Return ``file:line`` of what a finding of the guards breaks.

    Args:
        pack: that is in force.
        found: the finding as JSON values.
    """
    code, family = str(found.get("code")), str(found.get("family"))
    if code == "missing_disclaimer":
        return pack.place_of(family)
    if code == "restricted_phrase":
        return pack.place_of(_phrase_found(pack, family, str(found.get("reading"))))
    if code in _CONCERNS:
        named = f"concerns.{code}"
        return pack.place_of(named if named in pack.places else "concerns")
    return pack.place_of(_TERMS.get(code, "grounding"))


def _phrase_found(pack: PolicyPack, code: str, reading: str) -> str:
    lists = [each.phrases for each in pack.self_critique.restricted_phrases if each.code == code]
    for phrase in (phrase for phrases in lists for phrase in phrases):
        if reading.endswith(f"= the phrase {phrase!r}"):
            return phrase_term(code, phrase)
    return code


def indented(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines that stand below another."""
    return (f"    {line}" for line in lines)
