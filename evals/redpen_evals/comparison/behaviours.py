"""The behaviour of a run: what of its result is compared and accepted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from redpen_evals.outcome import Outcome
from redpen_evals.records.model import BASE_VARIANT, ScenarioResult

Key: TypeAlias = tuple[str, str, int]
"""Scenario, variant and sample: what a result is of."""

Field: TypeAlias = Literal[
    "outcome",
    "status",
    "stop_reason",
    "phase",
    "result",
    "decision",
    "violations",
    "broken",
    "answer",
    "calls",
    "tokens",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """What one run of one scenario came to.

    Attributes:
        outcome: the harness's conclusion.
        status: ``ok`` or ``stopped``; None where no run was finished.
        stop_reason: why the run ended.
        phase: that stopped.
        result: what came of a run that did not stop.
        decision: of critique, review or policy.
        violations: codes of what the guards found, in order.
        broken: names of the invariants and expectations that did not hold.
        answer: the published text.
        calls: number of model calls.
        tokens: of requests and answers; None where no server counted any.
    """

    outcome: Outcome
    status: Literal["ok", "stopped"] | None = None
    stop_reason: str | None = None
    phase: str | None = None
    result: str | None = None
    decision: str | None = None
    violations: tuple[str, ...] = ()
    broken: tuple[str, ...] = ()
    answer: str | None = None
    calls: int = 0
    tokens: int | None = 0

    @property
    def decided(self) -> bool:
        """Whether the agent was judged: stale and errored say nothing about it."""
        return self.outcome in {"passed", "failed"}


def behaviour(result: ScenarioResult) -> Behaviour:
    """Return what of a result is compared."""
    # A call that failed is not counted by its server and costs nothing; that none of them is counted
    # means that the server does not count.
    counted = not result.calls or any(
        call.prompt_tokens is not None or call.completion_tokens is not None for call in result.calls
    )
    return Behaviour(
        outcome=result.outcome,
        status=result.status,
        stop_reason=result.stop_reason,
        phase=result.phase,
        result=result.result,
        decision=result.decision,
        violations=tuple(result.violations),
        broken=tuple(result.broken),
        answer=result.answer,
        calls=len(result.calls),
        tokens=result.tokens if counted else None,
    )


def display_id(key: Key) -> str:
    """Return how a result is named for people: ``a/b``, ``a/b [critique=v2]``, ``a/b [critique=v2] #2``."""
    scenario, variant, sample = key
    return (
        scenario
        + (f" [{variant}]" if variant != BASE_VARIANT else "")
        + (f" #{sample}" if sample > 1 else "")
    )
