"""What a report is of: a run's record, its comparison with what was before, its prices, and the counts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal, Protocol, TypeAlias

from redpen_evals.comparison import Change, Comparison, Key, Kind
from redpen_evals.exit_codes import OUTCOMES, Outcome
from redpen_evals.live_figures import LiveFigures, live_figures
from redpen_evals.records import BASE_VARIANT, Record, RunStart, ScenarioResult
from redpen_evals.records.model import canned_note, policy_note
from redpen_evals.records.places import RunFolder
from redpen_evals.scenario_library.layout import Layout
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


Verdict: TypeAlias = Literal["passed", "failed", "stale", "errored", "incomplete", "empty"]
"""``incomplete``: the run was killed. ``empty``: no scenario and no scorecard ran."""

WEIGHT: Final[tuple[Outcome, ...]] = ("errored", "failed", "stale", "passed")
"""Outcomes, the one that a reader has to see first in front."""

_NOTABLE: Final[tuple[Kind, ...]] = ("regressed", "improved", "changed", "new", "gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Notable:
    """Results that a reader has to see, all for one reason.

    Attributes:
        outcome: of all of them.
        kind: class of their change, where it is worth a word.
        reason: the first one, on one line, or what changed; empty where neither is known.
        results: at least one.
    """

    outcome: Outcome
    kind: Kind | None
    reason: str
    results: tuple[ScenarioResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a report is of.

    Attributes:
        record: of the run.
        prices: what models cost; None where nobody said.
        previous: a run before it, with whose prompts and results it is compared; None for the baseline.
        compared: whether there is something to compare with.
        changes: since then, by what they are of, the same ones included; empty without.
        variants: labels in the run's order; also those that only results name.
        agents: names, sorted.
        layout: where recordings and scenarios are; None where that is not known.
        runs: where other runs are; likewise.
    """

    record: Record
    prices: PriceList | None
    previous: Record | None
    compared: bool
    changes: Mapping[Key, Change]
    variants: tuple[str, ...]
    agents: tuple[str, ...]
    layout: Layout | None = None
    runs: RunFolder | None = None

    @property
    def results(self) -> tuple[ScenarioResult, ...]:
        """All results."""
        return self.record.results

    @property
    def against(self) -> str:
        """What the run is compared with, in words."""
        return f"run {self.previous.start.id}" if self.previous else "the baseline"

    @property
    def counts(self) -> dict[Outcome, int]:
        """Results by outcome, zeros included."""
        return count(self.results)

    @property
    def kinds(self) -> dict[Kind, int]:
        """Changes by kind that are worth a word, zeros left out."""
        counted = Counter(change.kind for change in self.changes.values())
        return {kind: counted[kind] for kind in _NOTABLE if counted[kind]}

    @property
    def breaches(self) -> tuple[str, ...]:
        """What the scorecard's gate holds against the guards, a line a threshold."""
        lines = (line for card in self.record.scorecards for line in card.breaches)
        # An indented line belongs to the one above it: it names the texts at fault.
        return tuple(line for line in lines if not line[:1].isspace())

    @property
    def live(self) -> tuple[LiveFigures, ...]:
        """What live models came to, by agent; nothing where none was asked."""
        end = self.record.end
        return live_figures(self.results, end.not_asked if end is not None else None)

    @property
    def scripted(self) -> bool:
        """Whether no real model was asked, now or when the calls were recorded."""
        return self.record.start.model == "scripted"

    @property
    def canned(self) -> str:
        """What is said of runs whose tools were canned; empty where there is none."""
        return canned_note(self.results)

    @property
    def policy(self) -> str:
        """What is said of the policy packs that runs were held to; empty for the built-in one."""
        return policy_note(self.results)

    @property
    def verdict(self) -> Verdict:
        """The run in a word, the worst first."""
        counts, end = self.counts, self.record.end
        if end is None:
            return "incomplete"
        if not self.results and not self.record.scorecards:
            return "empty"
        # A run may be told to fail for what regressed alone; its exit code knows.
        if not end.exit_code:
            return "passed"
        if counts["failed"] or self.breaches:
            return "failed"
        if counts["errored"]:
            return "errored"
        return "stale" if counts["stale"] else "failed"

    @property
    def headline(self) -> str:
        """The run in a line, e.g. ``3 failed, 2 stale of 606``."""
        counts, kinds = self.counts, self.kinds
        parts = [f"{counts[outcome]:,} {outcome}" for outcome in WEIGHT[1::-1] if counts[outcome]]
        parts += [f"{counts['stale']:,} stale"] if counts["stale"] else []
        total = f"{len(self.results):,} {'result' if len(self.results) == 1 else 'results'}"
        if parts:
            message = f"{', '.join(parts)} of {total}"
        elif self.results:
            message = f"All {total} passed" if len(self.results) > 1 else "The one result passed"
        else:
            message = "No scenario ran"
        if regressed := kinds.get("regressed"):
            message = f"{regressed:,} regressed; {message}"
        if self.breaches:
            message += f"; the scorecard is under {_counted(len(self.breaches), 'threshold')}"
        return f"{message}; the run did not end" if self.record.end is None else message

    def spending(self, results: Iterable[ScenarioResult] | None = None) -> Spending:
        """Return what results took; by default all of them."""
        return spending(self.results if results is None else results, self.record.start, self.prices)

    def judging(self) -> Spending:
        """Return what it took to ask models about revisions, which ``spending`` holds too."""
        return self.spending(judging(self.results))

    def kind(self, result: ScenarioResult) -> Kind | None:
        """Return the class of a result's change; None where nothing was compared."""
        change = self.changes.get(result.key)
        return None if change is None else change.kind

    def notable(self) -> list[Notable]:
        """Return the results that a reader has to see, the weightiest first, those of one reason together."""
        ordered = [(rank, result) for result in self.results if (rank := self._rank(result)) is not None]
        groups: dict[tuple[int, Outcome, Kind | None, str], list[ScenarioResult]] = {}
        for rank, result in sorted(ordered, key=lambda pair: (pair[0], pair[1].agent, pair[1].key)):
            kind = self.kind(result)
            worth_naming = kind if kind in _NOTABLE else None
            reason = result.summary or self._what_changed(result)
            groups.setdefault((rank, result.outcome, worth_naming, reason), []).append(result)
        return [
            Notable(outcome=outcome, kind=kind, reason=reason, results=tuple(results))
            for (_, outcome, kind, reason), results in groups.items()
        ]

    def gone(self) -> list[Key]:
        """Return what is only on the side before, sorted."""
        return sorted(key for key, change in self.changes.items() if change.kind == "gone")

    def _what_changed(self, result: ScenarioResult) -> str:
        change = self.changes.get(result.key)
        if change is None or change.aspect is None:
            return ""
        return f"{change.aspect}: {', '.join(name.replace('_', ' ') for name in change.fields)}"

    def _rank(self, result: ScenarioResult) -> int | None:
        kind = self.kind(result)
        if kind == "regressed":
            return 0
        if result.outcome != "passed":
            return 1 + (1, 0, 2).index(WEIGHT.index(result.outcome))
        if kind == "changed":
            return 4
        return 5 if kind == "improved" else None


def subject_of(
    record: Record,
    *,
    comparison: Comparison | None = None,
    prices: PriceList | None = None,
    previous: Record | None = None,
    layout: Layout | None = None,
    runs: RunFolder | None = None,
) -> Subject:
    """Return what a report is of.

    Args:
        record: of the run.
        comparison: of its results with those of the previous run, or without one with the baseline.
        prices: what models cost.
        previous: a run before it.
        layout: where recordings and scenarios are; None where that is not known.
        runs: where other runs are; likewise.
    """
    labels = dict.fromkeys([*record.start.variants, *(result.variant for result in record.results)])
    return Subject(
        record=record,
        prices=prices,
        previous=previous,
        compared=comparison is not None,
        changes={change.key: change for change in comparison.changes} if comparison else {},
        variants=tuple(labels) or (BASE_VARIANT,),
        agents=tuple(sorted({result.agent for result in record.results})),
        layout=layout,
        runs=runs,
    )


def count(results: Iterable[ScenarioResult]) -> dict[Outcome, int]:
    """Return how many results have each outcome, zeros included."""
    counted = Counter(result.outcome for result in results)
    return {outcome: counted[outcome] for outcome in OUTCOMES}


def grouped(
    results: Iterable[ScenarioResult], by: Literal["agent", "variant"]
) -> dict[str, list[ScenarioResult]]:
    """Return results by agent or by variant, in the order in which they came."""
    groups: dict[str, list[ScenarioResult]] = defaultdict(list)
    for result in results:
        groups[getattr(result, by)].append(result)
    return groups


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"
