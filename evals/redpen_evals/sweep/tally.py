"""Counts of verdicts: how many rows were blocked, and by which codes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from redpen.types import JsonObject


@dataclass(slots=True, kw_only=True)
class Tally:
    """Counts of rows.

    Attributes:
        rows: all of them.
        blocked: with a violation.
        concerned: with concerns only.
        errored: that could not be judged.
        codes: rows by code of their violations, counted once per code.
        concerns: likewise of their concerns.
        rules: likewise by rule of the policy pack that they break.
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
        self.rows += other.rows
        self.blocked += other.blocked
        self.concerned += other.concerned
        self.errored += other.errored
        self.codes.update(other.codes)
        self.concerns.update(other.concerns)
        self.rules.update(other.rules)

    @property
    def judged(self) -> int:
        """Rows that could be judged."""
        return self.rows - self.errored

    def to_dict(self) -> JsonObject:
        """Return it as JSON, with sorted codes."""
        return {
            "rows": self.rows,
            "blocked": self.blocked,
            "concerned": self.concerned,
            "errored": self.errored,
            "codes": dict(sorted(self.codes.items())),
            "concerns": dict(sorted(self.concerns.items())),
            "rules": dict(sorted(self.rules.items())),
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Tally:
        """Return the tally that ``to_dict`` wrote."""
        counts = {name: int(value[name]) for name in ("rows", "blocked", "concerned", "errored")}
        codes, concerns, rules = (Counter(value[name]) for name in ("codes", "concerns", "rules"))
        return cls(**counts, codes=codes, concerns=concerns, rules=rules)


def codes_of(findings: Any) -> set[str]:
    """Return the codes of findings."""
    return {str(item.get("code", "unknown")) for item in findings}


def rules_of(findings: Any) -> set[str]:
    """Return the rules of a policy pack that findings come from."""
    return {str(item["rule"]) for item in findings if "rule" in item}
