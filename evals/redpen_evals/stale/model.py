"""The stale map: changes, the calls that each makes stale, and what it takes to record them again."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleChange:
    """One change, over all the runs that it made stale.

    Attributes:
        phase: of the calls that changed.
        what: the place in the request, e.g. ``messages[0].content``; empty for calls that are new.
        name: the change in words, e.g. ``critique prompt``, or where it was made.
        calls: how many calls changed in this place.
        scenarios: of how many scenarios they are.
        excerpts: the change in words with the number of calls that it is of, the most frequent first.
        follows: the later calls that it makes stale, by phase, in the order of the run.
        origin: ``file:line`` of the project where the changed words stand; empty where that is not known.
    """

    phase: str
    what: str
    name: str
    calls: int
    scenarios: int
    excerpts: tuple[tuple[str, int], ...]
    follows: tuple[tuple[str, int], ...]
    origin: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "phase": self.phase,
            "what": self.what,
            "name": self.name,
            "origin": self.origin,
            "calls": self.calls,
            "scenarios": self.scenarios,
            "excerpts": [{"text": text, "calls": calls} for text, calls in self.excerpts],
            "follows": dict(self.follows),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Recording:
    """What it takes to record again all that is stale.

    Attributes:
        calls: how many calls, as far as they are known.
        prompt_tokens: of their requests, as they were when last recorded.
        completion_tokens: of their answers, likewise.
        uncounted: how many of the calls have no such figure.
        unknown_runs: runs that were never recorded, so that nobody knows their calls.
        scripted: whether all replies are scripted, so that recording them is free.
        cost_usd: of the tokens, in US dollars; None where a model has no price.
        no_price: why there is no cost, in words; empty where there is one.
        commands: which do it.
    """

    calls: int
    prompt_tokens: int
    completion_tokens: int
    uncounted: int
    unknown_runs: int
    scripted: bool
    cost_usd: Decimal | None
    no_price: str
    commands: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values; the cost is a text, so that it stays exact."""
        return {
            "calls": self.calls,
            "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens,
            "uncounted": self.uncounted,
            "unknown_runs": self.unknown_runs,
            "scripted": self.scripted,
            "cost_usd": None if self.cost_usd is None else f"{self.cost_usd:f}",
            "no_price": self.no_price,
            "commands": list(self.commands),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StaleMap:
    """What is stale in the runs of a suite.

    Attributes:
        model: whose recordings they are, but for the variants that name another.
        runs: how many runs there were, one a scenario, variant and sample.
        scenarios: of how many scenarios.
        stale_runs: how many of the runs are stale.
        stale_scenarios: how many of the scenarios have a stale run.
        missing: stale runs that were never recorded.
        changes: what made the others stale, the weightiest first.
        recording: what it takes to record them again.
    """

    model: str
    runs: int
    scenarios: int
    stale_runs: int
    stale_scenarios: int
    missing: int
    changes: tuple[StaleChange, ...]
    recording: Recording

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "model": self.model,
            "runs": self.runs,
            "scenarios": self.scenarios,
            "stale_runs": self.stale_runs,
            "stale_scenarios": self.stale_scenarios,
            "missing": self.missing,
            "changes": [change.to_dict() for change in self.changes],
            "recording": self.recording.to_dict(),
        }
