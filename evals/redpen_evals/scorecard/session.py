"""The scorecard in a pytest session: judgements, the tests' conclusions, the record of thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

import pytest

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import FileError
from redpen_evals.judges.guard_set import JudgeGuards, record_reached
from redpen_evals.scenario_library.drafts import DraftLibrary, Family, LabelledDraft, Split, read_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.ahead import ScoredAhead
from redpen_evals.scorecard.disguising import SAMPLE, score_disguises
from redpen_evals.scorecard.gate import Update, breaches, of_families, updated, without_threshold
from redpen_evals.scorecard.guard_sets import REDPEN, GuardSet
from redpen_evals.scorecard.render import crashes, render_brief, render_disguises, render_scores
from redpen_evals.scorecard.score import Score, Scored, judge_all, score
from redpen_evals.scorecard.thresholds import GuardThresholds, check_names, read_thresholds, write_thresholds
from redpen_evals.terminal import screen_of_session


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """The result of one test of the scorecard.

    Attributes:
        lines: every table, for a terminal.
        notes: notes on the figures, shown even without the tables.
        breaches: faults of draft files, then missed thresholds; empty if the gate passes.
        missing: reasons why there is no gate, so that the guards are not judged at all.
        left_out: number of unreadable files; if there are any, no figure is recorded.
        judges: the figures of judges, with name and model, as JSON values.
    """

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    measured: tuple[Score, ...]
    breaches: tuple[str, ...]
    missing: tuple[str, ...] = ()
    left_out: int = 0
    judges: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values for a test report."""
        return {
            "lines": list(self.lines),
            "notes": list(self.notes),
            "measured": [figures.to_json() for figures in self.measured],
            "breaches": list(self.breaches),
            "left_out": self.left_out,
            "judges": list(self.judges),
        }


class ThresholdsBrokenError(AssertionError):
    """A guard set misses its thresholds; the message names the families or disguises."""


@dataclass(kw_only=True)
class ScorecardSession:
    """Labelled drafts, guard sets, thresholds, and the judgements so far; all families if none are named."""

    layout: Layout
    guard_sets: Sequence[GuardSet]
    thresholds: Path
    update: Update | None = None
    show_dev: bool = False
    families: frozenset[str] = frozenset()
    ahead: ScoredAhead | None = None
    _scored: dict[tuple[str, Split], tuple[Scored, ...]] = field(default_factory=dict)

    def score_ahead(self) -> None:
        """Judge the split `test` by the built-in guard sets in a second process, if one is available."""
        drafts = self.drafts("test")
        if drafts and self.ahead is None:
            self.ahead = ScoredAhead.begin(drafts)

    def end(self) -> None:
        """End the second process, if there is one; its results stay."""
        if self.ahead is not None:
            self.ahead.end()

    def conclude(self) -> Conclusion:
        """Score every guard set on the split `test`, and on `dev` if it is shown."""
        scores = self._scores("test")
        lines = render_scores(scores, title="labelled drafts, split test")
        if self.show_dev and self.drafts("dev"):
            development = self._scores("dev")
            lines += ["", *render_scores(development, title="labelled drafts, split dev, no thresholds")]
            lines += [line for dev_score in development for line in _wrong(dev_score)]
        judges = [(each, each.model_guards) for each in self.guard_sets if each.model_guards is not None]
        extra = [line for guard_set, guards in judges for line in self._notes_of(guard_set, guards)]
        return self._conclusion(
            [*lines, *([""] if extra else []), *extra],
            tuple(scores),
            notes=(*crashes(scores), *extra),
            judges=tuple(guards.reached(self._judged(guard_set, "test")) for guard_set, guards in judges),
        )

    def conclude_disguises(self) -> Conclusion:
        """Disguise the texts of the split `test` that each guard set judged rightly, and score it again."""
        drafts = self._required("test")
        # A model gets the text that a reader sees, which no disguise changes.
        sets = [guard_set for guard_set in self.guard_sets if guard_set.model_guards is None]
        scores = tuple(self._disguised(guard_set, drafts) for guard_set in sets)
        return self._conclusion(render_disguises(scores, sample=SAMPLE), scores)

    def drafts(self, split: Split) -> tuple[LabelledDraft, ...]:
        """Return the labelled drafts of a split."""
        return tuple(
            draft
            for draft in self._library.drafts
            if draft.item.split == split and (not self.families or draft.item.family in self.families)
        )

    @cached_property
    def _library(self) -> DraftLibrary:
        return read_drafts(self.layout)

    def _conclusion(
        self,
        lines: Sequence[str],
        reached: tuple[Score, ...],
        *,
        notes: Sequence[str] = (),
        judges: tuple[dict[str, Any], ...] = (),
    ) -> Conclusion:
        library = self._library
        thresholds, extra = self._thresholds()
        missing: list[str] = []
        if self.update is None:
            unchecked, notes_without = without_threshold(thresholds, reached)
            has_gate = any(figures.recorded and figures.guards not in unchecked for figures in reached)
            missing, more = self._missing(unchecked, has_gate)
            extra += [*notes_without, *more]
        elif not library.broken:
            thresholds = updated(thresholds, reached, self.update)
        if library.broken:
            extra.append(f"left out: {library.broken} of {library.files} draft files")
        return Conclusion(
            lines=(*lines, *extra),
            notes=(*notes, *extra),
            measured=reached,
            breaches=(*map(str, library.problems), *breaches(thresholds, reached)),
            missing=tuple(missing),
            left_out=library.broken,
            judges=judges,
        )

    def _thresholds(self) -> tuple[dict[str, GuardThresholds], list[str]]:
        thresholds = read_thresholds(self.thresholds)
        notes = check_names(self.thresholds, thresholds, [guard_set.name for guard_set in self.guard_sets])
        if self.families:
            thresholds = of_families(thresholds, self.families)
        return thresholds, list(notes)

    def _missing(self, unchecked: Sequence[str], has_gate: bool) -> tuple[list[str], list[str]]:
        """Return why there is no gate at all, and notes on guard sets without one beside others with one."""
        if not unchecked:
            return [], []
        hint = "--update-scorecard records the figures"
        if not self.thresholds.is_file():
            return [f"{self.thresholds}: there is no thresholds file, so there is no gate; {hint}"], []
        scope = f" for family {', '.join(sorted(self.families))}" if self.families else ""
        lines = [f"{name}: there is no threshold{scope} in {self.thresholds}" for name in unchecked]
        return ([], lines) if has_gate else ([f"{line}; {hint}" for line in lines], [])

    def _scores(self, split: Split) -> list[Score]:
        self._required(split)
        return [
            score(guard_set.name, self._judged(guard_set, split), recorded=guard_set.recorded)
            for guard_set in self.guard_sets
        ]

    def _judged(self, guard_set: GuardSet, split: Split) -> tuple[Scored, ...]:
        key = guard_set.name, split
        if key not in self._scored:
            drafts = self.drafts(split)
            if guard_set.model_guards is not None:
                drafts = guard_set.model_guards.drafts(split, drafts)
            scored = self.ahead.scored(guard_set, drafts) if self.ahead else None
            self._scored[key] = judge_all(guard_set, drafts) if scored is None else scored
        return self._scored[key]

    def _disguised(self, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> Score:
        from_process = self.ahead.disguised(guard_set, drafts) if self.ahead else None
        return from_process or score_disguises(guard_set, self._judged(guard_set, "test"))

    def _notes_of(self, guard_set: GuardSet, model_guards: JudgeGuards) -> list[str]:
        behind: tuple[Scored, ...] = ()
        if redpen := next((candidate for candidate in self.guard_sets if candidate.name == REDPEN), None):
            behind = self._judged(redpen, "test")
            judged = {text.id for text in behind}
            drafts = model_guards.drafts("test", self.drafts("test"))
            behind += judge_all(redpen, [draft for draft in drafts if draft.id not in judged])
        return model_guards.notes(self._judged(guard_set, "test"), behind)

    def _required(self, split: Split) -> tuple[LabelledDraft, ...]:
        if not self.guard_sets:
            raise ConfigurationError("there is no guard set to score: the fixture `guard_sets` is empty")
        known = get_args(Family)
        for name in sorted(self.families.difference(known)):
            raise ConfigurationError(f"--family {name}: there is no such family{suggestion(name, known)}")
        drafts = self.drafts(split)
        if not drafts and self._library.broken:
            raise FileError(self._library.problems)
        if not drafts:
            folder = self.layout.scenarios / "drafts"
            raise ConfigurationError(f"{folder}: there is no labelled draft of the split {split!r} to score")
        return drafts


def check(conclusion: Conclusion) -> None:
    """Raise ``ThresholdsBrokenError`` with every breach, if there is any."""
    if conclusion.breaches:
        raise ThresholdsBrokenError("\n".join(conclusion.breaches))


def record(path: Path, conclusions: Sequence[dict[str, Any]], update: Update) -> bool:
    """Write the figures of the tests' reports to the thresholds file; returns whether it changed."""
    before = read_thresholds(path)
    after = updated(before, _figures(conclusions), update)
    if after == before:
        return False
    write_thresholds(path, after)
    return True


def _figures(conclusions: Sequence[dict[str, Any]]) -> list[Score]:
    return [Score.from_json(figures) for conclusion in conclusions for figures in conclusion["measured"]]


def _wrong(score: Score) -> list[str]:
    return [
        f"{score.guards} judged wrongly, {family}: {name}"
        for family, ids in score.wrong.items()
        for name in ids
    ]


def write_scorecard(
    terminal: pytest.TerminalReporter,
    conclusions: Sequence[dict[str, Any]],
    *,
    thresholds: Path,
    judges: Path,
    update: Update | None,
    in_full: bool,
) -> None:
    """Print the tables of the tests' reports, or a line per guard set, and record figures if requested."""
    terminal.write_sep("=", "scorecard")
    if in_full:
        for at, conclusion in enumerate(conclusions):
            for line in ["", *conclusion["lines"]] if at else conclusion["lines"]:
                terminal.write_line(line)
    else:
        reached = _figures(conclusions)
        notes = [note for conclusion in conclusions for note in conclusion.get("notes", ())]
        for line in (*render_brief(reached, screen=screen_of_session(terminal)), *dict.fromkeys(notes)):
            terminal.write_line(line)
    if update is None:
        return
    if left_out := max(conclusion.get("left_out", 0) for conclusion in conclusions):
        terminal.write_line(f"not recorded: {left_out} draft files are left out", red=True)
        return
    try:
        changed = record(thresholds, conclusions, update)
        by_judges = [figures for conclusion in conclusions for figures in conclusion.get("judges", ())]
        written = record_reached(judges, by_judges)
    except (ConfigurationError, OSError) as error:
        terminal.write_line(f"not recorded: {error}", red=True)
        return
    for path in written:
        terminal.write_line(f"recorded in {path}")
    terminal.write_line(f"{'recorded in' if changed else 'nothing to record in'} {thresholds}")
