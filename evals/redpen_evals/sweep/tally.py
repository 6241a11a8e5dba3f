"""How many rows were blocked, and for what."""

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
        concerned: with concerns alone.
        errored: that could not be judged.
        codes: rows by code of their violations; a row counts once for each of its codes.
        concerns: likewise of their concerns.
    """

    rows: int = 0
    blocked: int = 0
    concerned: int = 0
    errored: int = 0
    codes: Counter[str] = field(default_factory=Counter)
    concerns: Counter[str] = field(default_factory=Counter)

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

    def merge(self, other: Tally) -> None:
        """Count what another tally has counted."""
        self.rows += other.rows
        self.blocked += other.blocked
        self.concerned += other.concerned
        self.errored += other.errored
        self.codes.update(other.codes)
        self.concerns.update(other.concerns)

    @property
    def judged(self) -> int:
        """Rows that could be judged."""
        return self.rows - self.errored

    def to_dict(self) -> JsonObject:
        """Return it as JSON, codes in order."""
        return {
            "rows": self.rows,
            "blocked": self.blocked,
            "concerned": self.concerned,
            "errored": self.errored,
            "codes": dict(sorted(self.codes.items())),
            "concerns": dict(sorted(self.concerns.items())),
        }

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Tally:
        """Return the tally that ``to_dict`` wrote."""
        counts = {name: int(value[name]) for name in ("rows", "blocked", "concerned", "errored")}
        return cls(**counts, codes=Counter(value["codes"]), concerns=Counter(value["concerns"]))


def codes_of(findings: Any) -> set[str]:
    """Return the codes of findings, with the rule of a policy behind those that have one."""
    return {_code(item) for item in findings}


def _code(finding: Mapping[str, Any]) -> str:
    code, family = str(finding.get("code", "unknown")), finding.get("family")
    # Phrases and disclaimers of a policy share a code; their family is the rule that they come from.
    return f"{code}:{family}" if family and code in {"restricted_phrase", "missing_disclaimer"} else code
