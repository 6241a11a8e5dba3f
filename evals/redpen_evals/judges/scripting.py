"""Answers to a judge's questions made from the labels of drafts, for a scorecard without a model."""

from __future__ import annotations

from difflib import SequenceMatcher
from typing import Any

from redpen.guards.text import read
from redpen.judges import Judge, Question
from redpen_evals.scenario_library.drafts import LabelledDraft


def scripted_answers(judge: Judge, draft: LabelledDraft) -> dict[str, Any]:
    """Return the answers that a draft's label gives: yes to the question of its family, where it is to block.

    Args:
        judge: whose questions are answered.
        draft: whose label answers them; the quote of a yes is the longest piece that its original lacks.
    """
    found = _question_of(judge, draft) if draft.item.label == "block" else None
    return {
        "answers": [
            {"id": question.id, "answer": "yes", "quote": _new_words(draft)}
            if question is found
            else {"id": question.id, "answer": "no", "quote": ""}
            for question in judge.questions
        ]
    }


def _question_of(judge: Judge, draft: LabelledDraft) -> Question | None:
    blocking = [question for question in judge.questions if question.on_yes == "block"]
    of_family = (question for question in blocking if question.family in {None, draft.item.family})
    return next(of_family, None)


def _new_words(draft: LabelledDraft) -> str:
    before = read(draft.original).text.split()
    after = read(draft.item.revised, draft.original).text.split()
    changes = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    pieces = [(end - start, start) for kind, _, _, start, end in changes if kind != "equal"]
    length, start = max(pieces, default=(0, 0))
    return " ".join(after[start : start + length] or after)
