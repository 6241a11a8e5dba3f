"""Similarity of two texts, by words.

Characters do not measure an edit: unrelated English texts share four characters in ten. The similarity is the
length of the longest common subsequence of the two word lists, doubled, over the sum of their lengths. A
sentence that both texts contain counts in full wherever it stands, so that moving a sentence is a small edit.

Source: normalised Indel similarity, as in rapidfuzz.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from redpen.text.lazy_pattern import lazy_pattern

# In scripts without spaces between words, each character counts as a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+"
_SENTENCE_BREAK = lazy_pattern(r"(?<=[.!?])\s|\n")

_Sentence = tuple[str, ...]


def similarity(first: str, second: str) -> float:
    """Return the share of words that two texts have in common.

    Args:
        first: a text.
        second: another text; the result does not depend on the order of the two.

    Returns:
        0.0 (nothing in common) to 1.0 (the same sentences). Case, punctuation and white space do not
        count. If a text has no words, characters are compared.
    """
    sentences, second_sentences = _sentences(first), _sentences(second)
    if not sentences or not second_sentences:
        return _share(first.strip(), second.strip(), moved=0)
    same = Counter(sentences) & Counter(second_sentences)
    moved = sum(len(sentence) * count for sentence, count in same.items())
    in_order = _share(_words(sentences), _words(second_sentences), moved=0)
    rest = _share(_words(_without(sentences, same)), _words(_without(second_sentences, same)), moved=moved)
    return max(in_order, rest)


def length_increase_pct(before: str, after: str) -> float:
    """Return by how many percent ``after`` is longer than ``before``; 0.0 if ``before`` is empty."""
    if not before:
        return 0.0
    return (len(after) - len(before)) * 100 / len(before)


def _share(first: Sequence[str], second: Sequence[str], *, moved: int) -> float:
    # Imported here because most revisions are judged without a limit on the edit.
    from rapidfuzz.distance import Indel

    # A single division of integers, so that 9 words of 20 are exactly 0.45.
    total = len(first) + len(second) + 2 * moved
    return (total - Indel.distance(first, second)) / total if total else 1.0


def _sentences(text: str) -> list[_Sentence]:
    pieces = (tuple(re.findall(_WORD, piece)) for piece in _SENTENCE_BREAK.split(text.casefold()))
    return [piece for piece in pieces if piece]


def _words(sentences: Sequence[_Sentence]) -> list[str]:
    return [word for sentence in sentences for word in sentence]


def _without(sentences: Sequence[_Sentence], same: Counter[_Sentence]) -> list[_Sentence]:
    left, rest = Counter(same), []
    for sentence in sentences:
        if left[sentence]:
            left[sentence] -= 1
        else:
            rest.append(sentence)
    return rest
