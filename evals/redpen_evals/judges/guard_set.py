"""A judge as a guard set of the scorecard, and what the scorecard says of it besides its rates."""

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
from redpen_evals.atomic_write import replace_file
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.guard_adapters.verdicts import GUARD_ERROR, Judgement
from redpen_evals.judges.judging import Asked, JudgeRuns, judged_draft_id
from redpen_evals.options import JUDGE_PREFIX
from redpen_evals.prices import Prices, format_usd
from redpen_evals.scenario_library.drafts import LabelledDraft, Split, read_draft_file, read_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import Scored
from redpen_evals.scorecard.wilson import Rate

_SCRIPTED: Final = "its answers are scripted from the labels, so its figures say nothing of any model"


@dataclass(kw_only=True)
class JudgeGuards:
    """Judges labelled drafts by asking a model.

    Attributes:
        runs: asks the judge.
        layout: where drafts of the judge's own are.
        prices: what models cost.
        asked: what came of each draft, by its id.
    """

    runs: JudgeRuns
    layout: Layout
    prices: Prices
    asked: dict[str, Asked] = field(default_factory=dict)

    def __call__(self, *, original: str, revised: str, context: Mapping[str, object]) -> object:
        """Refuse a text without a label: nothing says what a script would answer."""
        del original, revised, context
        raise ConfigurationError(f"{self.name} is scored on labelled drafts alone")

    @property
    def name(self) -> str:
        """The name of the guard set."""
        return f"{JUDGE_PREFIX}{self.runs.judge.path.stem}"

    @property
    def judge(self) -> Judge:
        """The judge."""
        return self.runs.judge

    def drafts(self, split: Split, drafts: Sequence[LabelledDraft]) -> tuple[LabelledDraft, ...]:
        """Return what it is asked about: sound drafts, those to block of its families, and its own.

        Of a draft that is to be blocked for something else no question says what is right.

        Args:
            split: of the drafts.
            drafts: of the library.

        Raises:
            FileError: the file of its own drafts has a fault.
        """
        families = self._families
        wanted = [
            draft
            for draft in drafts
            if draft.item.label == "pass" or not families or draft.item.family in families
        ]
        own = _own_drafts(self.layout, self.judge.path.stem)
        return (*wanted, *(draft for draft in own if draft.item.split == split))

    def judge_all(self, drafts: Sequence[LabelledDraft]) -> tuple[Judgement, ...]:
        """Ask about drafts; raises RedpenError where recordings are missing, do not fit or cannot be made."""
        answers = self.runs.ask(drafts)
        self.asked |= {draft.id: asked for draft, asked in zip(drafts, answers, strict=True)}
        families = {question.id: question.family for question in self.judge.questions}
        return tuple(_judgement(asked, draft, families) for draft, asked in zip(drafts, answers, strict=True))

    def measured(self, scored: Sequence[Scored]) -> Measured:
        """Return what the judge reached; an answer that could not be read counts against it in both rates."""
        block = [one.judgement for one in scored if one.item.label == "block"]
        sound = [one.judgement for one in scored if one.item.label == "pass"]
        return Measured(
            judge=self.judge.hash,
            catch=_bounds(sum(one.blocked and one.error is None for one in block), len(block)),
            false_alarms=_bounds(sum(one.blocked for one in sound), len(sound)),
            errored=sum(one.judgement.error is not None for one in scored),
        )

    def reached(self, scored: Sequence[Scored]) -> dict[str, Any]:
        """Return what the judge reached, with its name and model, as JSON values."""
        measured = self.measured(scored).model_dump(mode="json")
        return {"judge": self.judge.path.stem, "model": self.judge.model, "measured": measured}

    def notes(self, scored: Sequence[Scored], behind: Sequence[Scored]) -> list[str]:
        """Return what the scorecard says of the judge: its standing, its use behind the guards, its cost.

        Args:
            scored: what it made of the drafts of a split.
            behind: what Redpen's guards made of that split.
        """
        reached = self.measured(scored)
        judge = replace(self.judge, measured=reached)
        standing = judge.standing.removeprefix("judge ")
        lines = [f"{self.name}: {standing}"]
        if self.judge.model == SCRIPTED_MODEL:
            lines.append(f"{self.name}: scripted: {_SCRIPTED}")
        if self.judge.measured != reached:
            lines.append(f"{self.name}: not recorded; --update-scorecard lets runs know of it")
        if reached.errored:
            errors = sorted({one.judgement.error or "" for one in scored} - {""})
            lines.append(f"{self.name}: {reached.errored} answers could not be read, such as {errors[0]}")
        return [*lines, *self._use(scored, behind), self._cost(scored)]

    def _use(self, scored: Sequence[Scored], behind: Sequence[Scored]) -> list[str]:
        """Return what it adds where it runs: on what the guards let through."""
        passed = {one.id for one in behind if not one.judgement.blocked}
        left = [one for one in scored if one.id in passed]
        missed = [one for one in left if one.item.label == "block"]
        sound = [one for one in left if one.item.label == "pass"]
        if not left:
            return []
        found = sum(one.judgement.blocked and one.judgement.error is None for one in missed)
        alarms = sum(one.judgement.blocked for one in sound)
        use = f"finds {found} of {len(missed)} that it misses, stops {alarms} of {len(sound)} that are sound"
        return [f"{self.name}: behind redpen, of what it lets through: {use}"]

    def _cost(self, scored: Sequence[Scored]) -> str:
        asked = [self.asked[one.id] for one in scored if one.id in self.asked]
        calls = sum(len(one.calls) for one in asked)
        tokens = [one.tokens for one in asked]
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
    """Return the guard set of a judge, which is held to its own gate and to no thresholds file."""
    guards = JudgeGuards(runs=runs, layout=layout, prices=prices)
    return GuardSet(name=place, guards=guards, recorded=False, model_guards=guards)


def judged_drafts(layout: Layout) -> frozenset[str]:
    """Return the names that go by what the judges that there are can be asked about labelled drafts."""
    library = read_drafts(layout).drafts
    found: set[str] = set()
    for judge in judge_names(layout.judges):
        own = _own_drafts(layout, judge)
        found.update(judged_draft_id(judge, draft) for draft in (*library, *own))
    return frozenset(found)


def named_judge(place: str, *, folder: Path | None, model: str) -> Judge:
    """Return the judge that ``judge:NAME`` names.

    Raises:
        ConfigurationError: there is no such judge, or its file has a fault.
    """
    try:
        return load_judge(place.removeprefix(JUDGE_PREFIX), folder=folder, model=model)
    except ConfigurationError as error:
        raise ConfigurationError(f"--guards {place!r}: {error}") from error


def _judgement(asked: Asked, draft: LabelledDraft, families: Mapping[str, str | None]) -> Judgement:
    if asked.report is None:
        return Judgement(blocked=True, codes=(GUARD_ERROR,), error=asked.error)
    found = asked.report.violations
    # The right question is the right code: none asks which rule of the guards a text breaks.
    codes = [
        draft.item.codes[0] if draft.item.codes and families[one.family] == draft.item.family else one.code
        for one in found
    ]
    return Judgement(
        blocked=bool(found),
        codes=tuple(codes),
        concerned=bool(asked.report.concerns),
        spans=tuple(one.span for one in found),
    )


def _bounds(hits: int, total: int) -> Bounds:
    low, high = Rate(hits=hits, total=total).interval
    # Away from what a gate asks, so that no rounding lets a judge through.
    return Bounds(hits=hits, total=total, low=math.floor(low * 100) / 100, high=math.ceil(high * 100) / 100)


def _own_drafts(layout: Layout, judge: str) -> tuple[LabelledDraft, ...]:
    path = layout.judges / f"{judge}.drafts.yaml" if layout.judges is not None else None
    return read_draft_file(layout, path, judge) if path is not None and path.exists() else ()


def record_reached(folder: Path, reached: Iterable[Mapping[str, Any]]) -> tuple[Path, ...]:
    """Write what judges reached beside their files, and return the files that changed.

    Args:
        folder: of the project's judges; it is made.
        reached: ``judge``, ``model`` and ``measured`` of each.

    Raises:
        ConfigurationError: a file that is there cannot be read.
        OSError: the disk refused it.
    """
    changed = []
    for one in reached:
        path = measured_path(folder, str(one["judge"]))
        before = read_measured(path)
        models = dict(before.models) | {str(one["model"]): Measured.model_validate(one["measured"])}
        after = before.model_copy(update={"models": dict(sorted(models.items()))})
        if after == before:
            continue
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(after.model_dump(mode="json"), indent=2, ensure_ascii=False)
        replace_file(path, f"{text}\n".encode())
        changed.append(path)
    return tuple(changed)
