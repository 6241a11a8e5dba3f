"""The pass matrix: one row per scenario, its runs by variant and sample."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from redpen_evals.comparison import Behaviour, Change, Kind
from redpen_evals.exit_codes import Outcome
from redpen_evals.records import ScenarioResult
from redpen_evals.reports.history import History
from redpen_evals.reports.marking import Piece, TextView, compared, marked, view_texts
from redpen_evals.reports.steps import Step, view_own_steps, view_steps
from redpen_evals.reports.subject import WEIGHT, Spending, Subject, count
from redpen_evals.reports.templating import run_anchor, scenario_anchor, variant_name
from redpen_evals.reports.timelines import Timeline
from redpen_evals.reports.transcripts import Transcript

_MAX_REASON_CHARS = 8_000
_MAX_DIFFERENCES = 50
_EXPECTED = re.compile(r"(?P<name>[^\n]{0,200}?): expected (?P<expected>.+?), got (?P<got>.+)", re.DOTALL)
_PASSIVE: frozenset[Kind] = frozenset({"same", "undecided"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell:
    """The runs of one scenario and variant.

    Attributes:
        variant: its name.
        outcome: the worst; None if none ran.
        passed: runs that passed.
        total: runs.
        rest: further outcomes, e.g. ``1 stale``.
    """

    variant: str
    outcome: Outcome | None
    passed: int
    total: int
    rest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One scenario.

    Attributes:
        scenario: id.
        anchor: URL fragment of it.
        title: of the scenario.
        agent: under test.
        context: name of its context or plan.
        tags: its labels.
        outcome: the worst of its runs.
        outcomes: of all its runs, the worst first.
        kinds: notable classes of change.
        cells: by variant.
        spending: of all its runs.
        results: its runs, by variant and sample.
    """

    scenario: str
    anchor: str
    title: str
    agent: str
    context: str | None
    tags: tuple[str, ...]
    outcome: Outcome
    outcomes: tuple[Outcome, ...]
    kinds: tuple[str, ...]
    cells: tuple[MatrixCell, ...]
    spending: Spending
    results: tuple[ScenarioResult, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunView:
    """One run, as it is shown.

    Attributes:
        result: the line of the record.
        anchor: URL fragment of it.
        variant: its name.
        change: since the result before; None if nothing was compared or changed.
        fields: differences from the result before as name, before, after; without the texts.
        rewording: changes of the published text.
        texts: draft and answer, with their findings.
        steps: of the run.
        spending: of the run.
        differences: names of values, and the changes from the expected to the actual value.
        transcript: the conversation; None if it was not looked up.
        timeline: its events; None if none were stored.
        history: of the last runs; None if they are unknown.
    """

    result: ScenarioResult
    anchor: str
    variant: str
    change: Change | None
    fields: tuple[tuple[str, str, str], ...]
    rewording: tuple[Piece, ...]
    texts: TextView
    steps: tuple[Step, ...]
    spending: Spending
    differences: tuple[tuple[str, tuple[Piece, ...]], ...] = ()
    transcript: Transcript | None = None
    timeline: Timeline | None = None
    history: History | None = None


def side_by_side(runs: Sequence[RunView]) -> list[tuple[RunView, tuple[Piece, ...]]]:
    """Return each variant's first run with its published text; nothing for one variant.

    For all but the first variant, the text is the changes from the first.
    """
    first_runs: dict[str, RunView] = {}
    for run in runs:
        first_runs.setdefault(run.variant, run)
    base, *others = first_runs.values()
    texts = [marked(base.result.answer or "")]
    for run in others:
        answer = run.result.answer or ""
        texts.append(
            compared(base.result.answer, answer) if base.result.answer and answer else marked(answer)
        )
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
        outcomes = tuple(outcome for outcome in WEIGHT if counts[outcome])
        kinds = dict.fromkeys(kind for result in results if (kind := subject.kind(result)) is not None)
        yield Row(
            scenario=scenario,
            anchor=scenario_anchor(scenario),
            title=results[0].title,
            agent=agent,
            context=results[0].context,
            tags=tuple(dict.fromkeys(tag for result in results for tag in result.tags)),
            outcome=outcomes[0],
            outcomes=outcomes,
            kinds=tuple(kind for kind in kinds if kind not in _PASSIVE),
            cells=tuple(
                _cell(variant, [result for result in results if result.variant == variant])
                for variant in subject.variants
            ),
            spending=subject.spending(results),
            results=tuple(results),
        )


def view_run(
    result: ScenarioResult,
    subject: Subject,
    *,
    transcript: Transcript | None = None,
    timeline: Timeline | None = None,
    history: History | None = None,
) -> RunView:
    """Return one run as it is shown; the arguments are the attributes of the view."""
    change = subject.changes.get(result.key)
    if change is not None and change.kind in _PASSIVE:
        change = None
    before, after = (change.before, change.after) if change else (None, None)
    return RunView(
        result=result,
        anchor=run_anchor(result.scenario, result.variant, result.sample),
        variant=variant_name(result.variant),
        change=change,
        fields=tuple(_fields(change, before, after)) if change and before and after else (),
        rewording=_rewording(before, after) if change and change.rewords else (),
        texts=view_texts(result.detail, result.answer, result.refused),
        steps=(*view_steps(result), *view_own_steps(result.detail)),
        spending=subject.spending([result]),
        differences=tuple(_differences(result)),
        transcript=transcript,
        timeline=timeline,
        history=history,
    )


def _differences(result: ScenarioResult) -> Iterator[tuple[str, tuple[Piece, ...]]]:
    if result.outcome != "failed":
        return
    for reason in result.reasons[:_MAX_DIFFERENCES]:
        if match := _EXPECTED.fullmatch(reason[:_MAX_REASON_CHARS]):
            yield match["name"], compared(match["expected"], match["got"])


def _cell(variant: str, results: Sequence[ScenarioResult]) -> MatrixCell:
    counts = count(results)
    present = [outcome for outcome in WEIGHT if counts[outcome]]
    rest = [f"{counts[outcome]} {outcome}" for outcome in present if outcome not in {"passed", "failed"}]
    return MatrixCell(
        variant=variant_name(variant),
        outcome=present[0] if present else None,
        passed=counts["passed"],
        total=len(results),
        rest=", ".join(rest),
    )


def _fields(change: Change, before: Behaviour, after: Behaviour) -> Iterator[tuple[str, str, str]]:
    for name in change.fields:
        if name != "answer" or not change.rewords:
            yield name.replace("_", " "), _text(getattr(before, name)), _text(getattr(after, name))


def _text(value: object) -> str:
    if value is None or value == ():
        return "none"
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _rewording(before: Behaviour | None, after: Behaviour | None) -> tuple[Piece, ...]:
    if before is None or after is None or before.answer is None or after.answer is None:
        return ()
    return compared(before.answer, after.answer)
