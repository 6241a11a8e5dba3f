"""What the harness concludes of one scenario."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

Outcome = Literal["passed", "failed", "stale", "errored"]
"""``failed``: the agent did something else than it should. ``stale``: the recording does not fit the
request any more. ``errored``: harness, cassette or scenario is broken."""

OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The conclusion on one scenario.

    Attributes:
        scenario: its id.
        agent: its agent.
        outcome: the conclusion.
        reasons: why it did not pass, the weightiest first; none when it passed.
        command: the command that mends it, where there is one.
    """

    scenario: str
    agent: str
    outcome: Outcome
    reasons: tuple[str, ...] = ()
    command: str | None = None

    @property
    def summary(self) -> str:
        """The first reason, on one line."""
        return self.reasons[0].splitlines()[0] if self.reasons else ""

    @property
    def text(self) -> str:
        """The whole conclusion: outcome, reasons and command."""
        lines = [f"{self.scenario}: {self.outcome}"]
        lines += [f"  {line}" for reason in self.reasons for line in reason.splitlines()]
        if self.command:
            lines.append(f"  to mend it: {self.command}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values, from which ``read_verdict`` makes it again."""
        return {**asdict(self), "reasons": list(self.reasons)}


def read_verdict(value: dict[str, Any]) -> Verdict:
    """Return the verdict that ``Verdict.to_dict`` wrote."""
    return Verdict(**{**value, "reasons": tuple(value["reasons"])})


class ScenarioNotPassed(AssertionError):  # noqa: N818 - says what happened to a scenario
    """A scenario's test did not pass; the verdict says how."""

    def __init__(self, verdict: Verdict) -> None:
        super().__init__(verdict.text)
        self.verdict = verdict
