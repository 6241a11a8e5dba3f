"""Polarity: whether a clause affirms, denies or leaves open a phrase. No other module decides this.

A phrase of the floor is affirmed unless words before it deny it ("is not fixed"), make it conditional or
future ("once it is fixed", "we hope to have it fixed"), words after it do ("fixed? not yet", "is closed once
payments hold"), others say it and the writer disowns it ("a post says it is fixed; it is not"), or it is part
of an unanswered question.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from redpen.guards.claims.clauses import FUNCTION_WORDS, items_of
from redpen.guards.claims.phrases import turn
from redpen.guards.data import word_set
from redpen.guards.words import is_past, stem

if TYPE_CHECKING:
    from redpen.guards.claims.clauses import Clause, Sentence
    from redpen.guards.claims.phrases import Hit

DENYING = frozenset("not no never none nothing nobody neither nor without unable hardly".split())
"""Words that negate their clause."""
OPENING = word_set("polarity", "opening")
FINITE = word_set("polarity", "finite")
_CONDITIONS = word_set("polarity", "conditions")
_UNSETTLED = word_set("polarity", "unsettled")
_INVERTED = frozenset("after had were should".split())
"""First words that make a clause conditional or future."""
_TOLD = word_set("polarity", "told")
_DISOWNING = word_set("polarity", "disowning")
_YES = frozenset("yes yep yeah indeed correct absolutely right affirmative".split())
_LONGEST_YES = 6
"""Most words of a sentence that only says yes."""
_JOINS = frozenset(("and", "or", "nor"))
_EARLY = 2
"""Most words before a phrase for which a condition in the previous clause governs it."""
_NEAR = 4
"""Neighbouring clauses that are read, on either side."""
_NOTHING = frozenset("nothing neither no nor little".split())
_VERBS = frozenset("is are was were be been will shall has have caused triggered".split())
_WE = frozenset(("we", "i"))
_REFERRING = frozenset(
    "that this it these those they such none not do please both neither nothing sadly".split()
)
"""First words of a sentence that can take back what the one before reports from others."""
_OURS = frozenset(("we", "i", "our", "my"))
_NOUNS = frozenset("guarantee guarantees guaranteed promise promises pledge".split())
_BEFORE_NOUNS = frozenset("a any the firm of such this another no our with".split())
_JUDGED_AFTER = frozenset(("cause", "commitment"))
"""Families whose phrases are often nouns, which are negated by words after them."""
_CASES = frozenset(("if", "when", "where", "should"))
_BESIDE_DENIALS = DENYING | FINITE | frozenset("a an the any some as well also too and but".split())
"""Function words that come and go with a denial."""
_AFFECTED = frozenset(map(stem, ("impacted", "hit", "touched")))
_LEAST_OPPOSED = 2
"""Fewest content words of a clause that can oppose another."""


def mood_of(words: tuple[str, ...]) -> str:
    """Return ``N`` if words deny, ``O`` if they leave open, ``NO`` for both, else nothing."""
    return ("" if DENYING.isdisjoint(words) else "N") + ("" if OPENING.isdisjoint(words) else "O")


def opposes(words: tuple[str, ...], others: tuple[str, ...]) -> bool:
    """Whether two clauses with a verb differ in a denial alone, and neither is conditional.

    "Refunds are offered" opposes "no refunds are offered".
    """
    if words[0] == "no" and words[1:2] and words[1] in FUNCTION_WORDS:
        # "No, some of them fail" answers a question.
        words = words[1:]
    content, others_content = (_alike(items_of(row, ())) for row in (words, others))
    both = {*words, *others}
    changed = FUNCTION_WORDS.intersection(set(words) ^ set(others))
    return (
        DENYING.isdisjoint(words) != DENYING.isdisjoint(others)
        and len(content) >= _LEAST_OPPOSED
        and content == others_content
        and changed <= _BESIDE_DENIALS
        and not FINITE.isdisjoint(both)
        and _CONDITIONS.isdisjoint(both)
    )


def _alike(items: tuple[str, ...]) -> list[str]:
    """Return items without "well", and with one word for being affected."""
    return ["affect" if item in _AFFECTED else item for item in items if item != "well"]


def affirms(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Whether a sentence affirms a phrase of one of its clauses.

    Args:
        sentence: the sentence.
        place: which of its clauses, from 0.
        hit: the phrase in that clause.
        after: the sentence after, if there is one.
    """
    return not _is_label(sentence, sentence.clauses[place], hit) and is_said(sentence, place, hit, after)


def is_said(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Like ``affirms``, but true for names and labels as well."""
    words = sentence.clauses[place].words
    # "Why is it fixed?" presupposes that it is.
    if sentence.asks and sentence.clauses[0].words[0] != "why" and not _is_answered(after):
        return False
    return not (
        _is_barred(words[: hit.start] if hit.phrase.own else words[: hit.end])
        or _is_led_open(sentence, place, hit)
        or _is_barred_after(sentence, place, hit)
        or is_disowned(sentence, place, hit, after)
    )


def _is_label(sentence: Sentence, clause: Clause, hit: Hit) -> bool:
    """Whether a phrase is only a name: in a heading without a verb, or as a part of a name."""
    words = clause.words
    if sentence.is_label and hit.phrase.family in _JUDGED_AFTER:
        return _VERBS.isdisjoint(words[hit.start : hit.end])
    if hit.end - hit.start > 1:
        return False
    if sentence.is_label and words[hit.start] in _NOUNS and words[max(0, hit.start - 1)] not in _WE:
        return True
    capitals = clause.capitals
    beside = {hit.start - 1, hit.start + 1}
    return hit.start in capitals and (sentence.is_label or not capitals.isdisjoint(beside))


def is_disowned(sentence: Sentence, place: int, hit: Hit, after: Sentence | None) -> bool:
    """Whether a phrase is clearly left open, or is a claim of others that the writer rejects at once.

    Takes the arguments of ``affirms``.
    """
    words, clauses = sentence.clauses[place].words, sentence.clauses
    if turn("surely_open").search(_text(words[: hit.start])):
        return True
    lead = (*_words_of(clauses[max(0, place - _NEAR) : place]), *words[: hit.end - 1])
    told = next((at for at, word in enumerate(lead) if word in _TOLD), None)
    # What "we" say is not hearsay.
    if told is None or not _OURS.isdisjoint(lead[:told]):
        return False
    rest = {*words[hit.end :], *_words_of(clauses[place + 1 : place + 1 + _NEAR])}
    if after is not None:
        if after.asks:
            return True
        rest.update(after.clauses[0].words if after.clauses[0].words[0] in _REFERRING else ())
    return not (_DISOWNING.isdisjoint((*lead, *rest)) and DENYING.isdisjoint(rest))


def _words_of(clauses: tuple[Clause, ...]) -> chain[str]:
    return chain.from_iterable(clause.words for clause in clauses)


def _text(words: tuple[str, ...]) -> str:
    """Return words as one text without turns that only look like a denial or a condition."""
    return turn("harmless").sub("", "".join(f"{word} " for word in words))


def _is_barred(before: tuple[str, ...]) -> bool:
    """Whether words deny a phrase or leave it open."""
    text = _text(before)
    words = text.split()
    if words[:1] and words[0] in _INVERTED:
        return True
    found = frozenset(words)
    if not found.isdisjoint(DENYING | _CONDITIONS | _UNSETTLED) or {"will", "after"} <= found:
        return True
    return turn("leaving_open").search(text) is not None


def _is_led_open(sentence: Sentence, place: int, hit: Hit) -> bool:
    """Whether the previous clause governs this one: a condition, or a verb with this clause as its object."""
    words = sentence.clauses[place].words
    lead = tuple(_text(sentence.clauses[place - 1].words).split()) if place else ()
    if not lead:
        return False
    if hit.phrase.family == "guarantee" and (lead[0] in _CONDITIONS or lead[:3] == ("as", "soon", "as")):
        return True
    if lead[-1] in DENYING:
        return True
    # A clause that begins with "and we" is independent.
    if words[0] in _JOINS and _WE.isdisjoint(words[1:2]):
        return not _CONDITIONS.isdisjoint(lead) or (hit.start <= _EARLY and _is_barred(lead))
    # "We cannot say, as things stand, that it is fixed."
    return words[0] in ("that", "whether", "if") and _is_barred((*lead, words[0]))


def is_led_by_condition(sentence: Sentence, place: int) -> bool:
    """Whether "and" joins a clause to a condition before it: "once it is found and repaired"."""
    words, lead = sentence.clauses[place].words, sentence.clauses[place - 1].words if place else ()
    is_joined = words[0] in _JOINS and _WE.isdisjoint((*words[1:2], *lead))
    return is_joined and not _CONDITIONS.isdisjoint(lead[:1])


def _is_barred_after(sentence: Sentence, place: int, hit: Hit) -> bool:
    """Whether words after a phrase deny it or leave it open."""
    words, family = sentence.clauses[place].words, hit.phrase.family
    rest = words[hit.end :]
    later = sentence.clauses[place + 1 : place + 1 + _NEAR]
    if family == "guarantee" and not _NOTHING.isdisjoint(rest[:3]):
        return True
    if words[hit.end - 1] in _NOUNS and (hit.end < 2 or words[hit.end - 2] in _BEFORE_NOUNS):
        judged = (*rest, *_words_of(later))
    else:
        judged = _before_case(rest) if family in _JUDGED_AFTER else ()
    return (
        _is_barred(judged)
        or turn("taking_back").match(_text(rest)) is not None
        or any(turn("contradicting").match(" ".join(clause.words) + " ") for clause in later)
    )


def _before_case(rest: tuple[str, ...]) -> tuple[str, ...]:
    """Return words up to a case of the reader's, which leaves nothing open: "a refund if you cannot come"."""
    for at, word in enumerate(rest):
        if word in _CASES and rest[at + 1 : at + 2] in (("you",), ("your",)):
            return rest[:at]
    return rest


def _is_answered(after: Sentence | None) -> bool:
    """Whether the sentence after a question only says yes to it; a longer one is judged itself."""
    if after is None or after.clauses[0].words[0] not in _YES:
        return False
    return sum(len(clause.words) for clause in after.clauses) <= _LONGEST_YES


def is_fragment(words: tuple[str, ...]) -> bool:
    """Whether a clause has neither an auxiliary nor a verb of the past."""
    return FINITE.isdisjoint(words) and not any(map(is_past, words))
