"""Scoring of the built-in guard sets in a second process, while the tests before the scorecard's run.

The session's own process judges whatever the second one does not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Self

from redpen_evals.scenario_library.drafts import LabelledDraft
from redpen_evals.scorecard.disguising import score_disguises
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets
from redpen_evals.scorecard.score import Score, Scored, judge_all, with_judgements
from redpen_evals.second_process import SecondProcess

_JUDGEMENTS: Final = 0
_DISGUISES: Final = 1


class ScoredAhead:
    """The judgements of a second process on labelled drafts, plain and disguised; see ``begin``."""

    def __init__(self, drafts: Sequence[LabelledDraft], process: SecondProcess) -> None:
        self._drafts = tuple(drafts)
        self._process = process
        self._parts: list[dict[str, Any] | None] = []

    @classmethod
    def begin(cls, drafts: Sequence[LabelledDraft]) -> Self | None:
        """Start to judge drafts by the built-in guard sets; None if no second process is available."""
        process = SecondProcess.begin(lambda: _parts(drafts))
        return None if process is None else cls(drafts, process)

    def scored(self, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> tuple[Scored, ...] | None:
        """Return the judgements of a guard set on labelled drafts; None if they are not available."""
        judgements = self._part(_JUDGEMENTS, guard_set, drafts)
        return None if judgements is None else with_judgements(drafts, judgements)

    def disguised(self, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> Score | None:
        """Return the score of a guard set under disguises; None if it is not available."""
        score: Score | None = self._part(_DISGUISES, guard_set, drafts)
        return score

    def end(self) -> None:
        """End the process, even in the middle of its work."""
        self._process.end()

    def _part(self, number: int, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> Any | None:
        if tuple(drafts) != self._drafts or guard_set not in built_in_guard_sets():
            return None
        while len(self._parts) <= number:
            self._parts.append(self._process.take())
        if number == _DISGUISES:
            # The last part: later tests have the processors to themselves.
            self.end()
        part = self._parts[number]
        return None if part is None else part[guard_set.name]


def _parts(drafts: Sequence[LabelledDraft]) -> Iterator[dict[str, Any]]:
    sets = built_in_guard_sets()
    scored = {guard_set.name: judge_all(guard_set, drafts) for guard_set in sets}
    # The reader has the drafts.
    yield {name: tuple(text.judgement for text in group) for name, group in scored.items()}
    yield {guard_set.name: score_disguises(guard_set, scored[guard_set.name]) for guard_set in sets}
