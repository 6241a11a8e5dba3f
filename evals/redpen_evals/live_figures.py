"""Figures of live models by agent: how often they were called, published and stopped, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen_evals.records.model import ScenarioResult

HEADER: Final = ("live model", "applicable", "published", "stopped", "calls", "not asked", "why it stopped")
_MAX_REASONS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigures:
    """The figures of one agent with a live model.

    Attributes:
        agent: its name and variant.
        applicable: number of finished runs in which the model was called.
        published: number of these that published.
        stopped: number of the others by stop reason, the most frequent first.
        calls: number of their model calls.
        not_asked: number of scenarios without a live requirement (``live: no``), or without model calls.
    """

    agent: str
    applicable: int
    published: int
    stopped: Mapping[str, int]
    calls: int
    not_asked: int

    @property
    def cells(self) -> tuple[str, ...]:
        """The row of the table with ``HEADER``."""
        reasons = [f"{reason} {count}" for reason, count in self.stopped.items()]
        more = len(reasons) - _MAX_REASONS
        why = ", ".join([*reasons[:_MAX_REASONS], *([f"{more} more reasons"] if more > 0 else [])])
        numbers = (self.applicable, self.published, sum(self.stopped.values()), self.calls)
        return (self.agent, *map(str, numbers), str(self.not_asked or ""), why)


def live_figures(
    results: Iterable[ScenarioResult], not_asked: Mapping[str, int] | None = None
) -> tuple[LiveFigures, ...]:
    """Return the figures by agent and variant; empty if no live model was used.

    Args:
        results: the results of a run.
        not_asked: number of scenarios left out because of ``live: no``, by agent.
    """
    groups: dict[str, list[ScenarioResult]] = {agent: [] for agent in not_asked or ()}
    for result in results:
        if result.live is not None:
            groups.setdefault(result.agent_shown, []).append(result)
    return tuple(_figures(name, groups[name], (not_asked or {}).get(name, 0)) for name in sorted(groups))


def _figures(name: str, results: Sequence[ScenarioResult], not_asked: int) -> LiveFigures:
    finished = [result for result in results if result.live == "asked" and result.status is not None]
    stopped = Counter(str(result.stop_reason) for result in finished if result.status != "ok")
    return LiveFigures(
        agent=name,
        applicable=len(finished),
        published=sum(result.status == "ok" for result in finished),
        stopped=dict(sorted(stopped.items(), key=lambda item: (-item[1], item[0]))),
        calls=sum(len(result.calls) for result in finished),
        not_asked=not_asked + sum(result.live == "not asked" for result in results),
    )
