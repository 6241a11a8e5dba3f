"""A judge as a guard set of the scorecard, with notes on its standing, use and cost."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.judges import Judge, judge_names, load_judge
from redpen.judges.measured import Bounds, Measured, measured_path, read_measured
from redpen.screen import counted
from redpen_evals.atomic_write import replace_file
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.guard_adapters.verdicts import GUARD_ERROR, Judgement
from redpen_evals.judges.judging import DraftAnswer, JudgeRuns, judged_draft_id
from redpen_evals.options import JUDGE_PREFIX
from redpen_evals.prices import Prices, format_usd
from redpen_evals.scenario_library.drafts import LabelledDraft, Split, read_draft_file, read_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import Scored
from redpen_evals.scorecard.wilson import Rate

_SCRIPTED: Final = "its answers are scripted from the labels, so its figures say nothing about a model"


@dataclass(kw_only=True)
class JudgeGuards:
    """Judges labelled drafts with a model.

    Attributes:
        runs: calls the judge.
        layout: the folders of the library, for the judge's own drafts.
        prices: the price table.
        answers: the judge's answers by draft id.
    """

    runs: JudgeRuns
    layout: Layout
    prices: Prices
    answers: dict[str, DraftAnswer] = field(default_factory=dict)

    def __call__(self, *, original: str, revised: str, context: Mapping[str, object]) -> object:
        """Raise ConfigurationError: without a label there is no scripted answer."""
        del original, revised, context
        raise ConfigurationError(f"{self.name} can only be scored on labelled drafts")

    @property
    def name(self) -> str:
        """The name of the guard set."""
        return f"{JUDGE_PREFIX}{self.runs.judge.path.stem}"

    @property
    def judge(self) -> Judge:
        """The judge."""
        return self.runs.judge

    def drafts(self, split: Split, drafts: Sequence[LabelledDraft]) -> tuple[LabelledDraft, ...]:
        """Return the drafts for the judge: those that pass, those to block of its families, and its own.

        Its questions do not cover drafts that are blocked for other reasons.

        Args:
            split: the split of the drafts.
            drafts: the drafts of the library.

        Raises:
            FileError: the file of its own drafts is invalid.
        """
        families = self._families
        selected = [
            draft
            for draft in drafts
            if draft.item.label == "pass" or not families or draft.item.family in families
        ]
        own = _own_drafts(self.layout, self.judge.path.stem)
        return (*selected, *(draft for draft in own if draft.item.split == split))

    def judge_all(self, drafts: Sequence[LabelledDraft]) -> tuple[Judgement, ...]:
        """Judge drafts; raises RedpenError if recordings are missing, stale or cannot be made."""
        answers = self.runs.ask(drafts)
        self.answers |= {draft.id: answer for draft, answer in zip(drafts, answers, strict=True)}
        families = {question.id: question.family for question in self.judge.questions}
        return tuple(
            _judgement(answer, draft, families) for draft, answer in zip(drafts, answers, strict=True)
        )

    def measured(self, scored: Sequence[Scored]) -> Measured:
        """Return the judge's rates; an unreadable answer counts against it in both rates."""
        block = [draft.judgement for draft in scored if draft.item.label == "block"]
        sound = [draft.judgement for draft in scored if draft.item.label == "pass"]
        return Measured(
            judge=self.judge.hash,
            catch=_bounds(
                sum(judgement.blocked and judgement.error is None for judgement in block), len(block)
            ),
            false_alarms=_bounds(sum(judgement.blocked for judgement in sound), len(sound)),
            errored=sum(draft.judgement.error is not None for draft in scored),
        )

    def reached(self, scored: Sequence[Scored]) -> dict[str, Any]:
        """Return the judge's rates with its name and model, as JSON values."""
        measured = self.measured(scored).model_dump(mode="json")
        return {"judge": self.judge.path.stem, "model": self.judge.model, "measured": measured}

    def notes(self, scored: Sequence[Scored], behind: Sequence[Scored]) -> list[str]:
        """Return the scorecard's notes on the judge: its standing, its use after the guards, its cost.

        Args:
            scored: its judgements on the drafts of a split.
            behind: the judgements of Redpen's guards on that split.
        """
        reached = self.measured(scored)
        judge = replace(self.judge, measured=reached)
        standing = judge.standing.removeprefix("judge ")
        lines = [f"{self.name}: {standing}"]
        if self.judge.model == SCRIPTED_MODEL:
            lines.append(f"{self.name}: scripted: {_SCRIPTED}")
        if self.judge.measured != reached:
            lines.append(f"{self.name}: not saved; --update-scorecard saves it for runs")
        if reached.errored:
            errors = sorted({draft.judgement.error or "" for draft in scored} - {""})
            lines.append(f"{self.name}: {reached.errored} answers could not be read, such as {errors[0]}")
        warnings = [text for draft in scored for text in self._answer_warnings(draft.id)]
        if warnings:
            count = len(warnings) - 1
            more = f"; and {counted(count, 'more recording')}" if count else ""
            lines.append(f"{self.name}: {warnings[0]}{more}")
        return [*lines, *self._use(scored, behind), self._cost(scored)]

    def _answer_warnings(self, draft_id: str) -> tuple[str, ...]:
        answer = self.answers.get(draft_id)
        return answer.warnings if answer is not None else ()

    def _use(self, scored: Sequence[Scored], behind: Sequence[Scored]) -> list[str]:
        """Return a note on its use in runs: on drafts that the guards pass."""
        passed_ids = {draft.id for draft in behind if not draft.judgement.blocked}
        passed = [draft for draft in scored if draft.id in passed_ids]
        missed = [draft for draft in passed if draft.item.label == "block"]
        sound = [draft for draft in passed if draft.item.label == "pass"]
        if not passed:
            return []
        caught = sum(draft.judgement.blocked and draft.judgement.error is None for draft in missed)
        alarms = sum(draft.judgement.blocked for draft in sound)
        use = f"catches {caught} of {len(missed)} breaches, blocks {alarms} of {len(sound)} sound ones"
        return [f"{self.name}: after redpen, of the drafts that it passes: {use}"]

    def _cost(self, scored: Sequence[Scored]) -> str:
        answers = [self.answers[draft.id] for draft in scored if draft.id in self.answers]
        calls = sum(len(answer.calls) for answer in answers)
        tokens = [answer.tokens for answer in answers]
        prompt, completion = sum(pair[0] for pair in tokens), sum(pair[1] for pair in tokens)
        usd = self.prices.cost_usd(self.judge.model, prompt, completion)
        if self.judge.model == SCRIPTED_MODEL:
            price = "free: scripted"
        else:
            price = f"no price for {self.judge.model}" if usd is None else format_usd(usd)
        return (
            f"{self.name}: cost of judging: {calls:,} calls, {prompt:,} prompt and {completion:,} "
            f"completion tokens, {price}"
        )

    @property
    def _families(self) -> frozenset[str]:
        questions = [question for question in self.judge.questions if question.on_yes == "block"]
        families = [question.family for question in questions]
        return frozenset() if None in families else frozenset(filter(None, families))


def load_judge_guards(place: str, runs: JudgeRuns, *, layout: Layout, prices: Prices) -> GuardSet:
    """Return the guard set of a judge, which has its own gate instead of a thresholds file."""
    guards = JudgeGuards(runs=runs, layout=layout, prices=prices)
    return GuardSet(name=place, guards=guards, recorded=False, model_guards=guards)


def judged_drafts(layout: Layout) -> frozenset[str]:
    """Return the cassette ids of all existing judges on labelled drafts."""
    library = read_drafts(layout).drafts
    ids: set[str] = set()
    for judge in judge_names(layout.judges):
        own = _own_drafts(layout, judge)
        ids.update(judged_draft_id(judge, draft) for draft in (*library, *own))
    return frozenset(ids)


def named_judge(place: str, *, folder: Path | None, model: str) -> Judge:
    """Load the judge of ``judge:NAME``.

    Raises:
        ConfigurationError: there is no such judge, or its file is invalid.
    """
    try:
        return load_judge(place.removeprefix(JUDGE_PREFIX), folder=folder, model=model)
    except ConfigurationError as error:
        raise ConfigurationError(f"--guards {place!r}: {error}") from error


def _judgement(answer: DraftAnswer, draft: LabelledDraft, families: Mapping[str, str | None]) -> Judgement:
    if answer.report is None:
        return Judgement(blocked=True, codes=(GUARD_ERROR,), error=answer.error)
    item, violations = draft.item, answer.report.violations
    # Questions have no guard codes, so a yes to the question of the draft's family counts as its code.
    codes = [
        item.codes[0] if item.codes and families[violation.family] == item.family else violation.code
        for violation in violations
    ]
    return Judgement(
        blocked=bool(violations),
        codes=tuple(codes),
        concerned=bool(answer.report.concerns),
        spans=tuple(violation.span for violation in violations),
    )


def _bounds(hits: int, total: int) -> Bounds:
    low, high = Rate(hits=hits, total=total).interval
    # Rounded outwards, so that no rounding lets a judge pass its gate.
    return Bounds(hits=hits, total=total, low=math.floor(low * 100) / 100, high=math.ceil(high * 100) / 100)


def _own_drafts(layout: Layout, judge: str) -> tuple[LabelledDraft, ...]:
    path = layout.judges / f"{judge}.drafts.yaml" if layout.judges is not None else None
    return read_draft_file(layout, path, judge) if path is not None and path.exists() else ()


def record_reached(folder: Path, reached: Iterable[Mapping[str, Any]]) -> tuple[Path, ...]:
    """Write the judges' rates next to their files, and return the files that changed.

    Args:
        folder: the folder of the project's judges; it is created.
        reached: ``judge``, ``model`` and ``measured`` of each.

    Raises:
        ConfigurationError: an existing file cannot be read.
        OSError: a file cannot be written.
    """
    changed = []
    for entry in reached:
        path = measured_path(folder, str(entry["judge"]))
        before = read_measured(path)
        models = dict(before.models) | {str(entry["model"]): Measured.model_validate(entry["measured"])}
        after = before.model_copy(update={"models": dict(sorted(models.items()))})
        if after == before:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(after.model_dump(mode="json"), indent=2, ensure_ascii=False)
        replace_file(path, f"{text}\n".encode())
        changed.append(path)
    return tuple(changed)
