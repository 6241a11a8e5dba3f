"""The pass matrix: one row per scenario, its runs by variant and sample."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redpen_evals.exit_codes import Outcome
from redpen_evals.records import ScenarioResult
from redpen_evals.reports.marking import Piece, compared, marked
from redpen_evals.reports.subject import WEIGHT, Spending, Subject, count
from redpen_evals.reports.templating import scenario_anchor

_MAX_REASON_CHARS = 8_000
_MAX_DIFFERENCES = 50
_EXPECTED = re.compile(r"(?P<name>[^\n]{0,200}?): expected (?P<expected>.+?), got (?P<got>.+)", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One scenario.

    Attributes:
        anchor: URL fragment of it.
        outcomes: of all its runs, the worst first.
        kinds: notable classes of change.
        results: its runs, by variant and sample.
    """

    scenario: str
    agent: str
    anchor: str
    tags: tuple[str, ...]
    outcomes: tuple[Outcome, ...]
    kinds: tuple[str, ...]
    spending: Spending
    results: tuple[ScenarioResult, ...]


def side_by_side(results: Sequence[ScenarioResult]) -> list[tuple[ScenarioResult, tuple[Piece, ...]]]:
    """Return each variant's first run with its published text; nothing for one variant.

    For all but the first variant, the text is the changes from the first.
    """
    first_runs: dict[str, ScenarioResult] = {}
    for result in results:
        first_runs.setdefault(result.variant, result)
    base, *others = first_runs.values()
    texts = [marked(base.answer or "")]
    for result in others:
        answer = result.answer or ""
        texts.append(compared(base.answer, answer) if base.answer and answer else marked(answer))
    return list(zip(first_runs.values(), texts, strict=True)) if others else []


def rows(subject: Subject) -> Iterator[Row]:
    """Yield the scenarios of a run by agent and id."""
    groups: dict[tuple[str, str], list[ScenarioResult]] = {}
    for result in subject.results:
        groups.setdefault((result.agent, result.scenario), []).append(result)
    order = {variant: at for at, variant in enumerate(subject.variants)}
    for (agent, scenario), group in sorted(groups.items(), key=lambda item: item[0]):
        results = sorted(group, key=lambda result: (order[result.variant], result.sample))
        counts = count(results)
        changes = [change for result in results if (change := subject.change(result)) is not None]
        yield Row(
            scenario=scenario,
            agent=agent,
            anchor=scenario_anchor(scenario),
            tags=tuple(dict.fromkeys(tag for result in results for tag in result.tags)),
            outcomes=tuple(outcome for outcome in WEIGHT if counts[outcome]),
            kinds=tuple(dict.fromkeys(change.kind for change in changes)),
            spending=subject.spending(results),
            results=tuple(results),
        )


def differences(result: ScenarioResult) -> list[tuple[str, tuple[Piece, ...]]]:
    """Return the values that a failed run did not meet, each with the changes from expected to actual."""
    reasons = result.reasons[:_MAX_DIFFERENCES] if result.outcome == "failed" else ()
    matches = (_EXPECTED.fullmatch(reason[:_MAX_REASON_CHARS]) for reason in reasons)
    return [(match["name"], compared(match["expected"], match["got"])) for match in matches if match]


def value_text(value: object) -> str:
    """Return a field of a compared result as text."""
    if value is None or value == ():
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)
