"""Scoring of disguises, put on the breach a guard set found or on the facts of sound texts."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

from redpen_evals.attacks import ATTACKS
from redpen_evals.scorecard.disguising import allowed_facts, score_disguises
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import judge_all
from redpen_evals.scorecard.wilson import Rate


def literal(*, revised, **_):
    """A guard that finds one spelling of one number."""
    return [SimpleNamespace(code="no_new_facts", span=match.span()) for match in re.finditer("45", revised)]


def run(drafts, *, guards=literal, **options):
    guard_set = GuardSet(name="mine", guards=guards)
    return score_disguises(guard_set, judge_all(guard_set, drafts), **options)


def sound(name="sound", **changes):
    return {"label": "pass", "name": name, "revised": "It is down for 27% of attempts.", **changes}


def test_every_applicable_disguise_is_scored(make_draft):
    result = run([make_draft(), make_draft(**sound())])
    # Disguises of letters, spacing, hyphenation and line breaks do not apply to a number.
    assert set(result.groups) == set(
        "invisible direction tags compatibility entities html markdown digits".split()
    )
    assert result.groups["digits"]["kept"] == Rate(hits=0, total=1)
    assert result.groups["digits"]["new_alarms"] == Rate(hits=0, total=1)
    assert result.wrong["digits"] == ("f#one",)
    assert result.overall["kept"].total == sum(group["kept"].total for group in result.groups.values())


def test_only_the_breach_is_disguised(make_draft):
    seen = []

    def watching(*, revised, **given):
        seen.append(revised)
        return literal(revised=revised, **given)

    draft = make_draft()
    run([draft], guards=watching, attacks=[ATTACKS["digits"]])
    plain, disguised = seen
    assert plain == draft.item.revised
    changed = [(a, b) for a, b in zip(plain, disguised, strict=True) if a != b]
    assert [a for a, _ in changed] == ["4", "5"]


def test_whole_text_is_disguised_for_guards_without_spans(make_draft):
    result = run([make_draft()], guards=lambda *, revised, **_: "27%" in revised, attacks=[ATTACKS["digits"]])
    assert result.overall["kept"] == Rate(hits=0, total=1)


def test_false_alarm_caused_by_disguise_is_counted(make_draft):
    result = run(
        [make_draft(**sound())],
        guards=lambda *, revised, **_: not revised.isascii(),
        attacks=[ATTACKS["digits"]],
    )
    assert result.overall["new_alarms"] == Rate(hits=1, total=1)
    assert result.wrong == {"digits": ("f#sound",)}


@pytest.mark.parametrize(
    "changes",
    [
        {"disguise": "tags"},
        # Missed, blocked for another reason, a false alarm, no fact to disguise.
        {"revised": "Nothing that this guard finds."},
        {"codes": ["new_region"]},
        sound(revised="It takes 45 minutes."),
        sound(revised="It is down."),
    ],
    ids=str,
)
def test_draft_judged_wrongly_or_without_facts_is_left_out(make_draft, changes):
    result = run([make_draft(**changes)])
    assert result.groups == {}
    assert result.overall["kept"] == result.overall["new_alarms"] == Rate(hits=0, total=0)


def test_guards_that_crash_are_left_out(make_draft):
    def broken(**_):
        raise ValueError

    assert run([make_draft()], guards=broken).groups == {}


def test_sample_is_deterministic(make_draft):
    drafts = [make_draft(name=f"n{at}") for at in range(20)]
    options = {"attacks": [ATTACKS["digits"]], "sample": 5}
    result = run(drafts, **options)
    assert result.overall["kept"].total == 5
    assert run(drafts[::-1], **options).wrong == result.wrong


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("27% of 1,200 orders in 45 minutes", ["27%", "1,200 orders", "45 minutes"]),
        ("a 45-minute delay, $1,200, or 3.4 %", ["45-minute", "$1,200", "3.4 %"]),
        ("inc_payments_20260306 is P1 since 2026-03-06, 14:30.", None),
        ("nothing", []),
    ],
)
def test_allowed_facts_are_located(text, facts):
    expected = ["inc_payments_20260306", "P1", "2026-03-06", "14:30"] if facts is None else facts
    assert [text[start:end] for start, end in allowed_facts(text)] == expected
