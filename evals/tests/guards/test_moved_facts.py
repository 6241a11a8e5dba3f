"""Facts that are the same in other words, and those that are moved, rounded or brought in by name."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards import check_revision

CONTEXT: dict[str, Any] = {"region": "Rwanda", "texts_to_wrong_family": 220, "policy_hints": {}}
ORIGINAL = (
    "Flights in Rwanda are on hold. 220 texts went to the wrong family. 18% of frost probes are silent. "
    "About 3,200 homes, 16% of those on this supply, have a weak flow. 12% of direct deposits are late, "
    "3,800 in total. About 22% of queue attempts end in an error, and matches go on. The fare is £4.80, the "
    "credit NZ$25. The subtitles are not restored. We cannot promise that your call gets through. Some "
    "patrons may see an old date. Several skiers were asked to wait. A firm has been called and is on site."
)


def _new(revised: str) -> list[str]:
    report = check_revision(original=ORIGINAL, revised=revised, context=CONTEXT)
    return [found.text for found in report.violations if found.code != "restricted_claims"]


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        # Numbers of items inside of a line; a single one may be a figure.
        ("We know this: (1) flights are on hold; (2) some patrons see an old date.", []),
        ("Our plan: 1. Call the firm. 2. Wait for it.", []),
        ("Our plan is to call the firm (2) and to wait.", ["2"]),
        # Labels, and words that begin a sentence, are no names.
        ("Flights: on hold\nOrigin: not known\nFix: under way", []),
        ("(a) Some patrons see an old date. (b) There's no cause yet.", []),
        # A unit of time that begins a compound is not one of the number before it.
        ("45 year-end notices are about a weak flow.", ["45"]),
        ("It takes a 3-hour-long call.", ["3-hour"]),
        # "The two" are things that were named; two things are counted.
        ("Probes and homes: we mixed the two up.", []),
        ("Two firms have been called.", ["Two"]),
    ],
)
def test_only_figures_of_the_text_are_read(revised: str, new: list[str]) -> None:
    assert _new(revised) == new


@pytest.mark.parametrize(
    ("revised", "passes"),
    [
        ("Lessons are moved from the 4th to the 27th of May.", True),
        ("Lessons are moved to the twenty-seventh of May.", True),
        ("Lessons are moved to the twenty-eighth of May.", False),
        ("About a third of them have been told.", True),
        ("A third is on its way.", True),
        ("A quarter of them have been told.", False),
        ("Some still get a 507.", True),
        ("Some still get a 508.", False),
    ],
)
def test_dates_parts_and_codes_are_known_in_another_form(revised: str, passes: bool) -> None:
    original = "Error 507: lessons are moved from 4 to 27 May. We have told about a third so far."
    assert check_revision(original=original, revised=revised, context={}).ok is passes


@pytest.mark.parametrize(
    "revised",
    [
        "Our Rwandan flights are on hold.",
        "About 3,200 homes have a weak flow, which is 16% of those served by it.",
        "They make up 16% of this supply.",
        "3.8k direct deposits are late, which is 12% of them.",
        "A travel credit of 25 New Zealand dollars is paid.",
        "We still have no subtitles.",
        "There is no guarantee that your call gets through.",
        "Families affected by texts: 220\nDeadlines: as before",
        "Queue attempts go wrong, and 22% of them end in an error.",
        "Relief is on its way.",
        "Staff is on site.",
    ],
)
def test_reworded_fact_is_allowed(revised: str) -> None:
    assert _new(revised) == []


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("Our Ugandan flights are on hold.", ["Ugandan"]),
        ("Office staff ring the parents of 220 pupils.", ["220"]),
        ("Matches go on, and about 22% of them end in an error.", ["22%"]),
        ("One frost probe in five has gone silent.", ["One frost probe in five"]),
        ("The fare is £5.", ["£5"]),
        ("The fare is a fiver.", ["a fiver"]),
        ("The credit is 25 Singapore dollars.", ["25 Singapore dollars"]),
        ("No flights are operating.", ["No flights"]),
        ("Almost every patron may find an old date.", ["Almost every patron"]),
        ("Practically everyone was asked to wait.", ["Practically everyone"]),
        ("At every last desk the machines do not take cards.", ["every last desk"]),
        ("Zamtech has been called.", ["Zamtech"]),
        ("Teplomont is on site.", ["Teplomont"]),
    ],
)
def test_another_fact_is_new(revised: str, new: list[str]) -> None:
    assert _new(revised) == new
