"""A second process scores what the session's own would, and nothing else."""

from __future__ import annotations

import os
import sys

import pytest

from redpen_evals import second_process
from redpen_evals.scorecard import ahead as module
from redpen_evals.scorecard.ahead import ScoredAhead
from redpen_evals.scorecard.disguising import score_disguises
from redpen_evals.scorecard.guard_sets import REDPEN, GuardSet, built_in_guard_sets
from redpen_evals.scorecard.score import judge_all
from redpen_evals.second_process import SecondProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="forks are for Linux")


@pytest.fixture
def drafts(make_draft):
    """Give three labelled drafts."""
    return (
        make_draft(),
        make_draft("pass", name="sound", revised="It is down for 27% of attempts."),
        make_draft("pass", name="other", revised="Checkout is degraded for 27% of attempts."),
    )


@pytest.fixture
def begin(drafts, monkeypatch):
    """Give a function that has the drafts judged in a second process, and end that."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(second_process, "_is_unsafe", lambda: False)
    begun = []

    def start():
        begun.append(ScoredAhead.begin(drafts))
        return begun[-1]

    yield start
    for item in begun:
        if item is not None:
            item.end()


def with_guards(monkeypatch, guards):
    sets = (GuardSet(name=REDPEN, guards=guards),)
    monkeypatch.setattr(module, "built_in_guard_sets", lambda: sets)
    return sets[0]


def test_scores_are_the_same(begin, drafts):
    ahead = begin()
    for guard_set in built_in_guard_sets():
        scored = judge_all(guard_set, drafts)
        assert ahead.disguised(guard_set, drafts) == score_disguises(guard_set, scored)
        assert ahead.scored(guard_set, drafts) == scored


def test_process_is_ended_once_all_is_known(begin, drafts, monkeypatch):
    ended = []

    def end(process, original=SecondProcess.end):
        ended.append(process)
        original(process)

    monkeypatch.setattr(SecondProcess, "end", end)
    redpen, _ = built_in_guard_sets()
    ahead = begin()
    assert ahead.scored(redpen, drafts) is not None
    assert not ended
    assert ahead.disguised(redpen, drafts) is not None
    assert ended
    assert ahead.scored(redpen, drafts) is not None


def test_crash_of_a_guard_is_the_same_judgement(begin, drafts, monkeypatch):
    def broken(*, revised, **_):
        raise KeyError(revised)

    guard_set = with_guards(monkeypatch, broken)
    assert begin().scored(guard_set, drafts) == judge_all(guard_set, drafts)


def test_only_the_built_in_sets_and_these_drafts_are_known(begin, drafts):
    ahead = begin()
    redpen, _ = built_in_guard_sets()
    assert ahead.scored(GuardSet(name=REDPEN, guards=lambda *, revised: bool(revised)), drafts) is None
    assert ahead.scored(redpen, drafts[1:]) is None
    assert ahead.disguised(redpen, drafts[1:]) is None
    assert ahead.scored(redpen, drafts) is not None


def test_guards_that_kill_their_process_are_asked_in_the_session(begin, drafts, monkeypatch):
    guard_set = with_guards(monkeypatch, lambda **_: os._exit(3))
    ahead = begin()
    assert ahead.scored(guard_set, drafts) is None
    assert ahead.disguised(guard_set, drafts) is None


def test_one_processor_judges_in_the_session(begin, monkeypatch):
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    assert begin() is None
