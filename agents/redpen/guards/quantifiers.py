"""Words that say how many are hit without a number: most, the majority, all, no, every, none, everyone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.readings import Fact, Reading
from redpen.guards.subjects import CLASSES, stem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redpen.guards.quantities_lexer import Pieces

_WORDS: dict[str, str] = {
    word: amount
    for amount, words in (
        ("most", "most majority bulk lion's"),
        ("least", "minority"),
        ("all", "all every each everyone everybody entire entirety whole"),
        ("none", "no none nobody neither zero"),
    )
    for word in words.split()
}
_NEARLY = frozenset("nearly almost virtually practically essentially basically".split())
_HARDLY = frozenset("hardly barely scarcely".split())
_GREETINGS = frozenset("hi hello hey dear morning afternoon evening thanks".split())
_PEOPLE = frozenset({"everyone", "everybody", "nobody"})
_SKIP = frozenset(
    "of the our your these those all active other affected impacted its current live new incoming outgoing "
    "business enterprise paying registered single user customer vast overwhelming great large clear and "
    "remaining scheduled pending queued recent attempted european american end premium single "
    "online card mobile web checkout payment single-sign".split()
)
_SUPERLATIVE = frozenset(
    "likely recent common important impacted affected critical up accurate current probably notably of-date "
    "relevant reliable urgent severe complete".split()
)
_HIT = frozenset(
    "affected impacted hit affect affects affecting impact impacts impacting fail fails failing failed "
    "failure "
    "failures unable cannot can't couldn't down offline unavailable delayed delays delay delaying slow stuck "
    "lost missing dropped blocked rejected declined error errors erroring timing unreachable degraded "
    "degradation "
    "experience experienced experiencing disrupted disruption interrupted late bounced queued "
    "charged duplicated wrong incorrect stale broken exposed suffered suffering "
    "complained struggling locked inaccessible outage encounter encountering hang hanging "
    "refused corrupted skipped".split()
)
_WELL = frozenset(
    "stable working operational resolved restored recovered recovering normal normally healthy fixed safe "
    "secure "
    "successfully succeed succeeding succeeded completing again flowing".split()
)
_TELL = frozenset(
    "notify notifying notified inform informing informed update updating updated contact contacting "
    "contacted "
    "thank thanks email emailing message tell telling told advise advising alerting keep keeping ask asking "
    "encourage remind apologise apologize apologies monitor monitoring watch watching review reviewing check "
    "checking investigate investigating track tracking share sharing support supporting help helping assist "
    "assisting receive receives write writes writing reply replying offer offering call calling refund "
    "refunding "
    "available patience publish publishing treat serve serving".split()
)
_DESCRIBED = frozenset({"affected", "impacted"})
_ALONE = frozenset({"none", "all", "majority"})
_VERBS = frozenset("are is were was have has".split())
_CLAUSE = 14
_ENDS = frozenset({".", ";", "!", "?", ":"})


def quantifiers(pieces: Pieces) -> Iterator[Fact]:
    """Yield the quantifiers over who or what is hit.

    A quantifier over whom the team tells, watches or thanks is none of these; nor is one that says that
    all is well, which is a claim.
    """
    low = pieces.low
    for index, word in enumerate(low[: pieces.count]):
        amount = _WORDS.get(word) or _in_two(low, index, word)
        if not amount:
            continue
        found = _read(pieces, index, word, amount)
        if found is not None:
            yield found


def _in_two(low: list[str], index: int, word: str) -> str:
    """Return what "hardly any" and "not a single" say; empty for other words."""
    if word == "any" and index and low[index - 1] in _HARDLY:
        return "least"
    return "none" if word == "single" and low[max(0, index - 2) : index] == ["not", "a"] else ""


def _read(pieces: Pieces, index: int, word: str, amount: str) -> Fact | None:
    low = pieces.low
    start = index
    if index and low[index - 1] in _NEARLY:
        amount, start = ("most" if amount == "all" else "least"), index - 1
    following = low[index + 1]
    greeting = index > 0 and low[index - 1] in _GREETINGS
    idiom = word == "most" and (
        low[index - 1 : index] == ["at"] or (following in _SUPERLATIVE and low[index + 2] != "customers")
    )
    if greeting or idiom or word == "zero" or (word == "no" and following in ("longer", "later", "more")):
        return None
    if word in _PEOPLE:
        return _judged(pieces, start, index, amount, "people")
    if word == "no" and following == "one":
        return _judged(pieces, start, index + 1, amount, "people")
    noun, place = _noun(pieces, index)
    if not noun and not (word in _ALONE and following in _VERBS):
        return None
    if amount in ("most", "least") and noun:
        return _made(pieces, start, place, amount, noun)
    return _judged(pieces, start, place if noun else index, amount, noun)


def _noun(pieces: Pieces, index: int) -> tuple[str, int]:
    """Return the thing counted within a few words, as its stem, and its place."""
    low = pieces.low
    last = ("", index)
    for place in range(index + 1, index + 6):
        word = low[place]
        if word == "-" and pieces.glued(place):
            continue
        if not pieces.is_word[place]:
            break
        known = stem(word)
        if (known in CLASSES and CLASSES[known] not in ("place", "episode")) or known in (
            "traffic",
            "region",
            "base",
        ):
            last = (known, place)
            continue
        if last[0] or word not in _SKIP:
            break
    return last


def _judged(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact | None:
    """Keep a quantifier only where its clause says that something hits the counted ones."""
    low = pieces.low
    made = _made(pieces, start, place, amount, noun)
    told = False
    for word in _backwards(pieces, start):
        told = told or word in _TELL
        if word in _HIT and not told and low[start] != "each":
            return made
    told = told or not _DESCRIBED.isdisjoint(low[start : place + 1])
    hit = False
    for ahead in range(place + 1, min(place + _CLAUSE, pieces.count)):
        word = low[ahead]
        if word in _ENDS:
            break
        if word in _WELL or (word in _TELL and not hit):
            told = True
        hit = hit or word in _HIT
    return made if hit and not told else None


def _backwards(pieces: Pieces, start: int) -> Iterator[str]:
    """Yield the words of the clause before a piece, the nearest first."""
    for place in range(start - 1, max(-1, start - _CLAUSE), -1):
        word = pieces.low[place]
        if word in _ENDS or word == ",":
            return
        yield word


def _made(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact:
    first, last = pieces.starts[start], pieces.ends[place]
    reading = Reading(kind="quantifier", value=amount)
    return Fact(readings=(reading,), start=first, end=last, text=pieces.text[first:last], head=noun)
