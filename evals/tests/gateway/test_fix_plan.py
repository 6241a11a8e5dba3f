"""Fix plans: the quoted phrases that a revision must include or remove."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.gateway.fix_plan import required_phrases

# item, phrases to include, phrases to remove
ROWS: list[tuple[str, tuple[str, ...], tuple[str, ...]]] = [
    ('Replace "will be" with "should be"', ("should be",), ("will be",)),
    ("REPLACE “will be” WITH «should be»", ("should be",), ("will be",)),
    ('replace the words "will be", which promise, with the words "should be"', ("should be",), ("will be",)),
    ('replace "will be" with "one" or "another"', ("one",), ("will be",)),
    ('replace "will be" with a hedge such as "should be"', (), ("will be",)),
    ('replace "will be" with a hedge, for example "should be"', (), ("will be",)),
    ('Replace "will be" with a hedge (e.g. "should be")', (), ("will be",)),
    ('replace "such as it is" with "as it is"', ("as it is",), ("such as it is",)),
    ('replace "will be"', (), ("will be",)),
    ('Modify "will be" to "should be"', (), ("will be",)),
    ('Change "will be" to "should be"', (), ("will be",)),
    ('Update "will be"', (), ("will be",)),
    ('rewrite "will be" so that it hedges', (), ("will be",)),
    ('Remove "will be"', (), ("will be",)),
    ('Please delete "will be" and "for sure"', (), ("will be",)),
    ('Add "every 15 minutes" and "on the status page"', ("every 15 minutes", "on the status page"), ()),
    ('State "we\'ll share updates"', ("we'll share updates",), ()),
    # Keywords count only as whole words outside the quotes.
    ('Mention "we update the page"', ("we update the page",), ()),
    ('Add "replace it" near "change it"', ("replace it", "change it"), ()),
    ('Say when updates come: "every 15 minutes"', ("every 15 minutes",), ()),
    ('Keep it unchanged, but add "every 15 minutes"', ("every 15 minutes",), ()),
    ('Add a replacement: "every 15 minutes"', ("every 15 minutes",), ()),
    ("Replace the promise with a hedge", (), ()),
    ("Soften the tone", (), ()),
    # Length limits of a phrase.
    ('Add "no"', (), ()),
    ('Add "yes"', ("yes",), ()),
    (f'Add "{"a" * 120}"', ("a" * 120,), ()),
    (f'Add "{"a" * 121}"', (), ()),
    ("", (), ()),
]


@pytest.mark.parametrize(("item", "include", "remove"), ROWS)
def test_phrases_to_include_and_remove_are_parsed(
    item: str, include: tuple[str, ...], remove: tuple[str, ...]
) -> None:
    phrases = required_phrases([item])
    assert (phrases.include, phrases.remove) == (include, remove)


@pytest.mark.parametrize(
    ("items", "count"),
    [
        ([], 0),
        (['Add "one phrase"', 'Say "One   Phrase"'], 1),
        (['Add "one phrase"', 'Remove "ONE PHRASE"'], 1),
        (['Replace "one phrase" with "two phrases"', 'Add "three"'], 3),
    ],
)
def test_distinct_phrases_are_counted(items: list[str], count: int) -> None:
    assert required_phrases(items).phrases == count


@given(st.lists(st.text(max_size=60), max_size=4))
def test_phrases_of_any_text_are_within_length_limits(items: list[str]) -> None:
    phrases = required_phrases(items)
    assert all(3 <= len(phrase) <= 120 for phrase in phrases.include + phrases.remove)
