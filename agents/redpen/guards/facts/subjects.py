"""Find the subject of a number: the noun that it counts or is a share of."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.words import is_past

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces


_SENTENCE = 25
_LABEL = 10
Noun = tuple[str, frozenset[str]]
"""Stem of the head of a noun phrase, empty if there is none, and stems of all its words."""
_NOTHING: Noun = ("", frozenset())
_SHORTEST = 2
_PHRASE = 5
_NUMBER = 4
"""Maximum number of pieces of a share and the word before it."""
_BEFORE_RATE = vocab.ends_noun_phrase - {"fail", "fails", "failing"}
"""Words that are not part of the noun of a rate; "failing" may be: "the checkouts failing rate"."""


@lru_cache(maxsize=4096)
def stem(word: str) -> str:
    """Return a word without its plural ending; variants of a word have one stem."""
    word = word.removesuffix("'s").removesuffix("s'")
    if word in vocab.SAME:
        return vocab.SAME[word]
    if word[-1:] != "s":
        return word
    for ending, instead in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x")):
        if word.endswith(ending) and len(word) > len(ending) + 1:
            return word[: -len(ending)] + instead
    if word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    return vocab.SAME.get(word, word)


def subject_stem(word: str) -> str:
    """Return the stem of a word that can be the subject of a number; empty for other words."""
    if word in vocab.no_subjects or len(word) < _SHORTEST:
        return ""
    named = stem(word)
    return "" if named == "attempt" else named


def noun_after(pieces: Pieces, index: int) -> Noun:
    """Read the noun phrase that begins at a piece: stem of its head, stems of its words."""
    return _noun_phrase(pieces, index)[:2]


def plural_after(pieces: Pieces, index: int) -> Noun:
    """Read the noun phrase at a piece as ``noun_after`` does, with a plural noun as its head.

    "930 waiting" and "4 tomorrow" count no noun that is named; "accounts take" has the head "account".
    """
    head, subject, end = _noun_phrase(pieces, index)
    if pieces.digits(end) and pieces.is_capital(end - 1):
        # "1,500 Voltaro E3 batteries": the number belongs to a name.
        index = end + 1
        head, _, end = _noun_phrase(pieces, index)
        subject = frozenset({head} if head else ())
    words = (pieces.low[place] for place in range(end - 1, index - 1, -1))
    plural = next((word for word in words if is_plural(word) or word in vocab.irregular_plurals), "")
    return (stem(plural) if plural and head else ""), subject


def _noun_phrase(pieces: Pieces, index: int) -> tuple[str, frozenset[str], int]:
    """Read a noun phrase: stem of its head, stems of its words, the index of the piece after."""
    words: list[str] = []
    low = pieces.low
    place = index
    verb = ""
    for _ in range(_PHRASE + 3):
        word = low[place]
        joint = _join(pieces, place, words)
        if joint:
            place += joint
            continue
        # "Of those served by it": the noun comes earlier.
        pointing = word in vocab.stands_alone and is_past(low[place + 1])
        pointing = pointing or (word in vocab.wherever and not words)
        if not pieces.is_word[place] or len(words) >= _PHRASE or not word.isascii() or pointing:
            break
        if word in vocab.determiners and not words:
            place += 1
            continue
        joins = word == "and" and words and not is_plural(words[-1]) and pieces.is_word[place + 1]
        if joins and low[place + 1] not in vocab.UNITS:
            place += 1
            continue
        if word in vocab.ends_noun_phrase:
            break
        # A wrapped line continues in lower case; a capital begins another entry.
        entry = place > index or pieces.is_capital(place)
        if pieces.breaks and place and entry and pieces.broken(place - 1):
            break
        if words and is_plural(words[-1]) and not word.endswith("s") and words[-1] not in vocab.naming:
            verb = stem(word)
            break
        words.append(word)
        place += 1
    meant = [word for word in words if stem(word) not in vocab.no_subjects and len(word) > 1]
    if not meant:
        return "", frozenset(), place
    stems = frozenset(stem(word) for word in meant)
    return stem(meant[-1]), stems | {verb} if verb and verb not in vocab.no_subjects else stems, place


def _join(pieces: Pieces, place: int, words: list[str]) -> int:
    """Return the number of pieces that join the words of a phrase: "card-payments", "Ross & Sons".

    A particle after a hyphen is added to the last word: "check-in". A possessive plural is no plural noun.
    """
    low = pieces.low
    if not words:
        return 0
    if low[place] == "'" and is_plural(words[-1]) and pieces.glued_before(place):
        words[-1] = stem(words[-1])
        return 1
    if low[place] != "-" or not (pieces.glued_before(place) and pieces.glued(place)):
        return int(low[place] == "&" and pieces.is_capital(place + 1))
    if low[place + 1] not in vocab.ends_noun_phrase:
        return 1
    words[-1] += low[place + 1]
    return 2


def is_plural(word: str) -> bool:
    """Whether a word has the ending of a plural."""
    return word.endswith("s") and len(word) > 3 and not word.endswith(("ss", "us", "is"))


def share_noun(pieces: Pieces, index: int) -> Noun:
    """Read the subject of a share from the piece after it: "of checkouts", "checkout failure rate".

    The head is given only after "of": a word directly after a share may be a verb ("8% return nothing").
    """
    low = pieces.low
    of = low[index] == "of"
    if of and low[index + 1] == "them":
        return _antecedent(pieces, index)
    head = _put_beside(pieces, index) if of and low[index + 1] in vocab.stands_alone else ""
    if head:
        return head, frozenset({head})
    if low[index] in vocab.prepositions:
        head, subject = noun_after(pieces, index + 1)
        return (head if of else ""), subject
    return "", noun_after(pieces, index)[1]


def _put_beside(pieces: Pieces, index: int) -> str:
    """Return the stem of the noun before the apposition that ends at a piece: "41 shops, 12% of those"."""
    low = pieces.low
    clause = pieces.clause_before(index, _PHRASE, vocab.clause_ends)
    noun = low[index - len(clause) - 2]
    idle = all(word[0].isdecimal() or word in vocab.beside_share for word in clause)
    named = idle and low[index - len(clause) - 1] in vocab.adding and is_plural(noun)
    return stem(noun) if named and stem(noun) in vocab.CLASSES else ""


def _antecedent(pieces: Pieces, index: int) -> Noun:
    """Read the antecedent of "them" at a piece: the subject of the previous clause of the sentence.

    "Matches go on, and 22% of them end early": the matches. A second plural is ambiguous: "users see calls
    drop, 11% of them".
    """
    sentence = pieces.clause_before(index, _SENTENCE, vocab.sentence_ends)
    start = index - len(sentence)
    noun = sentence[sentence.index(":") - 1] if ":" in sentence[-_NUMBER:] else ""
    if is_plural(noun):
        # "We look into slow transfers: 41% of them".
        return stem(noun), frozenset({stem(noun)})
    head, subject, end = _noun_phrase(pieces, start)
    if pieces.low[end] == "," or not any(
        is_plural(word) and stem(word) == head for word in sentence[:_PHRASE]
    ):
        return _NOTHING
    plurals = (at for at, word in enumerate(sentence) if is_plural(word))
    apart = (stem(sentence[at]) for at in plurals if "of" not in sentence[max(0, at - 3) : at])
    others = {noun for noun in apart if noun in vocab.CLASSES} - {head}
    return ("", subject | others) if others else (head, subject)


def noun_before(pieces: Pieces, index: int) -> Noun:
    """Read the subject of a share from the words before it.

    "Of searches, 8% return nothing", "Farms with alarms: 11%", "the failed payment rate is 3.4%", "matches
    drop: 8% end early".
    """
    low = pieces.low
    first = index
    while low[first - 1] in vocab.about and first > index - _PHRASE:
        first -= 1
    grouped = pieces.clause_before(first - (low[first - 1] == ","), _PHRASE + 3, vocab.clause_ends)
    at = next((at for at, word in enumerate(grouped) if word in vocab.grouping), None)
    if at is not None and at <= (grouped[0] == "out"):
        return noun_after(pieces, first - (low[first - 1] == ",") - len(grouped) + at + 1)
    head, subject = "", frozenset[str]()
    if low[index - 1] == ":":
        label = pieces.clause_before(index - 1, _LABEL, vocab.clause_ends)
        owner = next((word for word, after in pairwise(label) if after in ("with", "without", "having")), "")
        head, subject = stem(owner) if owner else "", frozenset({stem(owner)} if owner else ())
    if not subject:
        head, subject = _rate_before(pieces, index)
    return head, subject | (_antecedent(pieces, first - 1)[1] if low[first - 1] == ":" else frozenset())


def label_before(pieces: Pieces, index: int) -> Noun:
    """Read the noun that a number counts from a label: "Employers waiting: 112"."""
    if pieces.low[index - 1] not in (":", "="):
        return _NOTHING
    place = index - 2
    words: list[str] = []
    while place >= 0 and pieces.is_word[place] and len(words) < _PHRASE and not pieces.broken(place):
        words.append(pieces.low[place])
        place -= 1
    stems = [stem(word) for word in words if word not in vocab.no_labels]
    head = next((word for word in stems if word in vocab.CLASSES), "")
    return (head, frozenset(stems)) if head else _NOTHING


def _rate_before(pieces: Pieces, index: int) -> Noun:
    """Read the subject of a rate before a share: "the failed payment rate is"."""
    low = pieces.low
    place = index - 1
    while low[place] in vocab.links and place > index - _PHRASE - 2:
        place -= 1
    linked = low[place + 1 : index]
    words: list[str] = []
    while linked and pieces.is_word[place] and len(words) < _PHRASE - 1:
        if place < 0 or low[place] in _BEFORE_RATE:
            break
        words.append(low[place])
        place -= 1
    found = [stem(word) for word in words if word not in vocab.no_subjects]
    head = next((word for word in found if word not in vocab.generic), "")
    named = head in vocab.CLASSES and not vocab.rates.isdisjoint(linked)
    return head if named else "", frozenset(found)
