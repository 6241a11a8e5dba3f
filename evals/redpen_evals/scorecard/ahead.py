"""The built-in guard sets scored ahead, in a second process, while the tests before the scorecard's run.

What that does not give, for whatever reason, is judged in the session's own process, as without it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Self

from redpen_evals.scenario_library.drafts import LabelledDraft
from redpen_evals.scorecard.disguising import DisguiseScore, score_disguises
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets
from redpen_evals.scorecard.score import Scored, judge_all
from redpen_evals.second_process import SecondProcess

_JUDGEMENTS: Final = 0
_DISGUISES: Final = 1


class ScoredAhead:
    """What a second process makes of labelled drafts, plain and disguised; see ``begin``.

    Args:
        drafts: what it judges.
        process: that judges them.
    """

    def __init__(self, drafts: Sequence[LabelledDraft], process: SecondProcess) -> None:
        self._drafts = tuple(drafts)
        self._process = process
        self._parts: list[dict[str, Any] | None] = []

    @classmethod
    def begin(cls, drafts: Sequence[LabelledDraft]) -> Self | None:
        """Have drafts judged by the built-in guard sets; None where no second process can be had."""
        process = SecondProcess.begin(lambda: _parts(drafts))
        return None if process is None else cls(drafts, process)

    def scored(self, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> tuple[Scored, ...] | None:
        """Return what a guard set made of labelled drafts; None where that is still to be done."""
        judgements = self._part(_JUDGEMENTS, guard_set, drafts)
        if judgements is None:
            return None
        return tuple(
            Scored(id=draft.id, item=draft.item, judgement=judgement)
            for draft, judgement in zip(drafts, judgements, strict=True)
        )

    def disguised(self, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> DisguiseScore | None:
        """Return how a guard set stands the disguises; None where that is still to be done."""
        found: DisguiseScore | None = self._part(_DISGUISES, guard_set, drafts)
        return found

    def end(self) -> None:
        """End the process, whatever it is at."""
        self._process.end()

    def _part(self, number: int, guard_set: GuardSet, drafts: Sequence[LabelledDraft]) -> Any | None:
        if tuple(drafts) != self._drafts or guard_set not in built_in_guard_sets():
            return None
        while len(self._parts) <= number:
            self._parts.append(self._process.take())
        if number == _DISGUISES:
            # The last part: what tests come after this one have no process beside them.
            self.end()
        part = self._parts[number]
        return None if part is None else part[guard_set.name]


def _parts(drafts: Sequence[LabelledDraft]) -> Iterator[dict[str, Any]]:
    sets = built_in_guard_sets()
    scored = {guard_set.name: judge_all(guard_set, drafts) for guard_set in sets}
    # The drafts are known where this is read.
    yield {name: tuple(one.judgement for one in group) for name, group in scored.items()}
    yield {guard_set.name: score_disguises(guard_set, drafts, scored[guard_set.name]) for guard_set in sets}
