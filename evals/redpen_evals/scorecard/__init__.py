"""The scorecard: how well guard sets separate sound revisions from breaches, on labelled drafts."""

from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scorecard.guard_sets import GuardSet, built_in_guard_sets, load_guard_set
from redpen_evals.scorecard.score import Score, Scored, judge_all, score
from redpen_evals.scorecard.wilson import Rate, wilson_interval

__all__ = [
    "GuardSet",
    "Judgement",
    "Rate",
    "Score",
    "Scored",
    "built_in_guard_sets",
    "judge_all",
    "load_guard_set",
    "score",
    "wilson_interval",
]
