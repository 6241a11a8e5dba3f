"""Validates a model's judgement of a draft key by key, in the order of its contract.

A critique and a review have the same structure but different key names, which ``JudgementNames`` defines.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass
from typing import Literal, cast

from redpen.errors import Stop
from redpen.types import JsonObject, JsonValue

ESCALATION_REASON_CHARS = 120
"""Maximum length of the escalation reason in a result, in characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementNames:
    """Keys of one kind of judgement, and the names of its parts in stop reasons.

    Attributes:
        kind: the kind of judgement; also its phase, and part of every stop reason.
        finding: a finding, as in ``invalid_<kind>:<finding>_type``.
        findings_key: key of the list of findings.
        instruction: an instruction, as in ``invalid_<kind>:<instruction>``.
        instructions: the instructions, as in ``invalid_<kind>:too_many_<instructions>``.
        instructions_key: key of the list of instructions.
    """

    kind: Literal["critique", "review"]
    finding: str
    findings_key: str
    instruction: str
    instructions: str
    instructions_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One risk or issue that the model found: its type, and a note in prose."""

    type: str
    note: str

    def to_dict(self) -> JsonObject:
        """Return the note as a JSON object."""
        return {"type": self.type, "note": self.note}


class JudgementReader:
    """Reads one judgement; each method validates one part and raises ``Stop`` if it is invalid.

    Args:
        names: names of the judgement's parts.
        raw: the model's answer, a JSON value; every stop contains it unmodified.

    Raises:
        Stop: ``invalid_<kind>:not_object``.
    """

    def __init__(self, names: JudgementNames, raw: object) -> None:
        self._names = names
        self._raw = raw
        if not isinstance(raw, Mapping):
            raise self.invalid("not_object")
        self._object = cast("Mapping[str, JsonValue]", raw)

    def invalid(self, code: str) -> Stop:
        """Return the stop for an invalid judgement, ``invalid_<kind>:<code>``."""
        return self._stop(f"invalid_{self._names.kind}:{code}")

    def decision(self, allowed: Set[str]) -> str:
        """Return the decision, trimmed; it must be on the policy allowlist."""
        decision = _text(self._object.get("decision"))
        if not decision:
            raise self.invalid("decision")
        if decision not in allowed:
            raise self._stop(f"{self._names.kind}_decision_not_allowed_policy:{decision}")
        return decision

    def severity(self) -> str:
        """Return ``low``, ``medium`` or ``high``; ``medium`` if the key is absent."""
        return self.optional_severity() or "medium"

    def optional_severity(self) -> str | None:
        """Return ``low``, ``medium`` or ``high``; None if the key is absent."""
        if "severity" not in self._object:
            return None
        severity = _text(self._object["severity"]).lower()
        if severity not in {"low", "medium", "high"}:
            raise self.invalid("severity")
        return severity

    def findings(self, *, limit: int, allowed_types: Set[str]) -> tuple[Note, ...]:
        """Return the risks or issues, at most ``limit``, each with an allowed type and a note."""
        return tuple(
            self._finding(item, allowed_types) for item in self._list(self._names.findings_key, limit=limit)
        )

    def instructions(self, *, limit: int) -> tuple[str, ...]:
        """Return the instructions, at most ``limit``, trimmed; none may be blank."""
        names = self._names
        items = self._list(names.instructions_key, limit=limit, plural=names.instructions)
        texts = tuple(_text(item) for item in items)
        if not all(texts):
            raise self.invalid(names.instruction)
        return texts

    def reason(self) -> str:
        """Return the reason, trimmed; empty if it is absent or null."""
        reason = self._object.get("reason")
        if reason is not None and not isinstance(reason, str):
            raise self.invalid("reason")
        return (reason or "").strip()

    def check_execution(self, decision: str, executed: Set[str]) -> None:
        """Raise ``Stop`` for a decision that the policy allows but this runtime does not execute."""
        if decision not in executed:
            raise self._stop(f"{self._names.kind}_decision_denied_execution:{decision}")

    def _finding(self, item: JsonValue, allowed_types: Set[str]) -> Note:
        name = self._names.finding
        if not isinstance(item, Mapping):
            raise self.invalid(f"{name}_item")
        kind = _text(item.get("type"))
        if not kind:
            raise self.invalid(f"{name}_type")
        if kind not in allowed_types:
            raise self._stop(f"{self._names.kind}_{name}_not_allowed_policy:{kind}")
        note = _text(item.get("note"))
        if not note:
            raise self.invalid(f"{name}_note")
        return Note(type=kind, note=note)

    def _list(self, key: str, *, limit: int, plural: str | None = None) -> list[JsonValue]:
        value = self._object.get(key, [])
        if not isinstance(value, list):
            raise self.invalid(key)
        if len(value) > limit:
            raise self.invalid(f"too_many_{plural or key}")
        return value

    def _stop(self, reason: str) -> Stop:
        kind = self._names.kind
        return Stop(reason, phase=kind, **{f"raw_{kind}": self._raw})


def _text(value: JsonValue) -> str:
    return value.strip() if isinstance(value, str) else ""
