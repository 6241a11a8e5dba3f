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
