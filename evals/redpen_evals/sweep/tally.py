"""Counts of verdicts: how many rows were blocked, and by which codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Final

from redpen.types import JsonObject


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of rows.

    Attributes:
        concerned: rows with concerns only.
        codes: rows by code of their violations, counted once per code.
        rules: rows by the rule of the policy pack that they break.
    """

    rows: int = 0
    blocked: int = 0
    concerned: int = 0
    errored: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    concerns: Counter[str] = field(default_factory=Counter)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one verdict."""
        self.rows += 1
        if "error" in record:
            self.errored += 1
            return
        self.blocked += not record["ok"]
        self.concerned += bool(record["ok"] and record["concerns"])
        self.codes.update(codes_of(record["violations"]))
        self.concerns.update(codes_of(record["concerns"]))
        self.rules.update(rules_of(record["violations"]))

    def merge(self, other: Tally) -> None:
        """Add the counts of another tally."""
        for name in _FIELDS:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    @property
    def judged(self) -> int:
        """Rows that could be judged."""
        return self.rows - self.errored

    def to_dict(self) -> JsonObject:
        """Return it as JSON, with sorted codes."""
        counts = {name: getattr(self, name) for name in _FIELDS}
        return {name: n if isinstance(n, int) else dict(sorted(n.items())) for name, n in counts.items()}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Tally:
        """Return the tally that ``to_dict`` wrote."""
        counts: dict[str, Any] = {
            name: n if isinstance(n := value[name], int) else Counter(n) for name in _FIELDS
        }
        return cls(**counts)


_FIELDS: Final = tuple(field.name for field in fields(Tally))


def codes_of(findings: Any) -> set[str]:
    """Return the codes of findings."""
    return {str(item.get("code", "unknown")) for item in findings}


def rules_of(findings: Any) -> set[str]:
    """Return the rules of a policy pack that findings come from."""
    return {str(item["rule"]) for item in findings if "rule" in item}
