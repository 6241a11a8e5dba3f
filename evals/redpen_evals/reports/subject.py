"""The subject of a report: a run's record, its comparison with an earlier one, prices and counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass
from decimal import Decimal
from functools import cached_property
from typing import Final, Literal, TypeAlias

from redpen.screen import counted
from redpen_evals.comparison.changes import Change, Comparison, Key, Kind
from redpen_evals.exit_codes import OUTCOMES, Outcome
from redpen_evals.live_figures import LiveFigures, live_figures
from redpen_evals.prices import Prices
from redpen_evals.records import BASE_VARIANT, Record, RunStart, ScenarioResult
from redpen_evals.records.model import canned_note, policy_note
from redpen_evals.records.places import RunFolder
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.variants import split_model


@dataclass(frozen=True, slots=True, kw_only=True)
class Spending:
    """The recorded calls, tokens and cost of a group of runs; a replay costs nothing.

    Attributes:
        usd: cost at the listed prices; None without a price list, or if a model has no price.
        priced: whether any cost above zero is known; scripted recordings cost nothing.
        unpriced: models that have no price, sorted; empty without a price list.
    """

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
"""Phases in which a built-in agent has a model judge a revision."""


def judging(results: Iterable[ScenarioResult]) -> list[ScenarioResult]:
    """Return the results in which models judged revisions, with only those calls."""
    judged = []
    for result in results:
        calls = tuple(call for call in result.calls if call.phase in JUDGE_PHASES)
        if calls and result.agent in BUILT_IN_AGENTS:
            judged.append(result.model_copy(update={"calls": calls}))
    return judged


def model_of(start: RunStart, variant: str) -> str:
    """Return the model whose recordings a variant used: that of its label, or the run's."""
    return split_model(variant)[0] or start.model


Verdict: TypeAlias = Literal["passed", "failed", "stale", "errored", "incomplete", "empty"]
"""``incomplete``: the run was killed. ``empty``: no scenario and no scorecard ran."""

WEIGHT: Final[tuple[Outcome, ...]] = ("errored", "failed", "stale", "passed")
"""Outcomes, the worst first."""

BASE_NAME: Final = "base"

_NOTABLE: Final[tuple[Kind, ...]] = ("regressed", "improved", "changed", "new", "gone")
_PASSIVE: Final[frozenset[Kind]] = frozenset({"same", "undecided"})
_CAUSES: Final = ("regressed", "failed", "errored", "stale", "changed", "improved")
"""Classes of change and outcomes for which a reader has to see a result, the worst first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notable:
    """One or more results that a reader has to see, with their outcome.

    Attributes:
        kind: class of their change, if it is notable.
        reason: the first one, on one line, or the changed fields; may be empty.
    """

    outcome: Outcome
    kind: Kind | None
    reason: str
    results: tuple[ScenarioResult, ...]


@dataclass(frozen=True)
class Subject:
    """The subject of a report.

    Attributes:
        comparison: of the results with those of the previous run, or without one with the baseline; None if
            nothing was compared.
        prices: the price list, if there is one.
        previous: an earlier run whose prompts and results it is compared with; None for the baseline.
        layout: folders of recordings and scenarios; None if unknown.
        runs: folder of other runs; likewise.
    """

    record: Record
    _: KW_ONLY
    comparison: Comparison | None = None
    prices: Prices | None = None
    previous: Record | None = None
    layout: Layout | None = None
    runs: RunFolder | None = None

    @property
    def compared(self) -> bool:
        """Whether there is something to compare with."""
        return self.comparison is not None

    @cached_property
    def changes(self) -> Mapping[Key, Change]:
        """The changes by key, unchanged results included; empty without a comparison."""
        return {change.key: change for change in self.comparison.changes} if self.comparison else {}

    @cached_property
    def variants(self) -> tuple[str, ...]:
        """Labels of variants in the run's order, including those that only results have."""
        labels = dict.fromkeys([*self.record.start.variants, *(result.variant for result in self.results)])
        return tuple(labels) or (BASE_VARIANT,)

    @property
    def results(self) -> tuple[ScenarioResult, ...]:
        """All results."""
        return self.record.results

    @property
    def against(self) -> str:
        """The name of what the run is compared with."""
        return f"run {self.previous.start.id}" if self.previous else "the baseline"

    @property
    def counts(self) -> dict[Outcome, int]:
        """Results by outcome, zeros included."""
        return count(self.results)

    @property
    def kinds(self) -> dict[Kind, int]:
        """Notable changes by kind, without zeros."""
        counted = Counter(change.kind for change in self.changes.values())
        return {kind: counted[kind] for kind in _NOTABLE if counted[kind]}

    @property
    def breaches(self) -> tuple[str, ...]:
        """The thresholds of the scorecard that the guards miss, one per line."""
        lines = (line for card in self.record.scorecards for line in card.breaches)
        # An indented line lists the texts that caused the line above it.
        return tuple(line for line in lines if not line[:1].isspace())

    @property
    def live(self) -> tuple[LiveFigures, ...]:
        """Figures of live models by agent; empty if none was asked."""
        end = self.record.end
        return live_figures(self.results, end.not_asked if end is not None else None)

    @property
    def scripted(self) -> bool:
        """Whether the model is scripted, so that no call ever reached a real one."""
        return self.record.start.model == "scripted"

    @property
    def canned(self) -> str:
        """The note on runs with canned tools; empty without any."""
        return canned_note(self.results)

    @property
    def policy(self) -> str:
        """The note on the policy packs that judged runs; empty for the built-in policy."""
        return policy_note(self.results)

    @property
    def verdict(self) -> Verdict:
        """The run in a word: its worst outcome."""
        counts, end = self.counts, self.record.end
        if end is None or self.record.is_cut_short:
            return "incomplete"
        if not self.results and not self.record.scorecards:
            return "empty"
        # With `--fail-on regressed` only the exit code tells whether the run failed.
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
        total = counted(len(self.results), "result")
        if parts:
            message = f"{', '.join(parts)} of {total}"
        elif self.results:
            message = f"All {total} passed" if len(self.results) > 1 else "The one result passed"
        else:
            message = "No scenario ran"
        if regressed := kinds.get("regressed"):
            message = f"{regressed:,} regressed; {message}"
        if self.breaches:
            message += f"; the scorecard is under {counted(len(self.breaches), 'threshold')}"
        return f"{message}; the run did not end" if self.record.is_cut_short else message

    def spending(self, results: Iterable[ScenarioResult] | None = None) -> Spending:
        """Return the recorded calls, tokens and cost of results; by default of all."""
        calls = 0
        tokens: dict[str, tuple[int, int]] = {}
        for result in self.results if results is None else results:
            calls += len(result.calls)
            model = model_of(self.record.start, result.variant)
            prompt, completion = tokens.get(model, (0, 0))
            tokens[model] = prompt + result.prompt_tokens, completion + result.completion_tokens
        # A model without tokens needs no price.
        spent = {model: pair for model, pair in tokens.items() if any(pair)}
        usd, unpriced = self.prices.total_usd(spent) if self.prices else (None, [])
        return Spending(
            calls=calls,
            prompt_tokens=sum(prompt for prompt, _ in tokens.values()),
            completion_tokens=sum(completion for _, completion in tokens.values()),
            usd=None if unpriced else usd,
            priced=bool(usd),
            unpriced=tuple(sorted(unpriced)),
        )

    def judging(self) -> Spending:
        """Return the spending for models that judge revisions, which ``spending`` includes."""
        return self.spending(judging(self.results))

    def change(self, result: ScenarioResult) -> Change | None:
        """Return the change of a result, unless a reader need not see it: ``same`` or ``undecided``."""
        change = self.changes.get(result.key)
        return None if change is None or change.kind in _PASSIVE else change

    def notable(self) -> list[Notable]:
        """Return the results that a reader has to see, the worst first, grouped by reason."""
        groups: dict[tuple[int, Outcome, Kind | None, str], list[ScenarioResult]] = {}
        for result in sorted(self.results, key=lambda result: (result.agent, result.key)):
            change = self.change(result)
            kind = None if change is None else change.kind
            cause = kind if kind == "regressed" or result.outcome == "passed" else result.outcome
            if cause not in _CAUSES:
                continue
            reason = result.summary
            if not reason and change is not None and change.aspect is not None:
                names = (name.replace("_", " ") for name in change.fields)
                reason = f"{change.aspect}: {', '.join(names)}"
            groups.setdefault((_CAUSES.index(cause), result.outcome, kind, reason), []).append(result)
        return [
            Notable(outcome=outcome, kind=kind, reason=reason, results=tuple(results))
            for (_, outcome, kind, reason), results in sorted(groups.items(), key=lambda group: group[0][0])
        ]

    def groups(self, by: Literal["agent", "variant"]) -> dict[str, list[ScenarioResult]]:
        """Return the results by the names of agents or variants, also of variants without results."""
        agents = sorted({result.agent for result in self.results})
        names = agents if by == "agent" else [variant_name(variant) for variant in self.variants]
        groups: dict[str, list[ScenarioResult]] = {name: [] for name in names}
        for result in self.results:
            groups[result.agent if by == "agent" else variant_name(result.variant)].append(result)
        return groups

    def gone(self) -> list[Key]:
        """Return the keys that only the earlier side has, sorted."""
        return sorted(key for key, change in self.changes.items() if change.kind == "gone")


def count(results: Iterable[ScenarioResult]) -> dict[Outcome, int]:
    """Return how many results have each outcome, zeros included."""
    counted = Counter(result.outcome for result in results)
    return {outcome: counted[outcome] for outcome in OUTCOMES}


def variant_name(variant: str) -> str:
    """Return the name of a variant, the base included."""
    return BASE_NAME if variant == BASE_VARIANT else variant
