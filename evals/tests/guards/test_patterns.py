"""Patterns are looked up by words that they need: by that no row is missed."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.claims.causes_after import CAUSES_AFTER
from redpen.guards.claims.causes_before import CAUSES_BEFORE
from redpen.guards.claims.patterns import Table
from redpen.guards.claims.phrases import PHRASES
from redpen.guards.claims.reading import own_sentences
from redpen.guards.claims.word_classes import WORD_CLASSES

PATTERNS = (
    *(phrase.pattern for phrase in PHRASES),
    *(row.words for row in (*CAUSES_AFTER, *CAUSES_BEFORE)),
)
TABLE = Table((pattern, pattern) for pattern in PATTERNS)
NO_WORDS = frozenset("*$&")
WRITTEN = " ".join((*PATTERNS, *WORD_CLASSES.values()))
EVERY_WORD = TABLE.keys | frozenset(re.findall(r"[^\s/~@^?#]+", WRITTEN))


def _words_of(place: str) -> list[str]:
    """Return words that may stand at a place of a pattern, those of verbs in their infinitive."""
    parts = place.strip("^?").split("/")
    known = (WORD_CLASSES[part[1:]].split() if part[:1] == "@" else [part] for part in parts)
    return [word.strip("~") for words in known for word in words if not {*word} & {*NO_WORDS, "#"}]


@st.composite
def _sentences(draw: st.DrawFn) -> str:
    """Draw the words of one pattern or two, in their order, with words of any others between them."""
    words: list[str] = []
    for pattern in draw(st.lists(st.sampled_from(PATTERNS), min_size=1, max_size=2)):
        for choices in filter(None, map(_words_of, pattern.split())):
            words.append(draw(st.sampled_from(choices)))
            if draw(st.integers(0, 5)) == 0:
                words.append(draw(st.sampled_from(sorted(EVERY_WORD))))
    return " ".join(words)


@given(_sentences())
def test_a_row_is_found_by_the_words_of_its_sentence_or_not_at_all(text: str) -> None:
    for sentence in own_sentences(text):
        words, tags, vocabulary = sentence.words, sentence.tags, sentence.vocabulary
        # Where every word is said to be there, every pattern is tried.
        tried = sorted(TABLE.find(words, tags, vocabulary | EVERY_WORD))
        assert sorted(TABLE.find(words, tags, vocabulary)) == tried


@given(st.sampled_from(PATTERNS))
def test_a_table_of_one_row_finds_what_the_whole_table_finds_of_it(pattern: str) -> None:
    text = " ".join(choices[0] for choices in map(_words_of, pattern.split()) if choices)
    one = Table([(pattern, pattern)])
    for sentence in own_sentences(text):
        read = sentence.words, sentence.tags, sentence.vocabulary
        of_all = sorted(match for match in TABLE.find(*read) if match.row == pattern)
        assert sorted(one.find(*read)) == of_all
