"""The scorecard in a pytest session: labelled drafts judged once, the tests' conclusions, the record."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, get_args

import pytest

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen.yaml_files.problem import FileError
from redpen_evals.judges.guard_set import record_reached
from redpen_evals.scenario_library.drafts import DraftLibrary, Family, LabelledDraft, Split, read_drafts
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scorecard.ahead import ScoredAhead
from redpen_evals.scorecard.disguising import SAMPLE, DisguiseScore, score_disguises
from redpen_evals.scorecard.gate import (
    Measured,
    Update,
    breaches,
    from_json,
    measured,
    measured_disguises,
    of_families,
    to_json,
    updated,
    without_threshold,
)
from redpen_evals.scorecard.guard_sets import REDPEN, GuardSet
from redpen_evals.scorecard.render import crashes, render_brief, render_disguises, render_scores
from redpen_evals.scorecard.score import Score, Scored, judge_all, score
from redpen_evals.scorecard.thresholds import GuardThresholds, check_names, read_thresholds, write_thresholds
from redpen_evals.terminal import screen_of_session


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """What one test of the scorecard found.

    Attributes:
        lines: every table, for a terminal.
        notes: what has to be known of the figures even where the tables are not shown.
        measured: what the gate compared.
        breaches: what the gate holds against it, faults of draft files first; empty when it passes.
        missing: why a gate is missing, a line each; then the guards are not judged at all.
        left_out: how many files could not be read; then no figure is recorded.
        judges: what judges reached, with name and model, as JSON values.
    """

    lines: tuple[str, ...]
    notes: tuple[str, ...] = ()
    measured: tuple[Measured, ...]
    breaches: tuple[str, ...]
    missing: tuple[str, ...] = ()
    left_out: int = 0
    judges: tuple[dict[str, Any], ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return what a report carries, as JSON values."""
        return {
            "lines": list(self.lines),
            "notes": list(self.notes),
            "measured": [to_json(one) for one in self.measured],
            "breaches": list(self.breaches),
            "left_out": self.left_out,
            "judges": list(self.judges),
        }


class ThresholdsBrokenError(AssertionError):
    """A guard set is under its thresholds; the message names the families or disguises."""


@dataclass(kw_only=True)
class ScorecardSession:
    """Labelled drafts, guard sets and thresholds, and what was judged so far.

    Attributes:
        layout: where the labelled drafts are.
        guard_sets: what is scored, side by side.
        thresholds: the thresholds file.
        update: how the thresholds will be updated after the session; None for not at all.
        show_dev: whether to show the split `dev` as well.
        families: the only ones to score, and to hold to their thresholds; empty for all.
        ahead: what a second process judges meanwhile; None for nothing.
    """

    layout: Layout
    guard_sets: Sequence[GuardSet]
    thresholds: Path
    update: Update | None = None
    show_dev: bool = False
    families: frozenset[str] = frozenset()
    ahead: ScoredAhead | None = None
    _scored: dict[tuple[str, Split], tuple[Scored, ...]] = field(default_factory=dict)
    _library: DraftLibrary | None = None

    def score_ahead(self) -> None:
        """Have the built-in guard sets judge the split `test` in a second process, where one can be had."""
        drafts = self.drafts("test")
        if drafts and self.ahead is None:
            self.ahead = ScoredAhead.begin(drafts)

    def end(self) -> None:
        """End the second process, if there is one; what it found stays."""
        if self.ahead is not None:
            self.ahead.end()

    def conclude(self) -> Conclusion:
        """Score every guard set on the split `test`, and on `dev` if that is to be shown."""
        scores = self._scores("test")
        lines = render_scores(scores, title="labelled drafts, split test")
        if self.show_dev and self.drafts("dev"):
            development = self._scores("dev")
            lines += ["", *render_scores(development, title="labelled drafts, split dev, no thresholds")]
            lines += [line for one in development for line in _wrong(one)]
        reached = tuple(
            measured(one, recorded=guard_set.recorded)
            for one, guard_set in zip(scores, self.guard_sets, strict=True)
        )
        judges = [guard_set for guard_set in self.guard_sets if guard_set.asked is not None]
        extra = [line for guard_set in judges for line in self._notes_of(guard_set)]
        return self._conclusion(
            [*lines, *([""] if extra else []), *extra],
            reached,
            notes=(*crashes(scores), *extra),
            judges=tuple(map(self._reached, judges)),
        )

    def conclude_disguises(self) -> Conclusion:
        """Disguise what every guard set judged rightly on the split `test`, and score it again."""
        drafts = self._required("test")
        # A model that is asked is shown what a reader sees, which no disguise changes.
        sets = [guard_set for guard_set in self.guard_sets if guard_set.asked is None]
        scores = [self._disguised(guard_set, drafts) for guard_set in sets]
        reached = tuple(
            measured_disguises(one, recorded=guard_set.recorded)
            for one, guard_set in zip(scores, sets, strict=True)
        )
        return self._conclusion(render_disguises(scores, sample=SAMPLE), reached)

    def drafts(self, split: Split) -> tuple[LabelledDraft, ...]:
        """Return the labelled drafts of a split."""
        return tuple(
            draft
            for draft in self._whole().drafts
            if draft.item.split == split and (not self.families or draft.item.family in self.families)
        )

    def _whole(self) -> DraftLibrary:
        if self._library is None:
            self._library = read_drafts(self.layout)
        return self._library

    def _conclusion(
        self,
        lines: Sequence[str],
        reached: tuple[Measured, ...],
        *,
        notes: Sequence[str] = (),
        judges: tuple[dict[str, Any], ...] = (),
    ) -> Conclusion:
        library = self._whole()
        thresholds, extra = self._thresholds()
        missing: list[str] = []
        if self.update is None:
            unheld, without = without_threshold(thresholds, reached)
            missing, more = self._missing(
                unheld, any(one.recorded for one in reached if one.guards not in unheld)
            )
            extra += [*without, *more]
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

    def _missing(self, unheld: Sequence[str], is_one_held: bool) -> tuple[list[str], list[str]]:
        """Return why there is no gate, and what is only worth a line because another guard set has one."""
        if not unheld:
            return [], []
        mend = "--update-scorecard records what is reached"
        if not self.thresholds.is_file():
            return [
                f"{self.thresholds}: there is no thresholds file, so nothing holds the guards; {mend}"
            ], []
        scope = f" for family {', '.join(sorted(self.families))}" if self.families else ""
        lines = [f"{name}: there is no threshold{scope} in {self.thresholds}" for name in unheld]
        return ([], lines) if is_one_held else ([f"{line}; {mend}" for line in lines], [])

    def _scores(self, split: Split) -> list[Score]:
        self._required(split)
        return [score(guard_set.name, self._judged(guard_set, split)) for guard_set in self.guard_sets]

    def _judged(self, guard_set: GuardSet, split: Split) -> tuple[Scored, ...]:
        key = guard_set.name, split
        if key not in self._scored:
            drafts = self.drafts(split)
            if guard_set.asked is not None:
                drafts = guard_set.asked.drafts(split, drafts)
            known = self.ahead.scored(guard_set, drafts) if self.ahead else None
            self._scored[key] = judge_all(guard_set, drafts) if known is None else known
        return self._scored[key]

    def _disguised(self, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> DisguiseScore:
        known = self.ahead.disguised(guard_set, drafts) if self.ahead else None
        return known or score_disguises(guard_set, drafts, self._judged(guard_set, "test"))

    def _notes_of(self, guard_set: GuardSet) -> list[str]:
        """Return what is to be said of a guard set that asks a model."""
        if guard_set.asked is None:
            return []
        behind: tuple[Scored, ...] = ()
        if redpen := next((one for one in self.guard_sets if one.name == REDPEN), None):
            behind = self._judged(redpen, "test")
            known = {one.id for one in behind}
            asked = guard_set.asked.drafts("test", self.drafts("test"))
            behind += judge_all(redpen, [draft for draft in asked if draft.id not in known])
        return guard_set.asked.notes(self._judged(guard_set, "test"), behind)

    def _reached(self, guard_set: GuardSet) -> dict[str, Any]:
        return guard_set.asked.reached(self._judged(guard_set, "test")) if guard_set.asked else {}

    def _required(self, split: Split) -> tuple[LabelledDraft, ...]:
        if not self.guard_sets:
            raise ConfigurationError("there is no guard set to score: the fixture `guard_sets` is empty")
        known = get_args(Family)
        for name in sorted(self.families.difference(known)):
            raise ConfigurationError(f"--family {name}: there is no such family{suggestion(name, known)}")
        drafts = self.drafts(split)
        if not drafts and self._whole().broken:
            raise FileError(self._whole().problems)
        if not drafts:
            folder = self.layout.scenarios / "drafts"
            raise ConfigurationError(f"{folder}: there is no labelled draft of the split {split!r} to score")
        return drafts


def check(conclusion: Conclusion) -> None:
    """Raise ``ThresholdsBrokenError`` with every line of the gate, if there is one."""
    if conclusion.breaches:
        raise ThresholdsBrokenError("\n".join(conclusion.breaches))


def record(path: Path, carried: Sequence[dict[str, Any]], update: Update) -> bool:
    """Write what the tests' reports carry into the thresholds file; returns whether it changed."""
    reached = [from_json(one) for conclusion in carried for one in conclusion["measured"]]
    before = read_thresholds(path)
    after = updated(before, reached, update)
    if after == before:
        return False
    write_thresholds(path, after)
    return True


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
    """Write the tables that the tests' reports carry, and record the figures if that is asked.

    Args:
        terminal: pytest's reporter.
        conclusions: what the reports carry.
        thresholds: the thresholds file.
        judges: folder of what judges reached.
        update: how to update it; None leaves it alone.
        in_full: whether to write all tables; else a line a guard set.
    """
    terminal.write_sep("=", "scorecard")
    if in_full:
        for at, conclusion in enumerate(conclusions):
            for line in ["", *conclusion["lines"]] if at else conclusion["lines"]:
                terminal.write_line(line)
    else:
        reached = [from_json(one) for conclusion in conclusions for one in conclusion["measured"]]
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
        asked = [one for conclusion in conclusions for one in conclusion.get("judges", ())]
        written = record_reached(judges, asked)
    except (ConfigurationError, OSError) as error:
        terminal.write_line(f"not recorded: {error}", red=True)
        return
    for path in written:
        terminal.write_line(f"recorded in {path}")
    terminal.write_line(f"{'recorded in' if changed else 'nothing to record in'} {thresholds}")
