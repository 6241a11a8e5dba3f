"""Blame that a text puts on its writer, in any words: who did it, what was done badly or left undone.

The writer is *we* and *our* anything, and the organisation by its kind ("the district is at fault"). A clause
takes the blame where the writer does what only the careless do, breaks what binds, is at fault, or where a
noun of failing is the writer's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.blame_words import (
    BLAMED,
    BLAMED_FOR,
    BONDS,
    BREAKS,
    BUNGLES,
    CARELESSLY,
    DUTIES,
    FAILINGS,
    KEEPS,
    ORGANISATIONS,
    POORLY,
    UNDONE,
)
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS, clause_around
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.verbgroup import verb_group

_SAYS = "we are at fault"
_WE = frozenset(("we", "i"))
_OUR = frozenset("our my".split())
_US = frozenset("us ours ourselves me".split())
_OPEN = frozenset("whether if unless may might could would anything nothing who what how or".split())
"""Words before a verb that leave open who did what."""
_DENIALS = frozenset("not no never nor neither without than rather nobody none".split())
_RELATIVE = frozenset("who which that whose".split())
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY
_LINKS = frozenset("be is are was were been being 's stand stands stood remain remains".split())
_AFTER_BLAME = frozenset("for in here and but as to".split())
_RESTS = frozenset(
    "lie lies lay lain rest rests rested fall falls fell belong belongs belonged sit sits sat land lands "
    "landed is are was".split()
)
_BURDENS = frozenset(
    "responsibility blame fault liability guilt onus losses loss accountability culpability".split()
)
_TO_WHOM = frozenset("with on upon to at".split())
_SELVES = frozenset(("it", "they"))
_FEW = 3
_NEAR = 5
_FAR = 9


def find_blame(sentence: Sentence) -> Iterator[Claim]:
    """Find where a sentence takes the blame or puts it on the writer.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``liability``.
    """
    vocabulary = sentence.vocabulary
    if sentence.question:
        return
    for words, find in _RULES:
        if vocabulary.isdisjoint(words):
            continue
        for at, word in enumerate(sentence.words):
            if word in words and (span := find(sentence, at)) is not None:
                yield Claim("liability", *sentence.span(*span), _SAYS)


def _is_ours(sentence: Sentence, begin: int, end: int) -> bool:
    """Whether the noun between two places is the writer, however it is named."""
    words, end = sentence.words, min(end, len(sentence.words))
    for at in range(begin, end):
        if words[at] in _OUR or words[at] in _WE or words[at] in _US:
            return True
        if words[at] in CLAUSE_MARKS or words[at] in _RELATIVE:
            return False
        named = words[at] == "the" and any(
            words[k] in ORGANISATIONS for k in range(at + 1, min(end, at + 1 + _FEW))
        )
        if named:
            return True
        if sentence.tags[at] & (_FINITE | t.PREPOSITION) and at > begin:
            return False
    return False


def _by_writer(sentence: Sentence, stop: int) -> bool:
    """Whether the subject of the verb whose group begins at ``stop`` is the writer."""
    words, tags = sentence.words, sentence.tags
    noun: list[str] = []
    at = _before_aside(sentence, stop)
    for k in range(at - 1, max(0, at - _FAR) - 1, -1):
        word, tag = words[k], tags[k]
        if word in _WE or (word in _SELVES and not noun):
            return not noun and (word in _WE or _stands_for_writer(sentence, k))
        if is_content(word, tag):
            noun.append(word)
        elif tag & t.DETERMINER and not tag & t.ADVERB:
            named = word in _OUR or (word == "the" and not ORGANISATIONS.isdisjoint(noun))
            if named or not (k and tags[k - 1] & t.PREPOSITION):
                return named
            noun = []
        elif _ends_noun(word, tag, found=bool(noun)):
            return False
        elif tag & t.PREPOSITION and not tag & t.ADVERB:
            noun = []
    return False


def _ends_noun(word: str, tag: int, *, found: bool) -> bool:
    """Whether no subject goes on to the left of a word, where part of it is found or not."""
    if found and (word in _RELATIVE or word == "," or tag & t.AND):
        return True
    if word in _RELATIVE:
        return False
    return bool(tag & (_FINITE | t.NOT | t.NO | t.PRONOUN | t.TO)) and word != "'s"


def _before_aside(sentence: Sentence, at: int) -> int:
    """Return where an aside between commas begins that ends right before ``at``, else ``at``."""
    words = sentence.words
    if not at or words[at - 1] != ",":
        return at
    opening = next((k for k in range(at - 2, max(-1, at - _FAR), -1) if words[k] == ","), -1)
    return opening if opening > 0 else at


def _stands_for_writer(sentence: Sentence, at: int) -> bool:
    """Whether a pronoun at ``at`` takes up the subject of the sentence, which is of the writer's people."""
    begin = next((k for k in range(min(at, _FEW)) if sentence.words[k] in _OUR), -1)
    return begin >= 0 and any(tag & _FINITE for tag in sentence.tags[begin:at])


def _is_open(sentence: Sentence, begin: int, at: int) -> bool:
    """Whether words before a verb deny it or leave it open."""
    words = sentence.words
    aside = words[begin : begin + 1] == ["who"] and words[max(0, begin - 1)] == ","
    return any(words[k] in _OPEN or words[k] in _DENIALS for k in range(begin + aside, at))


def _clause(sentence: Sentence, at: int) -> tuple[int, int]:
    return clause_around(sentence.words, sentence.tags, at, at + 1)


def _done_by_writer(sentence: Sentence, at: int) -> bool:
    """Whether the writer does what the verb at ``at`` says, and nothing denies it or leaves it open."""
    group = verb_group(sentence, at)
    if group.negated or group.mood in ("future", "aim", "possible"):
        return False
    begin = max((k + 1 for k in range(group.start) if sentence.words[k] in CLAUSE_MARKS), default=0)
    return _by_writer(sentence, group.start) and not _is_open(sentence, begin, group.start)


def _carelessly(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read an adverb that only blame uses, beside the writer."""
    begin, end = _clause(sentence, at)
    if _is_open(sentence, begin, end) or any(tag & t.WILL for tag in sentence.tags[begin:at]):
        return None
    words = sentence.words
    before = next((k for k in range(at - 1, max(begin, at - _FAR) - 1, -1) if words[k] in _WE | _OUR), -1)
    if before >= 0:
        return before, at
    by = next((k for k in range(at + 1, min(end, at + _NEAR)) if words[k] == "by"), -1)
    return (at, by) if by > 0 and _is_ours(sentence, by + 1, end) else None


def _poorly(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read an adverb of what is done badly, right after what we did."""
    words, tags = sentence.words, sentence.tags
    we = next((k for k in range(at - 1, max(-1, at - _NEAR), -1) if words[k] in _WE), -1)
    if we < 0 or at - we < _FEW - 1 or tags[at - 1] & t.DETERMINER:
        return None
    between = range(we + 1, at)
    if any(tags[k] & (t.BE | t.BEEN | t.NOT | t.WILL | t.MAY | t.CAN | t.DO | t.COMPLEMENT) for k in between):
        return None
    done = any(tags[k] & t.PAST or words[k].endswith("ed") or words[k] in ("built", "set") for k in between)
    return (we, at) if done and not _is_open(sentence, _clause(sentence, at)[0], we) else None


def _blamed(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read a predicate of blame ("is at fault", "stands answerable for the wait")."""
    words, tags = sentence.words, sentence.tags
    phrase = (words[at - 1], words[at]) if at else ("", "")
    first = at - (phrase in (("at", "fault"), ("to", "blame")))
    if words[at] == "wrong":
        if words[at - 2 : at] != ["in", "the"] or (
            at + 1 < len(words) and is_content(words[at + 1], tags[at + 1])
        ):
            return None
        first = at - 2
    elif words[at] in ("fault", "blame") and first == at:
        return None
    if words[at] in BLAMED_FOR and not _for_trouble(sentence, at):
        return None
    verb = first - 1
    while verb > 0 and tags[verb] & t.ADVERB and words[verb] not in _LINKS:
        verb -= 1
    if verb < 1 or words[verb] not in _LINKS:
        return None
    return (verb, at) if _done_by_writer(sentence, verb) and not _denied_at(sentence, verb, at) else None


def _denied_at(sentence: Sentence, begin: int, end: int) -> bool:
    return any(sentence.words[k] in _DENIALS for k in range(begin, end))


def _for_trouble(sentence: Sentence, at: int) -> bool:
    """Whether the clause ends after the word at ``at``, or goes on with the trouble or the law."""
    words, tags = sentence.words, sentence.tags
    if at + 1 >= len(words) or words[at + 1] in CLAUSE_MARKS:
        return True
    if words[at + 1 : at + 3] in (["in", "law"], ["by", "law"], ["under", "the"]):
        return True
    if words[at + 1] != "for":
        return False
    after = range(at + 2, min(len(words), at + 2 + _NEAR))
    return any(tags[k] & (t.PROBLEM | t.BAD | t.HINDERS) or words[k] in _TROUBLES for k in after)


_TROUBLES = frozenset(
    "wait waits queue queues mess harm damage loss losses chaos confusion distress disruption mix-up "
    "trouble hardship inconvenience".split()
)


def _rests(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read where a burden rests ("the blame for it rests squarely with the district")."""
    words, tags = sentence.words, sentence.tags
    end = min(len(words), at + 1 + _FAR + _NEAR)
    verb = next((k for k in range(at + 1, end) if words[k] in _RESTS), -1)
    denied = words[verb - 1 : verb] == ["not"] or not _DENIALS.isdisjoint(words[at:verb])
    stop = next((k for k in range(verb + 1, end) if words[k] in CLAUSE_MARKS), end)
    if verb < 0 or any(words[k] in CLAUSE_MARKS for k in range(at, verb)):
        # "The fault does not *lie* with you": the base form follows its auxiliary.
        return None
    if _is_open(sentence, _clause(sentence, at)[0], at):
        return None
    if denied:
        but = next((k for k in range(verb, stop) if words[k] == "but"), -1)
        if but < 0 or "not" not in words[at:but]:
            return None
        verb = but
    elif any(tags[k] & (t.MAY | t.WILL) for k in range(at, verb)):
        return None
    place = next((k for k in range(verb + 1, min(stop, verb + 1 + _FEW)) if words[k] in _TO_WHOM), -1)
    # A fault on our network tells where it is, and blames nobody.
    whose = words[place + 1 : place + 1 + _FEW + 1]
    borne = not _US.isdisjoint(whose[:1]) or not ORGANISATIONS.isdisjoint(whose)
    return (at, place) if place > 0 and borne and _is_ours(sentence, place + 1, place + 2 + _FEW) else None


def _own_failing(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read a failing that is called our own, which is taken for granted whatever is asked or supposed."""
    words, tags = sentence.words, sentence.tags
    our = next((k for k in range(at - 1, max(-1, at - _FEW - 1), -1) if words[k] in _OUR), -1)
    if our < 0 or any(
        tags[k] & (_FINITE | t.PREPOSITION) or words[k] in CLAUSE_MARKS for k in range(our, at)
    ):
        return None
    if at + 1 < len(words) and is_content(words[at + 1], tags[at + 1]) and not tags[at + 1] & t.ANY_FORM:
        # Our error page is no error of ours.
        return None
    begin = max((k + 1 for k in range(our) if words[k] in CLAUSE_MARKS), default=0)
    supposed = words[begin : begin + 1] == ["if"] and our == begin + 1
    ordered = (
        "please" in words[:our] and our - 1 > 0 and words[our - 1] in ("of", "to", "for", "over", "after")
    )
    if supposed or ordered:
        return our, at
    return (
        None
        if _is_open(sentence, 0, our) or any(tags[k] & (t.MAY | t.WILL) for k in range(our))
        else (our, at)
    )


def _breaks(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read what binds the writer as broken ("we violated the service agreement")."""
    words, end = sentence.words, _clause(sentence, at)[1]
    bond = next((k for k in range(at + 1, min(end, at + _FAR)) if words[k] in BONDS), -1)
    if bond < 0:
        return None
    if words[at] in ("breach", "breaches", "violation", "violations") and words[at + 1 : at + 2] == ["of"]:
        begin = _clause(sentence, at)[0]
        ours = any(words[k] in _OUR or words[k] in _WE for k in range(begin, bond))
        return (at, bond) if ours and not _is_open(sentence, begin, bond) else None
    return (at, bond) if _done_by_writer(sentence, at) else None


def _keeps_not(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read a duty of the writer that was not met."""
    words, tags = sentence.words, sentence.tags
    if at < _FEW - 1 or words[at - 1] != "not" or words[at - 2] not in ("did", "has", "have", "do", "does"):
        return None
    _, end = _clause(sentence, at)
    begin = max((k + 1 for k in range(at) if words[k] in CLAUSE_MARKS), default=0)
    if any(words[k] in _OPEN or tags[k] & t.WILL for k in range(begin, at)):
        return None
    duty = next((k for k in range(at + 1, min(end, at + _FAR)) if words[k] in DUTIES), -1)
    if duty < 0 and words[at + 1 : at + 2] == ["it"]:
        duty = next((k for k in range(begin, at) if words[k] in DUTIES), -1)
        ours = duty > 0 and not _WE.isdisjoint(words[begin:duty])
        return (duty, at) if ours else None
    return (at, duty) if duty > 0 and _by_writer(sentence, at - 2) else None


def _bungles(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read what only blunderers do, done by the writer."""
    words = sentence.words
    if words[at] == "wrong":
        # "Where we went wrong" takes for granted that we did.
        did = next(
            (k for k in range(at - 1, max(0, at - _FEW), -1) if words[k] in ("went", "did", "gone", "got")),
            -1,
        )
        if did < 0 or not (words[did - 1] in _WE or _stands_for_us(sentence, did - 1)):
            return None
        asked = {"whether", "if", "anything", "nothing", "not"}
        return None if not asked.isdisjoint(words[:at]) else (did - 1, at)
    return (at, at) if _done_by_writer(sentence, at) else None


def _stands_for_us(sentence: Sentence, at: int) -> bool:
    return sentence.words[at] in _SELVES and _stands_for_writer(sentence, at)


def _undone(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Read what the writer's people left undone ("were left undone by our staff")."""
    words, end = sentence.words, _clause(sentence, at)[1]
    by = next((k for k in range(at + 1, min(end, at + _FEW)) if words[k] == "by"), -1)
    if by < 0 or _is_open(sentence, _clause(sentence, at)[0], at):
        return None
    return (at, by + 1) if _is_ours(sentence, by + 1, by + 1 + _FEW) else None


_RULES: tuple[tuple[frozenset[str], Callable[[Sentence, int], tuple[int, int] | None]], ...] = (
    (CARELESSLY, _carelessly),
    (POORLY, _poorly),
    (BLAMED | BLAMED_FOR, _blamed),
    (_BURDENS, _rests),
    (FAILINGS, _own_failing),
    (BREAKS, _breaks),
    (KEEPS, _keeps_not),
    (BUNGLES, _bungles),
    (UNDONE, _undone),
)
BLAME_CUES = frozenset().union(*(words for words, _ in _RULES))
"""Words without which a sentence blames nobody."""
