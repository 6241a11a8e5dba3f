"""Words that say how many are hit without a number: most, the bulk, all, no, everyone, hardly any."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.quantities_units import ENDS_NOUN_PHRASE, PERCENT
from redpen.guards.readings import Fact, Reading
from redpen.guards.subjects import CLASSES, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from redpen.guards.quantities_lexer import Pieces

MENTIONED = "mentioned"
"""Unit of a quantifier whose clause says of nobody that he is hit: it may allow, but is never new."""

AMOUNTS: dict[str, str] = {
    "most": "most",
    "majority": "most",
    "bulk": "most",
    "lion's": "most",
    "minority": "least",
    "few": "least",
    "all": "all",
    "every": "all",
    "each": "all",
    "everyone": "all",
    "everybody": "all",
    "everything": "all",
    "entire": "all",
    "entirety": "all",
    "whole": "all",
    "no": "none",
    "none": "none",
    "nobody": "none",
    "neither": "none",
    "any": "none",
    "anyone": "none",
    "anybody": "none",
    "single": "none",
    "part": "most",
    "portion": "most",
    "share": "most",
    "proportion": "most",
    "percentage": "most",
}
"""Words that say how many, and what they say."""

_NEARLY = frozenset(
    "nearly almost virtually practically essentially basically effectively about approximately".split()
)
_HARDLY = frozenset("hardly barely scarcely without not".split())
_LARGE = frozenset(
    "largest greater greatest bigger biggest larger better best main major overwhelming".split()
)
_PARTS = frozenset({"part", "portion", "share", "proportion", "percentage"})
_PEOPLE = frozenset({"everyone", "everybody", "nobody", "anyone", "anybody"})
_THINGS = frozenset({"everything"})
_YOU = frozenset({"you", "them", "us", "those", "these", "whom", "which"})
_SHARED = frozenset(
    {"", ".", ",", ";", ":", "cent", "half", "third", "thirds", "quarter", "quarters", "out", "share"}
)
_GREETINGS = frozenset("hi hello hey dear morning afternoon evening thanks".split())
_TEAM = frozenset(
    "team engineer staff colleague specialist engineering attention effort energy work day week time hour night "
    "morning afternoon evening weekend year month minute respect way effort hand question step care reason "
    "support update part action expert operator technician crew responder world thing sense".split()
)
_SUPERLATIVE = frozenset(
    "likely recent common important impacted affected critical up accurate current probably notably of-date "
    "relevant reliable urgent severe complete recently welcome useful helpful certainly sincerely".split()
)
_HIT = frozenset(
    "affected impacted hit affect affects affecting impact impacts impacting fail fails failing failed failure "
    "failures unable cannot can't couldn't won't down offline unavailable delayed delays delay delaying slow "
    "slower slowly stuck lost missing dropped blocked rejected declined error errors erroring timing "
    "unreachable degraded degradation experience experienced experiencing disrupted disruption interrupted "
    "late later bounced queued charged duplicated wrong incorrect stale broken exposed suffered suffering "
    "complained struggling locked inaccessible outage encounter encountering hang hanging refused corrupted "
    "skipped behind longer wait waiting waits suspended read-only disconnected frozen crash crashes crashing "
    "crashed empty old outdated trouble problem problems issues kicked cut spared reach reaches hurt troubled "
    "overcharged billed stopped stop stops stalled garbled muted wrongly twice double doubled".split()
)
_LIVES = frozenset(
    "see sees seeing saw get gets getting receive receives receiving face faces facing have has had notice "
    "notices load loads arrive arrives return returns answer answers gets going go goes come comes can could "
    "is are was were will would do does don't doesn't did isn't aren't wasn't weren't".split()
)
_MANAGES = frozenset(
    "can could see sees seeing get gets getting receive receives receiving reach reaches load loads arrive "
    "arrives return returns answer answers going goes come comes work works".split()
)
_WELL = frozenset(
    "stable working operational resolved restored recovered recovering normal normally healthy fixed safe "
    "secure successfully succeed succeeding succeeded completing again flowing unaffected".split()
)
_TELL = frozenset(
    "notify notifying notified inform informing informed update updating updated updates contact contacting "
    "contacted thank thanks email emailing emails message tell telling told advise advised advising alerting "
    "keep keeping ask asked asking encourage encouraged remind reminded apologise apologize apologies monitor "
    "monitored monitoring watch watched watching review reviewed reviewing check checked checking investigate "
    "investigating track tracking share sharing support supporting help helping assist assisting write writes "
    "writing reply replying offer offered offering call called calling refund refunded refunding refunds "
    "available patience publish published publishing treat treated serve serving sent send sends sending post "
    "posted posting confirm confirmed confirming marked mark marking reverse reversed reversing process "
    "processed processing replay replayed replaying rerun rerunning reassign reassigned rerouted rerouting "
    "routed handled handle welcome please should need needs needed required must may follow summary letter "
    "report reported say know knows predict promise guess".split()
)
_DESCRIBED = frozenset({"affected", "impacted"})
_ALONE = frozenset({"none", "all", "majority", "most", "bulk"})
_VERBS = frozenset("are is were was have has".split())
_CLAUSE = 14
_ENDS = frozenset({".", ";", "!", "?", ":"})
_STRONG = frozenset({"most", "least"})
_NEGATIVE = frozenset({"not", "n't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't"})


def quantifiers(pieces: Pieces, at: Iterable[int]) -> Iterator[Fact]:
    """Yield the quantifiers over who or what is hit; ``at`` is where one of ``AMOUNTS`` stands.

    A quantifier over whom the team tells, watches or thanks is none of these; nor is one that says that
    all is well, which is a claim. One whose clause says nothing of the kind has the unit ``MENTIONED``.
    """
    for index in at:
        found = _read(pieces, index)
        if found is not None:
            yield found


def _read(pieces: Pieces, index: int) -> Fact | None:
    low = pieces.low
    word = low[index]
    amount, start = _amount(pieces, index)
    if not amount:
        return None
    if word in _PEOPLE:
        if low[index + 1] in ("here", "else", "outside"):
            return None
        return _judged(pieces, start, index, amount, "people")
    if word in _THINGS:
        return _judged(pieces, start, index, amount, "thing")
    if word == "no" and low[index + 1] == "one":
        return _judged(pieces, start, index + 1, amount, "people")
    if word in ("every", "each") and low[index + 1] == "one" and low[index + 2] == "of":
        index += 1
    elif amount == "most" and word == "all" and low[index + 1] == "but":
        index += 3 if low[index + 2] in ("a", "an") else 2
    noun, place = _noun(pieces, index, amount)
    if not noun and not (word in _ALONE and low[index + 1] in _VERBS):
        return None
    if amount in _STRONG and noun:
        return _made(pieces, start, place, amount, noun)
    return _judged(pieces, start, place if noun else index, amount, noun)


def _amount(pieces: Pieces, index: int) -> tuple[str, int]:
    """Return what the words at a piece say, empty for an idiom, and where they begin."""
    low = pieces.low
    word, following = low[index], low[index + 1]
    amount = AMOUNTS[word]
    before = low[index - 1] if index else ""
    earlier = low[index - 2] if index > 1 else ""
    if word in _PARTS:
        large = before in _LARGE and earlier in ("the", "far", "by")
        return (amount, index - 1) if large and following in ("of", "are", "is") else ("", index)
    if word in ("any", "anyone", "anybody"):
        return ("least", index - 1) if before in _HARDLY - {"not", "without"} else ("", index)
    if word == "single":
        return ("none", index - 2) if (earlier, before) == ("not", "a") else ("", index)
    if word == "few":
        return (
            ("least", index - 1) if before == "very" or earlier == "all" and before == "but" else ("", index)
        )
    if word == "all" and following == "but":
        return "most", index
    if word == "all" and before == "of" and (earlier in _SHARED or earlier in PERCENT):
        return "", index
    if before in _NEARLY or (before == "but" and earlier == "all") or before == "just":
        return ("most" if amount == "all" else "least" if amount == "none" else amount), index - 1
    if (before == "to" and earlier in ("next", "close")) and amount in ("none", "all"):
        return ("least" if amount == "none" else "most"), index - 2
    negated = amount == "all" and before in _NEGATIVE
    greeting = before in _GREETINGS
    idle = word == "no" and following in ("longer", "later", "more", "doubt", "matter")
    if negated or greeting or idle or (word == "most" and _superlative(low, index)):
        return "", index
    return amount, index


def _superlative(low: list[str], index: int) -> bool:
    """Whether "most" compares or limits: at most, the most recent, affects mobile users most."""
    before, following = low[index - 1] if index else "", low[index + 1]
    if before in ("at", "the", "a", "your", "our", "its", "their", "matters", "matter"):
        return True
    return following in _SUPERLATIVE and low[index + 2] not in ("customers", "users")


def _noun(pieces: Pieces, index: int, amount: str) -> tuple[str, int]:
    """Return the thing counted within a few words, as its stem, and its place."""
    low = pieces.low
    found, place = "", index
    plural = ("", index)
    of = False
    for here in range(index + 1, index + 8):
        word = low[here]
        if word == "-" and pieces.glued(here):
            continue
        if word == "of":
            if found or plural[0]:
                break
            of = True
            continue
        if of and word in _YOU and not found:
            return "people" if word in ("you", "us") else "", here
        if not pieces.is_word[here] or (pieces.breaks and pieces.broken(here - 1)):
            break
        if word in _DETERMINERS and not found:
            continue
        if word in ENDS_NOUN_PHRASE:
            break
        known = stem(word)
        if found and word == "times":
            break
        if known in _TEAM:
            return "", index
        if (known in CLASSES and CLASSES[known] not in ("place", "episode")) or known in _WHOLES:
            found, place = known, here
        elif word.endswith("s") and len(word) > 4 and not word.endswith(("ss", "us", "is")):
            plural = (known, here)
        elif found:
            break
    if found:
        return found, place
    return plural if amount in _STRONG or of else ("", index)


_DETERMINERS = frozenset(
    "the our your their its these those all active other this that great vast and affected impacted".split()
)
_WHOLES = frozenset({"traffic", "region", "base", "volume", "platform", "fleet", "queue", "estate", "world"})


def _judged(pieces: Pieces, start: int, place: int, amount: str, noun: str) -> Fact | None:
    """Keep a quantifier as a fact only where its clause says that something hits the counted ones."""
    low = pieces.low
    made = _made(pieces, start, place, amount, noun)
    told = False
    for word in _backwards(pieces, start):
        told = told or word in _TELL
        if word in _HIT and not told and low[start] != "each":
            return made
    told = told or not _DESCRIBED.isdisjoint(low[start : place + 1])
    hit = False
    lives = False
    people = noun == "people" or CLASSES.get(noun) == "people"
    for ahead in range(place + 1, min(place + _CLAUSE, pieces.count)):
        word = low[ahead]
        if word in _ENDS:
            break
        checks_out = word == "check" and low[ahead + 1] == "out"
        if (word in _WELL and not (hit and word == "normal")) or (
            word in _TELL and not hit and not checks_out
        ):
            told = True
        hit = hit or word in _HIT
        lives = lives or (ahead < place + 8 and word in (_LIVES if amount != "none" else _MANAGES))
    if told:
        return None
    if hit or (lives and (people or amount != "all")):
        return made
    made.readings = (Reading(kind="quantifier", value=amount, unit=MENTIONED),)
    return made


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
