"""What runs took: tokens, and US dollars where a price is known."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Protocol

from redpen_evals.records import RunStart, ScenarioResult
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS


class PriceList(Protocol):
    """Knows what models cost."""

    def cost_usd(self, model: str, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
        """Return what calls cost, in US dollars; None where the model has no price."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """What a group of runs took, as it was recorded; a replay takes nothing.

    Attributes:
        runs: number of results.
        calls: number of model calls.
        prompt_tokens: of all requests.
        completion_tokens: of all answers.
        usd: cost at the listed prices; None without a price list, or where a model has no price.
        priced: whether a cost is known that is worth telling: scripted recordings cost nothing.
        unpriced: models that have no price, sorted; empty without a price list.
    """

    runs: int
    calls: int
    prompt_tokens: int
    completion_tokens: int
    usd: Decimal | None
    priced: bool = False
    unpriced: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Tokens of requests and answers."""
        return self.prompt_tokens + self.completion_tokens


JUDGE_PHASES: Final = frozenset({"judge", "check"})
"""Phases in which a built-in agent has a model asked about a revision."""


def judging(results: Iterable[ScenarioResult]) -> list[ScenarioResult]:
    """Return the results in which models were asked about revisions, with those calls alone."""
    found = []
    for result in results:
        calls = tuple(call for call in result.calls if call.phase in JUDGE_PHASES)
        if calls and result.agent in BUILT_IN_AGENTS:
            found.append(result.model_copy(update={"calls": calls}))
    return found


def model_of(start: RunStart, variant: str) -> str:
    """Return whose recordings a variant used: that of its label, or the run's."""
    models = [knob.removeprefix("model=") for knob in variant.split(",") if knob.startswith("model=")]
    return models[-1] if models else start.model


def spending(results: Iterable[ScenarioResult], start: RunStart, prices: PriceList | None) -> Spending:
    """Return what results took together.

    Args:
        results: of one run.
        start: its first line, which names the model.
        prices: what models cost; None where nobody said.
    """
    runs = calls = 0
    tokens: dict[str, tuple[int, int]] = {}
    for result in results:
        runs += 1
        calls += len(result.calls)
        model = model_of(start, result.variant)
        asked, answered = tokens.get(model, (0, 0))
        tokens[model] = asked + result.prompt_tokens, answered + result.completion_tokens
    # A model that was not asked needs no price.
    asked_models = {model: pair for model, pair in tokens.items() if any(pair)}
    costs = (
        {model: prices.cost_usd(model, *pair) for model, pair in asked_models.items()}
        if prices is not None
        else {}
    )
    known = [cost for cost in costs.values() if cost is not None]
    return Spending(
        runs=runs,
        calls=calls,
        prompt_tokens=sum(asked for asked, _ in tokens.values()),
        completion_tokens=sum(answered for _, answered in tokens.values()),
        usd=sum(known, Decimal(0)) if prices is not None and len(known) == len(costs) else None,
        priced=any(known),
        unpriced=tuple(sorted(model for model, cost in costs.items() if cost is None)),
    )
