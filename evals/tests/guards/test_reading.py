"""Sentences as the claim rules read them: shared by the texts that hold them, with their own places."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.reading import own_sentences, placed_sentences, read_sentences


def test_texts_share_what_is_read_of_a_sentence_that_both_hold() -> None:
    first = own_sentences("Mail is late. We are on it.")
    second = own_sentences("Sorry! We are on it. We are on it.")
    assert second[1] is second[2] is first[1]


def test_a_sentence_of_other_spacing_is_another() -> None:
    (close,), (apart,) = own_sentences("It is re-opened."), own_sentences("It is re - opened.")
    assert close.words != apart.words


@pytest.mark.parametrize(
    "text", ["Mail is late. It works. It works.", "Why? A router.\nMail works again - now"]
)
def test_places_lead_back_to_the_text(text: str) -> None:
    for (begin, own), placed in zip(placed_sentences(text), read_sentences(text), strict=True):
        first, last = own.span(0, -1)
        assert (begin + first, begin + last) == placed.span(0, -1)
        start, stop = placed.span(0, 0)
        assert text[start:stop].lower() == own.words[0]
        assert placed.within(start, stop) == own.within(start - begin, stop - begin) == [0]


def test_a_claim_that_comes_twice_is_found_at_both_places() -> None:
    text = "The outage is over. Sorry for it. The outage is over."
    claims = find_claims(text)
    assert [text[claim.start : claim.end] for claim in claims] == ["is over", "is over"]
    assert claims[0].start < claims[1].start


def test_an_answer_is_read_with_the_question_before_it() -> None:
    agreed, denied = own_sentences("Is it over? It is."), own_sentences("Is it over? It is not.")
    assert agreed[0].words == ["it", "is", "over"]
    assert denied[0].words == ["it", "is", "not", "over"]


def test_a_claim_is_found_wherever_its_sentence_stood_in_texts_judged_before() -> None:
    context = {"policy_hints": {"avoid_absolute_guarantees": True}}
    kept = "Stored readings are safe."
    original = f"45% of sensors are missing since noon. Please switch vents to manual control. {kept}"
    first = check_revision(
        original=original, revised="Please switch vents to manual control.", context=context
    )
    assert not first.violations
    revised = f"Please switch vents to manual control, as 45% of sensors are missing. {kept} Thank you."
    report = check_revision(original=original, revised=revised, context=context)
    assert [found.text for found in report.violations] == ["are safe"]
