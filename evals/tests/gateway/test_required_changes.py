"""Required changes: which of them are enforceable, their phrases, and applying them to a text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.gateway.required_changes import (
    MAX_ITEM_CHARS,
    apply_changes,
    is_enforceable,
    parse_change,
    required_phrases,
)
from redpen.guards.required_phrases import RequiredPhrases
from redpen.text.phrases import contains_phrase

ADDITIONS = [
    ('ADD "We\'ll share updates"', "We'll share updates"),
    ('ADD: "every 15 minutes"', "every 15 minutes"),
    ('add- "every 15 minutes"', "every 15 minutes"),
    ("ADD “We’ll share updates” at the end", "We’ll share updates"),
    ("ADD «оновлення кожні 15 хвилин»", "оновлення кожні 15 хвилин"),
    ('MUST_INCLUDE "every 15 minutes"', "every 15 minutes"),
    ('must_include:"every 15 minutes"', "every 15 minutes"),
    ('The text Must_Include "every 15 minutes" somewhere', "every 15 minutes"),
    ('ADD "no" before "every 15 minutes"', "every 15 minutes"),
    ('ADD "abc"', "abc"),
    (f'ADD "{"a" * 160}"', "a" * 160),
    (f'ADD "every 15 minutes", not "{"a" * 161}"', "every 15 minutes"),
]
REMOVALS = [
    ('MUST_REMOVE "Don\'t worry"', "Don't worry"),
    ('REMOVE "fully recovered"', "fully recovered"),
    ('remove: "fully recovered"', "fully recovered"),
    ('REMOVE-"fully recovered"', "fully recovered"),
    ('Please must_remove "fully recovered"', "fully recovered"),
    ('ADD nothing, MUST_REMOVE "fully recovered"', "fully recovered"),
    ('REMOVE "fully recovered", MUST_INCLUDE none', "fully recovered"),
    ('MUST_INCLUDE or MUST_REMOVE "fully recovered"', "fully recovered"),
]
UNENFORCEABLE = [
    "Be more careful",
    "ADD a sentence on the estimate",
    'Say "every 15 minutes"',
    'Please ADD "every 15 minutes"',
    'Please REMOVE "fully recovered"',
    '"every 15 minutes" ADD',
    'ADDITIONALLY say "every 15 minutes"',
    'REMOVED "fully recovered"',
    'ADD"every 15 minutes"',
    'ADD "every 15 minutes" and "on the status page"',
    'ADD "ab"',
    f'ADD "{"a" * 161}"',
    'ADD ""',
    'Mention "MUST_INCLUDE"',
    "",
]


@pytest.mark.parametrize(("item", "phrase"), ADDITIONS)
def test_addition_is_parsed(item: str, phrase: str) -> None:
    change = parse_change(item)
    assert change is not None
    assert (change.phrase, change.remove) == (phrase, False)


@pytest.mark.parametrize(("item", "phrase"), REMOVALS)
def test_removal_is_parsed(item: str, phrase: str) -> None:
    change = parse_change(item)
    assert change is not None
    assert (change.phrase, change.remove) == (phrase, True)


@pytest.mark.parametrize("item", UNENFORCEABLE)
def test_other_items_are_not_enforceable(item: str) -> None:
    assert not is_enforceable(item)


def test_required_phrases_are_collected_from_items() -> None:
    items = ['ADD "one phrase"', 'REMOVE "two phrases"', "loose words", 'MUST_INCLUDE "Three"']
    assert required_phrases(items) == RequiredPhrases(
        include=("one phrase", "Three"), remove=("two phrases",)
    )


@pytest.mark.parametrize(
    ("items", "checks"),
    [
        (['ADD "one phrase"', 'MUST_INCLUDE "One   PHRASE"'], 1),
        (['ADD "one phrase"', 'ADD "one phrase."'], 2),
        (['ADD "one phrase"', 'REMOVE "one phrase"'], 2),
        (['REMOVE "one phrase"', 'MUST_REMOVE "ONE PHRASE"', 'ADD "two"'], 2),
        ([], 0),
    ],
)
def test_distinct_checks_are_counted(items: list[str], checks: int) -> None:
    assert required_phrases(items).checks == checks


@pytest.mark.parametrize(
    ("text", "items", "edited"),
    [
        ("We work.", ['ADD "We\'ll share Updates"'], "We work. We'll share Updates"),
        ("We work", ['ADD "Then we wait."'], "We work. Then we wait."),
        ("First.\n\nLast", ['ADD "Then we wait."'], "First.\n\nLast.\n\nThen we wait."),
        ("We operate at a rate.", ['REMOVE "rate"'], "We operate at a."),
        # Deletions first, then additions, each in the order of the items.
        ("We work. All is well.", ['ADD "One."', 'REMOVE "All is well"', 'ADD "Two."'], "We work. One. Two."),
        ("All is well.", ['REMOVE "All is well"', 'ADD "We work."'], "We work."),
        ("We work. One.", ['ADD "one"'], "We work. One."),
        ("All is well.", ['REMOVE "All is well."'], ""),
        ("We work.", ["Be kind"], "We work."),
    ],
)
def test_apply_changes_edits_text(text: str, items: list[str], edited: str) -> None:
    assert apply_changes(text, items) == edited


# A phrase to remove may remain inside its own replacement, but nowhere else.
REPLACED = RequiredPhrases(
    include=("not resolved",), remove=("resolved",), replacements=(("resolved", "not resolved"),)
)
RESOLVED = RequiredPhrases(remove=("resolved",))
SAME = RequiredPhrases(include=("resolved",), remove=("resolved",), replacements=(("resolved", "resolved"),))


@pytest.mark.parametrize(
    ("phrases", "text", "missing", "left"),
    [
        (RequiredPhrases(include=("We'll wait",)), "Well, wait: we’ll  WAIT.", (), ()),
        (RequiredPhrases(include=("we wait",)), "We await.", ("we wait",), ()),
        (RequiredPhrases(remove=("rate",)), "We operate.", (), ()),
        (RequiredPhrases(remove=("rate",)), "The Rate.", (), ("rate",)),
        (RequiredPhrases(remove=("resolved",)), "Resolved, and resolved.", (), ("resolved", "resolved")),
        (RequiredPhrases(include=("one",), remove=("one",)), "one", (), ("one",)),
        (
            RequiredPhrases(include=("not resolved",), remove=("resolved",)),
            "Not resolved.",
            (),
            ("resolved",),
        ),
        (REPLACED, "It is not resolved.", (), ()),
        (REPLACED, "Resolved? It is not resolved.", (), ("resolved",)),
        (REPLACED, "Resolved.", ("not resolved",), ("resolved",)),
        (SAME, "It is resolved.", (), ("resolved",)),
        (RESOLVED, "It is r\u0435s\u043elved.", (), ("resolved",)),
        (RESOLVED, "It is res<b>olved</b>.", (), ("resolved",)),
        (RESOLVED, "It is r e s o l v e d.", (), ("resolved",)),
        (RESOLVED, "It is unres\u043elved.", (), ()),
    ],
)
def test_missing_and_left_phrases_are_found_in_text(
    phrases: RequiredPhrases, text: str, missing: tuple[str, ...], left: tuple[str, ...]
) -> None:
    assert phrases.missing(text) == missing
    assert tuple(phrase for phrase, _ in phrases.left(text)) == left
    for phrase, (start, end) in phrases.left(text):
        assert 0 <= start < end <= len(text)
        assert text.isascii() is False or len(text[start:end]) >= len(phrase)


QUOTABLE = st.from_regex(r"[A-Za-zа-я]{2,6}( [A-Za-zа-я']{2,6}){0,2}[.!]?", fullmatch=True).filter(
    lambda phrase: len(phrase) >= 3
)


@given(st.text(max_size=60), st.lists(st.tuples(st.sampled_from(["ADD", "REMOVE"]), QUOTABLE), max_size=4))
def test_applied_changes_satisfy_their_checks(text: str, asked: list[tuple[str, str]]) -> None:
    items = [f'{marker} "{phrase}"' for marker, phrase in asked]
    edited = apply_changes(text, items)
    additions = [phrase for marker, phrase in asked if marker == "ADD"]
    for phrase in additions:
        assert contains_phrase(edited, phrase)
    if not additions:
        last = asked[-1][1] if asked else None
        assert last is None or not contains_phrase(edited, last)


@given(st.text(max_size=80))
def test_any_item_parses_to_none_or_valid_phrase(item: str) -> None:
    change = parse_change(item)
    assert change is None or 3 <= len(change.phrase) <= 160


def test_overlong_item_is_not_enforceable():
    fits = 'ADD "next update"'.ljust(MAX_ITEM_CHARS)
    assert is_enforceable(fits)
    assert not is_enforceable(f"{fits} ")
