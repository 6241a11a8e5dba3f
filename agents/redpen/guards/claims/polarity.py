"""Whether a clause affirms what it says, denies it or leaves it open: the only place that decides it.

What a phrase of the floor says counts where a reader would hold the writer to it. It does not where words
before it deny it ("is not fixed"), ask, condition or put it off ("once it is fixed", "we hope to have it
fixed"), where words after it do ("fixed? not yet", "is closed once payments hold"), where it is what others
say and the writer takes back ("a post says it is fixed; it is not"), or in a question that is not answered.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from redpen.guards.claims.phrases import turn
from redpen.guards.data import word_set

if TYPE_CHECKING:
    from redpen.guards.claims.clauses import Clause, Sentence
    from redpen.guards.claims.phrases import Hit

DENYING = frozenset("not no never none nothing nobody neither nor without unable hardly".split())
"""Words that deny what their clause says."""
OPENING = word_set("polarity", "opening")
_CONDITIONS = word_set("polarity", "conditions")
_UNSETTLED = word_set("polarity", "unsettled")
_INVERTED = frozenset("after had were should".split())
"""First words of a clause that make a condition of it, or put it off."""
_TOLD = word_set("polarity", "told")
_DISOWNING = word_set("polarity", "disowning")
_YES = frozenset("yes yep yeah indeed correct absolutely right affirmative".split())
_JOINS = frozenset(("and", "or", "nor"))
_EARLY = 2
"""Words of a clause before a phrase up to which a condition in the clause before governs it."""
_NEAR = 4
"""Clauses on either side of a clause that are looked at."""
_NOTHING = frozenset("nothing neither no nor little".split())
_VERBS = frozenset("is are was were be been will shall has have caused triggered".split())
_WE = frozenset(("we", "i"))
_OURS = frozenset(("we", "i", "our", "my"))
_NOUNS = frozenset("guarantee guarantees guaranteed promise promises pledge".split())
_BEFORE_NOUNS = frozenset("a any the firm of such this another no our with".split())
_JUDGED_AFTER = frozenset(("cause", "commitment"))
"""Families whose phrases are nouns as often as verbs, so that what is said of them comes after."""


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
    """Whether a sentence says a phrase of one of its clauses as its own, be it only as a name or a label.

    Takes what ``affirms`` takes.
    """
    words = sentence.clauses[place].words
    # Whoever asks why it is so says that it is.
    if sentence.asks and sentence.clauses[0].words[0] != "why" and not _is_answered(after):
        return False
    return not (
        _is_barred(words[: hit.start] if hit.phrase.own else words[: hit.end])
        or _is_led_open(sentence, place, hit)
        or _is_barred_after(sentence, place, hit)
        or is_disowned(sentence, place, hit, after)
    )


def _is_label(sentence: Sentence, clause: Clause, hit: Hit) -> bool:
    """Whether a phrase only names something: in a heading without a verb, or as a part of a name."""
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
    """Whether a phrase is left open beyond doubt, or is what others say and the writer calls wrong at once.

    Takes what ``affirms`` takes.
    """
    words, clauses = sentence.clauses[place].words, sentence.clauses
    if turn("surely_open").search(_text(words[: hit.start])):
        return True
    lead = (*_words_of(clauses[max(0, place - _NEAR) : place]), *words[: hit.end - 1])
    told = next((at for at, word in enumerate(lead) if word in _TOLD), None)
    # What the writers themselves tell is no hearsay.
    if told is None or not _OURS.isdisjoint(lead[:told]):
        return False
    rest = {*words[hit.end :], *_words_of(clauses[place + 1 : place + 1 + _NEAR])}
    if after is not None:
        if after.asks:
            return True
        rest.update(after.clauses[0].words if after.clauses[0].words[0] not in _OURS else ())
    return not (_DISOWNING.isdisjoint((*lead, *rest)) and DENYING.isdisjoint(rest))


def _words_of(clauses: tuple[Clause, ...]) -> chain[str]:
    return chain.from_iterable(clause.words for clause in clauses)


def _text(words: tuple[str, ...]) -> str:
    """Return words as one text without the turns that only seem to deny something or to leave it open."""
    return turn("harmless").sub("", "".join(f"{word} " for word in words))


def _is_barred(before: tuple[str, ...]) -> bool:
    """Whether words before a phrase deny it or leave it open."""
    text = _text(before)
    words = text.split()
    if words[:1] and words[0] in _INVERTED:
        return True
    found = frozenset(words)
    if not found.isdisjoint(DENYING | _CONDITIONS | _UNSETTLED) or {"will", "after"} <= found:
        return True
    return turn("leaving_open").search(text) is not None


def _is_led_open(sentence: Sentence, place: int, hit: Hit) -> bool:
    """Whether the clause before governs this one: a condition, or a verb whose object goes on here."""
    words = sentence.clauses[place].words
    lead = tuple(_text(sentence.clauses[place - 1].words).split()) if place else ()
    if not lead:
        return False
    if hit.phrase.family == "guarantee" and (lead[0] in _CONDITIONS or lead[:3] == ("as", "soon", "as")):
        return True
    if lead[-1] in DENYING:
        return True
    # What "we" begin after "and" is a statement of its own.
    if words[0] in _JOINS and _WE.isdisjoint(words[1:2]):
        return not _CONDITIONS.isdisjoint(lead) or (hit.start <= _EARLY and _is_barred(lead))
    # "We cannot say, as things stand, that it is fixed."
    return words[0] in ("that", "whether", "if") and _is_barred((*lead, words[0]))


def _is_barred_after(sentence: Sentence, place: int, hit: Hit) -> bool:
    """Whether what comes after a phrase denies it or leaves it open."""
    words, family = sentence.clauses[place].words, hit.phrase.family
    rest = words[hit.end :]
    later = sentence.clauses[place + 1 : place + 1 + _NEAR]
    if family == "guarantee" and not _NOTHING.isdisjoint(rest[:3]):
        return True
    if words[hit.end - 1] in _NOUNS and (hit.end < 2 or words[hit.end - 2] in _BEFORE_NOUNS):
        judged = (*rest, *_words_of(later))
    else:
        judged = rest if family in _JUDGED_AFTER else ()
    return (
        _is_barred(judged)
        or turn("taking_back").match(_text(rest)) is not None
        or any(turn("contradicting").match(" ".join(clause.words) + " ") for clause in later)
    )


def _is_answered(after: Sentence | None) -> bool:
    """Whether the sentence after a question says yes to it."""
    return after is not None and after.clauses[0].words[0] in _YES
