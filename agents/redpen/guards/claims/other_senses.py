"""Other senses of phrases: what is caught up in a trouble, what readers can buy."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.quantities_units import CODES, CURRENCY_WORDS, SIGNS

_PASSIVE = t.BE | t.BEEN | t.BEING
_ENTANGLES = frozenset(("in", "by", "with"))
_PRICED = frozenset("for at costs cost costing".split())
CURRENCIES = frozenset((*CODES, *CURRENCY_WORDS, *SIGNS))
_PRICE = 8
_PIECES = 4


def entangled(sentence: Sentence, start: int, end: int) -> bool:
    """Whether something was caught up in a trouble, and has not caught up.

    Args:
        sentence: the sentence.
        start: index of the first word of the phrase.
        end: index after its last.
    """
    words, tags = sentence.words, sentence.tags
    if words[start:end] != ["caught", "up"] or _ENTANGLES.isdisjoint(words[end : end + 1]):
        return False
    before = next((at for at in range(start - 1, -1, -1) if not tags[at] & t.ADVERB), -1)
    return before < 0 or bool(tags[before] & _PASSIVE) or not tags[before] & t.HAVE


def describes_thing(sentence: Sentence, start: int, at: int) -> bool:
    """Whether a participle of blame only tells which thing is meant ("looking at the skipped nights").

    Args:
        sentence: the sentence.
        start: index of the first word of the phrase.
        at: index of the participle.
    """
    words, tags = sentence.words, sentence.tags
    if at <= start or at + 1 >= len(words) or not words[at].endswith("ed"):
        return False
    before = tags[at - 1] & t.DETERMINER and not tags[at - 1] & t.PRONOUN
    return bool(before and is_content(words[at + 1], tags[at + 1]))


def relates_elsewhere(sentence: Sentence, start: int) -> bool:
    """Whether "that" at ``start`` takes up a noun before it that is no trouble ("the cards that went out").

    Args:
        sentence: the sentence.
        start: index of the first word of the phrase.
    """
    words, tags = sentence.words, sentence.tags
    if words[start] != "that" or not start or not is_content(words[start - 1], tags[start - 1]):
        return False
    return not tags[start - 1] & (t.PROBLEM | t.BAD | t.HINDERS | t.COMPLEMENT | t.GLAD)


def is_bought(sentence: Sentence, end: int) -> bool:
    """Whether a price follows what readers can get ("a new card for $3").

    Args:
        sentence: the sentence.
        end: index after the last word of what they can get.
    """
    words = sentence.words
    for at in range(end, min(len(words) - 1, end + _PRICE)):
        if words[at] in CLAUSE_MARKS:
            return False
        if words[at] in _PRICED:
            place = sentence.at[at] + 1
            around = frozenset(sentence.tokens.folded[place : place + _PIECES])
            if not CURRENCIES.isdisjoint(around) and any(piece[0].isdigit() for piece in around):
                return True
    return False


def is_no_charge_yet(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a phrase says what something is not, with "charge" as a noun ("it is not a final charge").

    Args:
        sentence: the sentence.
        start: index of the first word of the phrase.
        end: index after its last.
    """
    words, tags = sentence.words, sentence.tags
    if words[start] != "not" or not tags[start - 1] & t.BE:
        return False
    at = next((k for k in range(start + 1, end) if words[k] in ("charge", "bill", "cost", "fee")), end)
    return at < end and any(tags[k] & t.DETERMINER for k in range(start + 1, at))
