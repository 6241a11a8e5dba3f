"""How much of one text stands in another, by words.

Characters are no measure of an edit: unrelated English prose shares four characters in ten. Words in
their order are: the longest common subsequence of the two word lists, doubled, over the sum of their
lengths. A sentence that stands in both texts counts as it is, wherever it stands, so that moving a
sentence is a small edit. The result does not depend on the order of the arguments.

Source: normalised Indel similarity, as in rapidfuzz.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from redpen.text.lazy_pattern import lazy_pattern

# Scripts written without spaces have no word breaks to go by: each of their characters is a word.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_WORD = rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+"
_SENTENCE_BREAK = lazy_pattern(r"(?<=[.!?])\s|\n")

_Sentence = tuple[str, ...]


def similarity(one: str, other: str) -> float:
    """Return the share of words that two texts have in common.

    Args:
        one: a text.
        other: another; the order of the two does not matter.

    Returns:
        0.0 (nothing in common) to 1.0 (the same sentences). Case, punctuation and white space do not
        count, unless a text has no word at all: then characters are compared.
    """
    sentences, other_sentences = _sentences(one), _sentences(other)
    if not sentences or not other_sentences:
        return _share(one.strip(), other.strip(), moved=0)
    same = Counter(sentences) & Counter(other_sentences)
    moved = sum(len(sentence) * count for sentence, count in same.items())
    in_order = _share(_words(sentences), _words(other_sentences), moved=0)
    rest = _share(_words(_without(sentences, same)), _words(_without(other_sentences, same)), moved=moved)
    return max(in_order, rest)


def length_increase_pct(before: str, after: str) -> float:
    """Return by how many percent ``after`` is longer than ``before``; 0.0 when ``before`` is empty."""
    if not before:
        return 0.0
    return (len(after) - len(before)) * 100 / len(before)


def _share(one: Sequence[str], other: Sequence[str], *, moved: int) -> float:
    # Most revisions are judged without a limit to the edit: what measures it is loaded when one is asked for.
    from rapidfuzz.distance import Indel

    # One division of whole numbers: 9 words of 20 are 0.45 to the last digit.
    total = len(one) + len(other) + 2 * moved
    return (total - Indel.distance(one, other)) / total if total else 1.0


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
