"""Inflection and stemming of English words by rule."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.data import read_words

_VOWELS = "aeiou"
_SHORTEST_STEM = 3
_SUFFIXES = (
    "ifications", "ification", "isations", "izations", "isation", "ization", "ations", "ation",
    "ments", "ment", "nesses", "ness", "ities", "ity", "ances", "ance", "ences", "ence", "ions", "ion",
    "ings", "ing", "ises", "izes", "ised", "ized", "ise", "ize", "ies", "ied", "ers", "er", "ors", "or",
    "edly", "ally", "ely", "ly", "ous", "ive", "ables", "able", "ible", "al", "es", "ed", "s", "e", "y",
)  # fmt: skip
_MOST_SUFFIXES = 2
_NO_FORMS = frozenset({"news", "evening", "morning", "during"})
"""Words that look like a form of another word, but are not."""


@lru_cache(maxsize=1)
def _irregular() -> dict[str, tuple[str, ...]]:
    """Return the past forms of irregular verbs by infinitive."""
    return {row[0]: tuple(row[1:]) for row in map(str.split, read_words("irregular_verbs"))}


@lru_cache(maxsize=1)
def _doubling() -> frozenset[str]:
    return frozenset(read_words("doubling_verbs"))


@lru_cache(maxsize=1)
def _lemma_of() -> dict[str, str]:
    """Return the stems of irregular forms."""
    forms = {form: _cut(lemma) for lemma, past in _irregular().items() for form in past if lemma != "lay"}
    return forms | {"tvs": "tv", "pcs": "pc", "ids": "id"}


def _doubles(word: str) -> bool:
    return (
        len(word) > 2
        and (word in _doubling() or sum(letter in _VOWELS for letter in word) == 1)
        and word[-1] not in "aeiouwxy"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
    )


def is_past(word: str) -> bool:
    """Return whether a word looks like a past form or participle of a verb, with or without a prefix."""
    if word.endswith("ed"):
        return len(word) > 4
    irregular = _pasts()
    return word in irregular or any(
        word.startswith(prefix) and word[len(prefix) :] in irregular for prefix in ("re", "un", "over", "out")
    )


@lru_cache(maxsize=1)
def _pasts() -> frozenset[str]:
    return frozenset(form for forms in _irregular().values() for form in forms)


@lru_cache(maxsize=8192)
def classes_of(word: str) -> tuple[str, ...]:
    """Return the word classes of a word, in the order of the data."""
    return _classes().get(stem(word), ())


@lru_cache(maxsize=1)
def _classes() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for line in read_words("word_classes"):
        name, _, lemmas = line.partition(":")
        for key in dict.fromkeys(map(stem, lemmas.split())):
            found[key] = (*found.get(key, ()), name)
    return found


def third_person(word: str) -> str:
    """Return the third person (or the plural) of a word."""
    if word.endswith(("s", "x", "z", "ch", "sh")) or word in ("go", "do", "undo"):
        return word + "es"
    if word.endswith("y") and word[-2:-1] not in _VOWELS:
        return word[:-1] + "ies"
    return word + "s"


def forms_of(word: str) -> tuple[str, ...]:
    """Return every form of a verb or noun, in both spellings of ``-ise``.

    Args:
        word: the infinitive or the singular, in lower case.
    """
    spellings = (word, word[:-3] + "ize") if word.endswith("ise") else (word,)
    return tuple(dict.fromkeys(form for spelling in spellings for form in _inflect(spelling)))


def all_forms_of(word: str) -> tuple[str, ...]:
    """Return every form of a verb or noun given in any form, in lower case."""
    words = (word, *(lemma for lemma in _lemmas(word) if word in forms_of(lemma)))
    return tuple(dict.fromkeys(form for lemma in words for form in forms_of(lemma)))


def _lemmas(word: str) -> Iterator[str]:
    """Yield the possible lemmas of a word."""
    yield from (lemma for lemma, past in _irregular().items() if word in past)
    if word in _NO_FORMS:
        return
    for ending in ("s", "es", "d", "ed", "ing"):
        root = word.removesuffix(ending)
        if root == word or len(root) < _SHORTEST_STEM:
            continue
        yield root
        yield root + "e"
        if root.endswith("i"):
            yield root[:-1] + "y"
        if root[-1] == root[-2]:
            yield root[:-1]


def _inflect(word: str) -> tuple[str, ...]:
    stem = word + word[-1] if _doubles(word) else word
    if word in _irregular():
        past: tuple[str, ...] = _irregular()[word]
    elif word.endswith("e"):
        past = (word + "d",)
    elif word.endswith("y") and word[-2:-1] not in _VOWELS:
        past = (word[:-1] + "ied",)
    else:
        past = (stem + "ed",)
    gerund = word[:-1] + "ing" if word.endswith("e") and not word.endswith(("ee", "oe")) else stem + "ing"
    gerund = word[:-2] + "ying" if word.endswith("ie") else gerund
    return (word, third_person(word), *past, gerund)


def _by_ending(length: int) -> dict[str, tuple[str, ...]]:
    """Return suffixes by their last letters, longest first."""
    whole = {suffix[-length:] for suffix in _SUFFIXES if len(suffix) >= length}
    return {end: tuple(item for item in _SUFFIXES if end.endswith(item[-length:])) for end in whole}


_BY_TWO_LETTERS, _BY_LAST_LETTER = _by_ending(2), {item: (item,) for item in _SUFFIXES if len(item) == 1}


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """Return a rough stem, shared by the forms and close derivations of a word.

    Args:
        word: a word in lower case.

    Returns:
        The word without its endings; at least three letters are kept.
    """
    if "'" in word:
        word = word.removesuffix("'s").removesuffix("'")
    return _lemma_of().get(word) or _cut(word)


def _cut(word: str) -> str:
    for _ in range(_MOST_SUFFIXES):
        for suffix in _BY_TWO_LETTERS.get(word[-2:]) or _BY_LAST_LETTER.get(word[-1:]) or ():
            if word.endswith(suffix):
                break
        else:
            break
        if len(word) - len(suffix) < _SHORTEST_STEM or (suffix == "s" and word.endswith("ss")):
            break
        word = word[: -len(suffix)]
    if len(word) > _SHORTEST_STEM and word[-1] in "ey":
        word = word[:-1]
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2] and word[-1] not in _VOWELS:
        word = word[:-1]
    return word[:-1] if len(word) > _SHORTEST_STEM and word[-1] in "ie" else word
