"""What the known words and marks can be, and what a token of a text stands for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from itertools import repeat
from string import punctuation
from types import MappingProxyType

from redpen.guards.claims import tags as t
from redpen.guards.claims.grammar import CLOSED_WORDS, GRAMMAR_VERBS
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.phrases import PHRASES
from redpen.guards.claims.vocabulary import WORD_ROWS
from redpen.text.tokens import kind_of

_OWN_FORMS = frozenset(("be", "have", "do"))


@lru_cache(maxsize=1)
def lexicon() -> Mapping[str, int]:
    """Return what the known words can be, by their form in lower case."""
    found: dict[str, int] = {}
    verbs = [(word, row.tags) for row in WORD_ROWS if row.verb for word in row.words.split()]
    phrased = sorted(set(re.findall(r"~([a-z]+)", " ".join(row.pattern for row in PHRASES))) - _OWN_FORMS)
    for lemma, tag in (*verbs, *GRAMMAR_VERBS, *((lemma, 0) for lemma in phrased)):
        for word in spellings(lemma):
            forms = inflect(word)
            for form, bit in ((forms.base, t.BASE), (forms.third, t.THIRD), (forms.gerund, t.GERUND)):
                found[form] = found.get(form, 0) | tag | bit
            for form in forms.past:
                found[form] = found.get(form, 0) | tag | t.PAST
    words = [(word, row.tags) for row in WORD_ROWS if not row.verb for word in row.words.split()]
    for word, tag in (*words, *CLOSED_WORDS):
        found[word] = found.get(word, 0) | tag
    return MappingProxyType(found)


_AUXILIARIES = "is are was were has have had do does did would could should might must need".split()
_CONTRACTIONS: dict[str, tuple[str, ...]] = {
    **{f"{word}n't": (word, "not") for word in _AUXILIARIES},
    **{f"{word}nt": (word, "not") for word in _AUXILIARIES if word not in ("wa", "we")},
    "can't": ("can", "not"), "cant": ("can", "not"), "cannot": ("can", "not"), "won't": ("will", "not"),
    "wont": ("will", "not"), "shan't": ("will", "not"), "ain't": ("is", "not"), "let's": ("let", "us"),
    "gonna": ("going", "to"), "anymore": ("any", "more"), "nolonger": ("no", "longer"),
    "alright": ("all", "right"),
}  # fmt: skip
_ENDINGS = {"'ve": "have", "'re": "are", "'ll": "will", "'d": "would", "'m": "am", "'s": "'s"}
_IS_AFTER = frozenset(
    "it that this there everything all what who which he she here nothing everyone service checkout "
    "one where".split()
)
HYPHENS = frozenset("-‐‑")
_MARKS: dict[str, tuple[tuple[str, int], ...]] = {
    **{mark: ((mark, 0),) for mark in ",;:()[]–—…"},
    **dict.fromkeys("-‐‑―−", (("–", 0),)),
    **{mark: ((mark, t.AND),) for mark in "/&+"},
    "%": (("%", t.ADVERB),),
}
"""Marks that stay in a sentence, and what they are read as."""

_LONGEST_SHORT = 4
"""Letters of a word that may end in "ly" and be no adverb (fly, July)."""
DROPPED, _UNKNOWN, APART = -1, -2, -3
"""Stand for the tags of a mark that is no part of a sentence, of an unknown token, of one to take apart."""


@lru_cache(maxsize=1)
def _plain() -> Mapping[str, int]:
    """Return the words and marks that stand for themselves, for the quick way through a text."""
    known = lexicon().items()
    words = {word: tag for word, tag in known if word[0].isalpha() and "'" not in word}
    for contraction in _CONTRACTIONS:
        words.pop(contraction, None)
    marks = {mark: parts[0][1] for mark, parts in _MARKS.items() if parts[0][0] == mark}
    dropped = dict.fromkeys(set(punctuation) - set(_MARKS) - HYPHENS, DROPPED)
    return words | marks | dropped


@lru_cache(maxsize=4096)
def _tags_of(word: str) -> int:
    known = lexicon().get(word)
    if known is not None:
        return known
    return t.ADVERB if len(word) > _LONGEST_SHORT and word.endswith("ly") else 0


@lru_cache(maxsize=4096)
def parts_of(folded: str) -> tuple[tuple[str, int], ...]:
    """Return the words that a token stands for, each with its tags; none for a mark that parts nothing."""
    parts = _CONTRACTIONS.get(folded)
    kind = kind_of(folded)
    if kind == "number":
        return ((folded, t.NUMBER),)
    if kind != "word":
        return _MARKS.get(folded, ())
    if parts is None:
        cut = folded.find("'")
        ending = _ENDINGS.get(folded[cut:]) if cut > 0 else None
        if ending is None:
            parts = (folded,)
        elif ending == "'s" and folded[:cut] in _IS_AFTER:
            parts = (folded[:cut], "is")
        else:
            parts = (folded[:cut], ending)
    return tuple((part, _tags_of(part)) for part in parts)


def tags_of_tokens(folded: list[str]) -> tuple[list[int], bool]:
    """Return the tags of tokens that stand for themselves, and whether all do; others are ``APART``."""
    tags = list(map(_plain().get, folded, repeat(_UNKNOWN)))
    if _UNKNOWN not in tags:
        return tags, True
    for index in [index for index, tag in enumerate(tags) if tag == _UNKNOWN]:
        word = folded[index]
        if word.isalpha() and word not in _CONTRACTIONS:
            tags[index] = t.ADVERB if word.endswith("ly") and len(word) > _LONGEST_SHORT else 0
        else:
            parts = parts_of(word)
            itself = len(parts) == 1 and parts[0][0] == word
            tags[index] = parts[0][1] if itself else APART if parts else DROPPED
    return tags, APART not in tags
