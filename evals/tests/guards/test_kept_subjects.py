"""A number may be said of its own subject by another word, and of nothing else that the text tells of."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.facts.entailment import find_new_facts
from redpen.guards.known import known_context
from redpen.guards.text import read

CONTEXT: dict[str, Any] = {
    "offline_meters": 1450,
    "thermostats_offline": 5800,
    "support_queue": 960,
    "missing_reference_range_pct": 15,
}
ORIGINAL = (
    "Smart meters in Spain are silent, and 1,450 of them are offline. Yours is among the 4% of thermostats "
    "that lost their connection, 5,800 devices so far. Some reports show no reference ranges. 22% of calls "
    "are cut off for users. 12% of new listings fail to publish. Four performances are sold out. 31% of card "
    "payments fail, and wallets are slow. Guests have met hosts."
)


def _new(revised: str) -> list[str]:
    found = find_new_facts(revised=read(revised), original=read(ORIGINAL), context=known_context(CONTEXT))
    return [finding.text for finding in found]


@pytest.mark.parametrize(
    "revised",
    [
        "1,450 smart meters are offline.",
        "There are 960 requests in our support queue.",
        "15% of reports lack reference ranges.",
        "Users see calls drop, 22% of them.",
        "12% of new ads fail to publish.",
        "Four shows are sold out.",
        "Spaniards have silent meters.",
    ],
)
def test_another_word_for_the_same_thing_moves_no_number(revised: str) -> None:
    assert _new(revised) == []


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("31% of wallet payments fail.", ["31%"]),
        ("22% of listings fail to publish.", ["22%"]),
        ("960 meters are silent.", ["960"]),
        ("15% of users see no ranges.", ["15%"]),
        ("12% of guests cannot publish.", ["12%"]),
        ("Calls drop, 31% of them.", ["31%"]),
        ("12% of widgets are broken.", ["12%"]),
        ("Poles have silent meters.", ["Poles"]),
        ("Polish meters are silent.", ["Polish"]),
    ],
)
def test_another_thing_does(revised: str, new: list[str]) -> None:
    assert _new(revised) == new


@pytest.mark.parametrize(("noun", "new"), [("Tarn 1.6 estate cars", []), ("Tarn 1.6 brake hoses", ["5,300"])])
def test_a_model_may_stand_before_the_noun(noun: str, new: list[str]) -> None:
    found = find_new_facts(
        revised=read(f"The recall covers 5,300 {noun} built in spring."),
        original=read(
            "We are recalling Tarn 1.6 models built in spring. 5,300 cars are on our list. We examine hoses."
        ),
        context=known_context({"cars_recalled": 5300, "hoses_returned": 64}),
    )
    assert [finding.text for finding in found] == new


@pytest.mark.parametrize(
    ("revised", "new"),
    [
        ("930 waiting at present.", []),
        ("930 donors wait.", ["930"]),
        ("On the shelf, 260 statements wait.", []),
        ("41% of check-in attempts fail.", []),
        ("We look into slow pledges: 12% of them are late.", []),
        ("9 customers reported overheating.", []),
    ],
)
def test_a_noun_is_read_in_full_and_only_where_it_is_one(revised: str, new: list[str]) -> None:
    original = (
        "930 pledges are on hold; donors need no action. 260 members lack a statement. "
        "12% of pledges are late."
    )
    context = known_context({"checkin_error_rate": 0.41, "overheating_reports": 9, "affected_customers": 40})
    found = find_new_facts(revised=read(revised), original=read(original), context=context)
    assert [finding.text for finding in found] == new
