"""The explanation printed for each finding."""

from __future__ import annotations

import click

from redpen.guards import AllowedFact, Report
from redpen_evals.checking.explain import explain


def _blocks(text, report):
    return explain(text, report, colour=False).split("\n\n")


def test_violation_shows_reading_span_reason_and_nearest_facts(finding):
    found = finding(
        8,
        11,
        text="30%",
        reading="30% = share 0.3",
        reason="no such share",
        nearest=(
            AllowedFact(reading="27 = share 0.27", path="incident.affected_checkout_pct"),
            AllowedFact(reading="25% = share 0.25", path="original"),
        ),
    )
    assert _blocks("It hits 30%.", Report(violations=(found,))) == [
        "It hits [[30%]]{1}.",
        (
            '1. violation: no_new_facts (share), characters 8 to 11: "30%"\n'
            "   read: 30% = share 0.3\n"
            "   why: no such share\n"
            "   nearest allowed: 27 = share 0.27, from incident.affected_checkout_pct\n"
            "   nearest allowed: 25% = share 0.25, from original"
        ),
        "1 violation, 0 concerns",
    ]


def test_concerns_are_numbered_after_violations(finding):
    report = Report(
        violations=(finding(0, 1, text="a"),),
        concerns=(
            finding(1, 2, code="new_statement", text="b"),
            finding(2, 3, code="new_statement", text="c"),
        ),
    )
    _, first, second, third, verdict = _blocks("abc", report)
    assert first.startswith("1. violation: ")
    assert second.startswith("2. concern: new_statement")
    assert third.startswith("3. concern: ")
    assert verdict == "1 violation, 2 concerns"


def test_clean_text_is_shown_with_counts_only():
    assert _blocks("All fine.", Report()) == ["All fine.", "0 violations, 0 concerns"]


def test_finding_on_whole_text_does_not_repeat_it(finding):
    whole = finding(0, 3, code="too_long", text="abc")
    assert ", the whole text\n" in _blocks("abc", Report(violations=(whole,)))[1]
    assert ", at character 3\n" in _blocks("abc", Report(violations=(finding(3, 3),)))[1]


def test_explanation_is_escaped_and_limited_in_length(finding):
    nasty = "\x1b[2J\n9. violation" + "x" * 1000
    found = finding(
        0,
        5,
        text=nasty,
        family="\x1bf",
        reading=nasty,
        reason=nasty,
        nearest=(AllowedFact(reading=nasty, path=nasty),),
    )
    for colour in (False, True):
        output = click.unstyle(explain("abcde", Report(violations=(found,)), colour=colour))
        assert "\x1b" not in output
        assert not any(line.startswith("9.") for line in output.splitlines())
        assert len(output) < 2000


def test_colours_do_not_change_the_explanation(finding):
    report = Report(violations=(finding(0, 1),), concerns=(finding(2, 3, code="new_statement"),))
    plain, coloured = (explain("abc", report, colour=colour).split("\n\n") for colour in (False, True))
    assert [click.unstyle(block) for block in coloured[1:]] == plain[1:]
    assert all("\x1b[" in block for block in coloured)
