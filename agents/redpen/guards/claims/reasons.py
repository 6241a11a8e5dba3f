"""Reasons that nothing supports, told beside the trouble: "so results are late", "as a batch job overran".

One clause tells the known trouble, another one, joined to it as its reason, what neither original nor context
names. Whatever the verb of the reason, it is given as the cause.
"""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.occasions import DAYS
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems, trouble_stems
from redpen.guards.claims.told import Known
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import is_past

_SAYS = "this is given as the reason, which nothing supports"
_SO_MANY = frozenset("about around roughly some nearly almost over under up at".split())
"""What begins an amount after "with"."""
_TIMES = DAYS.union(
    "morning midday afternoon evening night week weekend month year hour start beginning then launch "
    "opening".split()
)
"""What "since" tells the time with."""
_REASONS = frozenset("as since for because with now".split())
_HENCE = frozenset("hence so thus therefore thereby consequently".split())
_RESULTS = frozenset(("as a result", "as a consequence", "as the result", "in consequence ,"))
_WHICH_IS = frozenset(
    ("which is why", "which is how", "that is why", "that is how", "this is why", "which explains why")
)
_PHRASE = 3
"""Words of each of these."""
_FOLLOWING = _HENCE | {phrase.split()[0] for phrase in _WHICH_IS}
_RESULTING = frozenset(phrase.split()[0] for phrase in _RESULTS)
_STARTS = _REASONS | _HENCE | frozenset("which that this in had if what".split())
_OPEN = t.WILL | t.MAY | t.HARD_CONDITION | t.HEDGE
_FINITE = t.BE | t.HAVE | t.DO | t.CAN | t.THIRD | t.PAST | t.BASE
_WOULD = frozenset("would could should".split())
_NOT_TOLD = frozenset(
    "you your please we i us it they if whether unless once until when while sorry could would".split()
)
_OTHER_AS = frozenset(
    "soon long well much many far such same just quickly early possible known usual".split()
)
"""What stands before or after another "as"."""
_NO_SUBJECT = t.BE | t.HAVE | t.CAN | t.DO | t.PREPOSITION
"""What no clause with a subject of its own begins with."""
_NEEDS_MARK = frozenset("for with now".split())
"""Reasons that a mark parts from what they explain."""
_FARING = frozenset("going staying remaining standing falling turning getting being running".split())
"""What stands between a thing and how it fares ("homes going dark")."""
_FEW = 2
_DOING = ("ed", "ing", "down", "out", "off")
"""How words end that tell after "with" how something is."""
_LEAST = 3
_NEWS = 2
_MANY_NEWS = 3
_FAR = 14


def find_reasons(sentence: Sentence, known: Known) -> Iterator[Claim]:
    """Find the reasons for the trouble that a sentence tells and nothing supports.

    Args:
        sentence: a sentence of the revision.
        known: what the revision may restate.

    Yields:
        Claims of the family ``cause``.
    """
    if sentence.question or sentence.vocabulary.isdisjoint(_STARTS) or "please" in sentence.vocabulary:
        return
    for reason, trouble in _parts(sentence):
        if _is_reason(sentence, *reason, known) and _is_trouble(sentence, *trouble, known):
            yield Claim("cause", *sentence.span(reason[0], reason[1] - 1), _SAYS)
    if sentence.words[0] in ("if", "had") and (span := _had_it_not(sentence, known)) is not None:
        yield Claim("cause", *sentence.span(*span), _SAYS)


def _parts(sentence: Sentence) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the clauses that stand to each other as reason and what it brings about."""
    words = sentence.words
    for at, word in enumerate(words):
        if word in _REASONS and _begins_reason(sentence, at):
            yield from _told_after(sentence, at)
        elif word in _FOLLOWING and (after := _follows_from(sentence, at)) > at:
            end = _end_before(sentence, at)
            yield (_clause_start(sentence, end), end), (after, _clause_stop(sentence, after))
        if word in _RESULTING and " ".join(words[at : at + _PHRASE]) in _RESULTS and _ends_there(words, at):
            # "The depot has no drivers, and boxes are late as a result."
            start = _clause_start(sentence, at)
            end = _end_before(sentence, start)
            yield (_clause_start(sentence, end), end), (start, at)


def _ends_there(words: list[str], at: int) -> bool:
    """Whether the phrase at ``at`` is not of something ("as a result of ...")."""
    return words[at + _PHRASE : at + _PHRASE + 1] != ["of"]


def _told_after(sentence: Sentence, at: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the reason after the word at ``at``, and the trouble before it or after its comma."""
    words = sentence.words
    stop = _clause_stop(sentence, at + 1)
    if at == 0:
        yield (at + 1, stop), (stop + 1, _clause_stop(sentence, stop + 1))
    elif words[at - 1] in CLAUSE_MARKS or words[at] not in _NEEDS_MARK:
        end = at - (words[at - 1] in CLAUSE_MARKS)
        yield (at + 1, stop), (_clause_start(sentence, end), end)


def _follows_from(sentence: Sentence, at: int) -> int:
    """Return where the clause begins that follows from the one before ``at`` ("hence", "which is why")."""
    words, tags = sentence.words, sentence.tags
    if at > 1 and " ".join(words[at : at + _PHRASE]) in _WHICH_IS:
        return at + _PHRASE
    if (
        words[at] not in _HENCE
        or at < _FEW
        or words[at + 1 : at + 2] in (["that"], ["far"], ["as"], ["please"])
    ):
        return at
    joined = words[at - 1] in CLAUSE_MARKS or tags[at - 1] & t.AND
    return at + 1 if joined else at


def _end_before(sentence: Sentence, at: int) -> int:
    """Return where the clause before ``at`` ends, without the marks and the "and" after it."""
    while at and (sentence.words[at - 1] in CLAUSE_MARKS or sentence.tags[at - 1] & t.AND):
        at -= 1
    return at


def _clause_stop(sentence: Sentence, at: int) -> int:
    words = sentence.words
    return next((k for k in range(at, len(words)) if words[k] in CLAUSE_MARKS), len(words))


def _clause_start(sentence: Sentence, at: int) -> int:
    words = sentence.words
    return next((k + 1 for k in range(at - 1, -1, -1) if words[k] in CLAUSE_MARKS), 0)


def _begins_reason(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` joins a reason with a verb of its own on, and is no other "as" or "for"."""
    words = sentence.words
    if at and words[at - 1] in _OTHER_AS | {"such", "ever"}:
        return False
    if words[at] == "now" and words[at + 1 : at + 2] != ["that"]:
        return False
    if words[at] == "for" and (not at or words[at - 1] not in CLAUSE_MARKS):
        return False
    return not (words[at + 1 : at + 2] and words[at + 1] in _OTHER_AS)


def _is_reason(sentence: Sentence, begin: int, end: int, known: Known) -> bool:
    """Whether a clause tells of something new, and of nothing that readers or we do."""
    words, tags = sentence.words, sentence.tags
    if not _LEAST <= end - begin <= _FAR or not _tells_of_things(sentence, begin, end):
        return False
    nouns = [k for k in range(begin, end) if is_content(words[k], tags[k])]
    told = known.all | talk_stems() | trouble_stems()
    new = [k for k in nouns if stem(words[k]) not in told and words[k] not in _FARING]
    first = bool(new) and (nouns[0] in new or nouns[1:2] == new[:1])
    bad = tells_trouble(sentence, begin, end)
    return (first and (bad or len(new) >= _NEWS)) or len(new) >= _MANY_NEWS


def _tells_of_things(sentence: Sentence, begin: int, end: int) -> bool:
    """Whether a clause states, undenied, what something besides readers and us does or suffers."""
    words, tags = sentence.words, sentence.tags
    if not _NOT_TOLD.isdisjoint(words[begin : begin + 2]) or tags[begin] & _NO_SUBJECT:
        return False
    if any(tags[k] & t.AGENT and not tags[k] & t.DETERMINER for k in range(begin, begin + 2)):
        return False
    bare = words[begin - 1] == "with"
    if bare and (tags[begin] & t.NUMBER or words[begin] in _SO_MANY):
        return False
    if words[begin - 1] == "since" and not _TIMES.isdisjoint(words[begin : begin + 2]):
        return False
    never = _OPEN | t.NO | ((t.COMPLEMENT | t.BE | t.TO) if bare else 0)
    if any(tags[k] & never for k in range(begin, end)):
        return False
    told = (is_past(words[k], tags[k]) or tags[k] & _FINITE for k in range(begin + 1, end))
    shown = (is_past(words[k], tags[k]) or words[k].endswith(_DOING) for k in range(begin + 1, end))
    return any(shown if bare else told)


def _is_trouble(sentence: Sentence, begin: int, end: int, known: Known) -> bool:
    """Whether a clause tells the trouble that is known, and asks or promises nothing."""
    words, tags = sentence.words, sentence.tags
    if end - begin < 2 or not _NOT_TOLD.isdisjoint(words[begin : begin + 2]):
        return False
    if any(tags[k] & (t.WILL | t.MAY) for k in range(begin, end)):
        return False
    stems = {stem(words[k]) for k in range(begin, end) if is_content(words[k], tags[k])}
    denied = any(tags[k] & t.NOT for k in range(begin, end))
    return bool(stems & known.all) and (denied or tells_trouble(sentence, begin, end))


def _had_it_not(sentence: Sentence, known: Known) -> tuple[int, int] | None:
    """Return what would have spared the trouble ("had the licence not lapsed, it would work")."""
    words, tags = sentence.words, sentence.tags
    comma = next((k for k, word in enumerate(words) if word == ","), -1)
    if comma < 0 or "not" not in words[:comma] or words[1] in ("you", "we", "i"):
        return None
    raw = sentence.tokens.folded[sentence.at[0]]
    if raw != "had" and "had" not in words[:comma]:
        return None
    if _WOULD.isdisjoint(words[comma:]):
        return None
    told = known.all | talk_stems()
    new = any(is_content(words[k], tags[k]) and stem(words[k]) not in told for k in range(1, comma))
    return (0, comma - 1) if new else None
