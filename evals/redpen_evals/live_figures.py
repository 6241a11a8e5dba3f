"""What live models came to, by agent: how often they were asked, published and stopped, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from redpen_evals.records.model import ScenarioResult

HEADER: Final = ("live model", "applicable", "published", "stopped", "calls", "not asked", "why it stopped")
_MOST_REASONS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveFigures:
    """What one agent came to over a live model.

    Attributes:
        agent: its name, and its variant.
        applicable: finished runs in which the model was asked.
        published: those of them that published.
        stopped: why the others stopped, by stop reason, the most frequent first.
        calls: model calls of all of them.
        not_asked: scenarios of which a live model owes nothing (``live: no``), or that ask no model.
    """

    agent: str
    applicable: int
    published: int
    stopped: Mapping[str, int]
    calls: int
    not_asked: int

    @property
    def cells(self) -> tuple[str, ...]:
        """A row of the table with ``HEADER``."""
        reasons = [f"{reason} {count}" for reason, count in self.stopped.items()]
        more = len(reasons) - _MOST_REASONS
        why = ", ".join([*reasons[:_MOST_REASONS], *([f"{more} more reasons"] if more > 0 else [])])
        numbers = (self.applicable, self.published, sum(self.stopped.values()), self.calls)
        return (self.agent, *map(str, numbers), str(self.not_asked or ""), why)


def live_figures(
    results: Iterable[ScenarioResult], not_asked: Mapping[str, int] | None = None
) -> tuple[LiveFigures, ...]:
    """Return the figures by agent and variant; nothing where no live model had a part.

    Args:
        results: of a run.
        not_asked: how many scenarios were left out since a live model owes nothing, by agent.
    """
    groups: dict[str, list[ScenarioResult]] = {agent: [] for agent in not_asked or ()}
    for result in results:
        if result.live is not None:
            name = f"{result.agent} [{result.variant}]" if result.variant else result.agent
            groups.setdefault(name, []).append(result)
    return tuple(_figures(name, groups[name], (not_asked or {}).get(name, 0)) for name in sorted(groups))


def _figures(name: str, results: Sequence[ScenarioResult], not_asked: int) -> LiveFigures:
    finished = [one for one in results if one.live == "asked" and one.status is not None]
    stopped = Counter(str(one.stop_reason) for one in finished if one.status != "ok")
    return LiveFigures(
        agent=name,
        applicable=len(finished),
        published=sum(one.status == "ok" for one in finished),
        stopped=dict(sorted(stopped.items(), key=lambda item: (-item[1], item[0]))),
        calls=sum(len(one.calls) for one in finished),
        not_asked=not_asked + sum(one.live == "not asked" for one in results),
    )
