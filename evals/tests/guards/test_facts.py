"""Facts that are names and words: identifiers, severities, places, contacts, parties, quantifiers."""

from __future__ import annotations

import pytest

from redpen.guards.facts.fact import Kind
from redpen.guards.facts.reading import read_facts, read_new_facts

FOUND: list[tuple[str, Kind, str]] = [
    ("See inc_other_1 for more.", "identifier", "inc_other_1"),
    ("See INC-4412 for more.", "identifier", "inc_4412"),
    ("We opened ticket OPS-12.", "identifier", "ops_12"),
    ("Incident #4412 is open.", "identifier", "4412"),
    ("This is CVE-2026-1234.", "identifier", "cve_2026_1234"),
    ("Error 5012 appears.", "identifier", "5012"),
    ("The incident is P1.", "severity", "p1"),
    ("The incident (P1) is open.", "severity", "p1"),
    ("It is priority one.", "severity", "p1"),
    ("It is priority 1.", "severity", "p1"),
    ("It is a SEV-2.", "severity", "sev2"),
    ("It is severity 2.", "severity", "sev2"),
    ("It is a critical severity incident.", "severity", "critical severity"),
    ("Customers in the US see it.", "region", "us"),
    ("Customers in the U.S. see it.", "region", "us"),
    ("Customers in the United States see it.", "region", "us"),
    ("American customers see it.", "region", "us"),
    ("Britain sees it.", "region", "uk"),
    ("Customers in Ukraine see it.", "region", "ua"),
    ("The Asia-Pacific region sees it.", "region", "apac"),
    ("Latin America sees it.", "region", "latam"),
    ("It is seen worldwide.", "region", "global"),
    ("It is seen in us-east-1.", "region", "us-east-1"),
    ("🇨🇦 customers see it.", "region", "ca"),
    ("Write to Help@Example.com.", "contact", "help@example.com"),
    ("Write to help [at] example [dot] com.", "contact", "help@example.com"),
    ("See https://www.example.com/status.", "contact", "example.com/status"),
    ("See status.example.com.", "contact", "status.example.com"),
    ("Call +1 555 123 4567.", "contact", "15551234567"),
    ("Follow @acme_status.", "contact", "@acme_status"),
    ("Stripe is looking into it.", "party", "stripe"),
    ("Our vendor Acme is looking into it.", "party", "acme"),
    ("We work on it with Northwind Labs today.", "party", "northwind labs"),
    ("Most customers are affected.", "quantifier", "most"),
    ("The majority of payments fail.", "quantifier", "most"),
    ("Nearly all customers are affected.", "quantifier", "most"),
    ("All customers are affected.", "quantifier", "all"),
    ("Every message is delayed.", "quantifier", "all"),
    ("Everyone is affected.", "quantifier", "all"),
    ("No customers are affected.", "quantifier", "none"),
    ("None of the messages were lost.", "quantifier", "none"),
]

NOT_FOUND = [
    "Please contact us, tell us more, and let us know.",
    "All updates follow here, and all our teams are working on it.",
    "We will notify all affected customers and thank everyone for their patience.",
    "At most, most likely, the most recent update.",
    "No action is needed, and there is no estimate yet.",
    "Every effort is made.",
    "Our Support team watches the Status Page.",
    "Current Status: Investigating\n\nCustomer Impact and Next Steps",
    "The DNS team reads the API logs.",
    "This is a top priority for our engineers.",
    "You may want to march on.",
    "Thank you. Engineering is on it. Customers may retry.",
]


def test_facts_are_found() -> None:
    missed = [
        (text, kind, value)
        for text, kind, value in FOUND
        if (kind, value) not in [(fact.kind, fact.readings[0].value) for fact in read_facts(text)]
    ]
    assert missed == []


def test_plain_words_are_no_facts() -> None:
    assert {text: found for text in NOT_FOUND if (found := read_facts(text))} == {}


def test_share_has_its_subject() -> None:
    share, rate = read_facts("27% of checkouts fail, and the failed payment rate is 3.4%.")
    assert share.head == "checkout"
    assert rate.subject == {"fail", "payment"}


def test_places_of_facts_do_not_depend_on_the_sentence_before() -> None:
    text = "Customers wait for news. About 27% of checkouts fail."
    (fact,) = read_facts(text)
    assert text[fact.start : fact.end] == fact.text == "27%"


def test_repeated_sentence_has_facts_at_each_position() -> None:
    sentence = "About 27% of checkouts fail. "
    text = f"{sentence}Customers wait for news. {sentence}Nine alerts came."
    facts = read_facts(text)
    assert [text[fact.start : fact.end] for fact in facts] == ["27%", "27%", "Nine"]
    assert [fact.start for fact in read_facts(sentence)] == [facts[0].start]


def test_facts_of_sentences_that_the_original_has_are_not_new() -> None:
    known = "About 27% of checkouts fail. It takes 2 hours."
    text = "It takes 2 hours. About 28% of checkouts fail."
    (fact,) = read_new_facts(text, known)
    assert (fact.text, fact.start) == ("28%", text.index("28%"))


@pytest.mark.parametrize(
    "name", ["current_status", "inc_other", "write to ops dot com", "back-off in europe"]
)
def test_plain_strings_may_hold_names(name: str) -> None:
    assert bool(read_facts(name)) == (name != "current_status")


@pytest.mark.parametrize("flood", ["a ", "the ", "5 "])
def test_text_after_too_many_fact_candidates_is_unread(flood: str) -> None:
    *_, last = read_facts(f"{flood * 300}resolved within the hour")
    assert last.kind == "residue"
    assert last.text.endswith("resolved within the hour")


def test_long_sentence_is_read_to_its_end() -> None:
    text = f"{'word ' * 1_500}ends after 5 alerts."
    (count,) = read_facts(text)
    assert (count.kind, text[count.start : count.end]) == ("count", "5")
