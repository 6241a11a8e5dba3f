"""Claims of a cause: what is said to have brought the incident about."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.actor_words import BRINGS, forms_of
from redpen.guards.claims.cause_denied import is_denied
from redpen.guards.claims.cause_row import CauseRow
from redpen.guards.claims.cause_senses import (
    brings_nothing_about,
    holds_clause,
    is_number_of_incident,
    is_of_search,
    is_of_waiting,
    is_open_after,
    is_unknown_at,
)
from redpen.guards.claims.cause_words import CAUSE_NOUNS, NEUTRAL
from redpen.guards.claims.causes_after import CAUSES_AFTER
from redpen.guards.claims.causes_before import CAUSES_BEFORE
from redpen.guards.claims.content import content, is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.mishap import MISHAP_WORDS, find_mishaps
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.occasions import OCCASIONS, find_occasions
from redpen.guards.claims.patterns import CLAUSE_MARKS, Table
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words
from redpen.guards.claims.told_verbs import is_past
from redpen.guards.claims.untied import Tie, is_untied
from redpen.guards.claims.verbgroup import verb_group

_TABLE = Table((row, row.words) for row in (*CAUSES_AFTER, *CAUSES_BEFORE))
_ENDS_NOUN = t.PREPOSITION | t.BE | t.HAVE | t.WILL | t.TO | t.CONDITION | t.PRONOUN | t.AND
_SCHEDULED = frozenset(
    "be begin start end publish receive post arrive land finish complete expire follow come go".split()
)
_NO_CAUSE_AFTER = {
    "due to": _SCHEDULED,
    "thanks to": frozenset("all everyone you your our every each everybody anybody anyone those".split()),
    "because": frozenset(("of",)),
}
"""What follows when the words of a row tell no cause ("due to be published", "thanks to everyone")."""
_TIMES = frozenset(("following", "after", "since"))
_AFFECTED = frozenset(("payment", "checkout"))
_NEED_RESULT = frozenset("made making took taking brought bringing threw throwing hit hitting".split())
_RESULTS = frozenset(
    "wrong fail slow crash unavailable unreachable late down offline out knees halt disarray break "
    "inaccessible unstable incorrect hang stall standstill unusable reject refuse drop".split()
)
_STANDS_FOR_TROUBLE = frozenset("it this that these all everything which".split())
_ASKS = frozenset("please kindly avoid refrain recommend ask advise suggest rather".split())
_WRITES = frozenset("write writing tell telling know sorry apologise apologize calling ringing".split())
_LETTERS = frozenset(
    "write writing telling contacting emailing mailing calling call note notice letter".split()
)
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_GIVES_REASON = frozenset(("because", "since"))
_NAMING = ("cause/", "root cause", "source/", "culprit/", "trigger/", "the *? cause")
"""How rows begin that name the cause by a noun."""
_TO_A_FIGURE = "down to"
_FIGURES = frozenset(
    "one two three four five six seven eight nine ten eleven twelve thirteen fifteen twenty thirty forty "
    "fifty sixty seventy eighty ninety hundred half third quarter".split()
)
_USUAL = frozenset("usual normal ordinary regular typical average its".split())
_ASKED = frozenset("why how whether what reason reasons cause causes".split())
_OTHER = frozenset("another other any whatever".split())
_KNOWS = frozenset(
    "know known clear certain sure say tell determine determined establish established identify identified "
    "found find".split()
)
_COUNTS = frozenset(
    "two three four five six seven eight nine ten eleven twelve fifteen twenty thirty dozen hundred these "
    "those many several few some other more further".split()
)
"""What stands before a participle that describes a noun."""
_MOMENTS = frozenset("seconds minutes hours days weeks moments".split())
_TIME = frozenset("second day days week month time times hour morning afternoon evening night year".split())
"""What follows a verb without being done to."""
_PAID_BACK_TO = frozenset(
    "card cards account accounts wallet wallets bank sender senders payer payers customer customers owner "
    "owners shopper shoppers buyer buyers guest guests passenger passengers member members "
    "source method shelf shop store depot warehouse desk counter start beginning screen menu queue list "
    "login step page".split()
)
"""To what money and goods go back."""
_NOUNS_TOO = frozenset("result results lead leads trace traces stems hits".split())
"""Ties that are nouns where a verb of their own follows ("results from the lab are late")."""
_FINDS = frozenset(
    "find finds found show shows showed shown detect detects detected measure measures measured contain "
    "contains contained see sees saw".split()
)
"""Verbs after which too much of something is what was seen, and no cause."""
_TURNS = frozenset("turn turning detour".split())
"""What goes astray takes, and brings nothing about ("parcels took a wrong turn")."""
_READS = frozenset(
    "read reads reading see sees seeing view views viewing check checks checking get gets getting open opens "
    "opening send sends sending post posts posting publish publishing show shows showing find finds finding "
    "share shares sharing look looking receive receives receiving enter entering".split()
)
"""What people do with results."""
_FINITE = t.BE | t.HAVE | t.WILL | t.MAY | t.CAN | t.DO
_NEAR = 3
_MAX_CAUSE = 10


def _new_clause(sentence: Sentence, at: int) -> bool:
    tags = sentence.tags
    return at + 1 < len(tags) and bool(tags[at + 1] & (t.PRONOUN | t.AGENT | t.BE | t.HAVE))


def _cause_span(sentence: Sentence, row: CauseRow, start: int, end: int) -> tuple[int, int]:
    """Return the words that name the cause for a row found from ``start`` to ``end``."""
    words, tags = sentence.words, sentence.tags
    if row.side == "before":
        begin, stop = _subject(sentence, verb_group(sentence, start).start)
        relative = words[stop - 1 : stop] in (["that"], ["which"]) or words[start] in ("that", "which")
        if stop - begin > _NEAR and relative and words[begin] in ("we", "i"):
            # "We undid the release that caused this" blames the release.
            begin += 2
        return max(begin, stop - _MAX_CAUSE), stop
    stop = end
    while stop < min(len(words), end + _MAX_CAUSE):
        joint = row.side == "after" and tags[stop] & t.AND and _new_clause(sentence, stop)
        if tags[stop] & t.BUT or (stop > end and (joint or words[stop] in CLAUSE_MARKS)):
            break
        stop += 1
    return end, stop


def _subject(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return the subject before ``start``; for ", which" the clause before it."""
    begin, stop = subject_words(sentence, start)
    begin = max((at + 1 for at in range(begin, stop) if sentence.words[at] in _GIVES_REASON), default=begin)
    if sentence.words[begin:stop] == ["which"] and begin > 1 and sentence.words[begin - 1] == ",":
        return max(0, begin - 1 - _MAX_CAUSE), begin - 1
    if sentence.words[begin:stop] in (["and", "that"], ["and", "this"]) and begin > 1:
        # "They are too many, and that is what slows it": the clause before names the cause.
        return max(0, begin - _MAX_CAUSE), begin - (sentence.words[begin - 1] == ",")
    return begin, stop


def _head_noun(sentence: Sentence, start: int, stop: int) -> str:
    """Return the stem of the last content word before the first preposition or verb, unless it is neutral."""
    head = ""
    for at in range(start, stop):
        tag, word = sentence.tags[at], sentence.words[at]
        if head and (tag & _ENDS_NOUN or word in CLAUSE_MARKS):
            break
        if is_content(word, tag):
            head = stem(word)
    return "" if head in NEUTRAL else head


def _troubles(sentence: Sentence, begin: int, stop: int) -> frozenset[str]:
    """Return the stems of words for the trouble itself, which is a reason for advice and no cause."""
    words, tags = sentence.words, sentence.tags
    return frozenset(
        stem(words[at]) for at in range(begin, stop) if tags[at] & t.BAD and not tags[at] & t.CAUSER
    )


def _names_nothing(sentence: Sentence, row: CauseRow, start: int, end: int) -> bool:
    """Whether the words of the row stand in another sense."""
    if row.side == "because" and _is_advice(sentence, start):
        return True
    if row.words == "because of" and _is_advice(sentence, start) and is_of_waiting(sentence, end):
        return True
    if not _LETTERS.isdisjoint(sentence.words[start:end]) or is_untied(Tie(sentence, row, start, end)):
        return True
    joined = " * " in row.words and sentence.tags[start + 1] & t.AND
    if row.words.startswith("behind ") and _joins_clause(sentence, start, end):
        return True
    before = sentence.tags[start - 1] if start else 0
    determined = row.side == "before" and before & t.DETERMINER and not before & t.PRONOUN
    if _leaves_open(sentence, row, start, end):
        return True
    elsewhere = _leads_elsewhere(sentence, row, start, end) or _is_noun(sentence, start, end)
    stranded = sentence.tags[start] & t.BE
    partly = (
        row.side == "before"
        and not stranded
        and before & t.PREPOSITION
        and not before & (t.PRONOUN | t.ADVERB | t.BE)
    )
    return bool(joined or determined or partly) or elsewhere


def _joins_clause(sentence: Sentence, start: int, end: int) -> bool:
    """Whether "and" with a subject of its own stands among the words ("the work behind it, and we are")."""
    return any(sentence.tags[at] & t.AND and _new_clause(sentence, at) for at in range(start, end))


def _leaves_open(sentence: Sentence, row: CauseRow, start: int, end: int) -> bool:
    """Whether the cause is only said to be unknown, or the reason is one for something else."""
    words, tags = sentence.words, sentence.tags
    if row.side == "before":
        passive = tags[start] & t.PAST and any(
            tags[at] & t.BE or words[at] == "be" for at in range(max(0, start - 2), start)
        )
        return bool(passive) and words[end - 2 : end - 1] == ["to"]
    apart = row.words.startswith("cause/reason") and holds_clause(words[start:end])
    unknown = tags[end - 1] & (t.BE | t.BEING) and is_unknown_at(words, end)
    if row.words.startswith(_NAMING):
        unknown = unknown or is_of_search(sentence, start)
        unknown = unknown or bool(tags[end - 1] & t.BE and is_open_after(sentence, end))
    if not _OTHER.isdisjoint(words[max(0, start - 1) : start]) or apart or unknown:
        return True
    for at in range(end, min(len(words) - 1, end + _MAX_CAUSE)):
        if words[at] in CLAUSE_MARKS:
            return False
        if tags[at] & t.NOT and not _KNOWS.isdisjoint(words[at + 1 : at + 4]):
            return True
        if tags[at] & t.BE and is_unknown_at(words, at + 1):
            return True
    return False


def _is_noun(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the tie at ``start`` is the subject of a verb of its own ("blood results from it are late")."""
    words, tags = sentence.words, sentence.tags
    if words[start] not in _NOUNS_TOO or any(tag & t.PROBLEM for tag in tags[max(0, start - _NEAR) : start]):
        return False
    if words[start] in ("result", "results") and not _READS.isdisjoint(words[max(0, start - _NEAR) : start]):
        return True
    for at in range(end, min(len(words), end + _MAX_CAUSE)):
        if words[at] in CLAUSE_MARKS or tags[at] & (t.AND | t.BUT | t.COMPLEMENT) or words[at] == "which":
            return False
        if tags[at] & _FINITE:
            return at > end
    return False


def _leads_elsewhere(sentence: Sentence, row: CauseRow, start: int, end: int) -> bool:
    """Whether what follows the words of the row is no cause ("due to be published", "down to 3%")."""
    after = sentence.words[end] if end < len(sentence.words) else ""
    if row.words.startswith("too ") and (after in CLAUSE_MARKS or not after):
        return True
    if row.words.startswith("too ") and not _FINDS.isdisjoint(sentence.words[max(0, start - 2) : start]):
        return True
    if brings_nothing_about(sentence, start, end, before=row.side == "before"):
        return True
    if "back to" in row.words and not _PAID_BACK_TO.isdisjoint(sentence.words[end : end + _NEAR]):
        return True
    if after in _NO_CAUSE_AFTER.get(row.words, ()) or (after == "date" and row.words.endswith("/to")):
        return True
    figure = end < len(sentence.words) and sentence.tags[end] & t.NUMBER
    usual = not _USUAL.isdisjoint(sentence.words[end : end + 2])
    return row.words.endswith(_TO_A_FIGURE) and bool(
        figure or usual or not _FIGURES.isdisjoint(after.split("-"))
    )


def _about_trouble(sentence: Sentence, start: int) -> bool:
    """Whether the subject of the tie at ``start`` is the trouble, or may stand for it."""
    begin, stop = _subject(sentence, verb_group(sentence, start).start)
    named = begin < stop - 1 and sentence.words[stop - 1] in ("that", "which")
    if not named and not _STANDS_FOR_TROUBLE.isdisjoint(sentence.words[begin:stop]):
        return True
    return any(tag & (t.PROBLEM | t.BAD | t.HINDERS) for tag in sentence.tags[begin:stop])


def _is_advice(sentence: Sentence, start: int) -> bool:
    """Whether the clause before "because" asks something of the reader, who is told why."""
    words = sentence.words[:start]
    if not words or not _ASKS.isdisjoint(words):
        return bool(words) and not any(tag & t.CAN for tag in sentence.tags[:start])
    if words[:2] in (["do", "not"], ["you", "get"], ["you", "receive"]):
        return True
    return words[0] in ("we", "i") and not _WRITES.isdisjoint(words)


def _claim(sentence: Sentence, start: int, end: int, named: frozenset[str], head: str) -> Claim:
    return Claim("cause", *sentence.span(start, end - 1), "this is the cause", named, False, head)


def find_causes(sentence: Sentence) -> Iterator[Claim]:
    """Find the causes that a sentence gives.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``cause`` whose key holds the stems of the words that name the cause.
    """
    if sentence.question:
        return
    for row, start, end, _ in _TABLE.find(sentence.words, sentence.tags, sentence.vocabulary):
        if _names_nothing(sentence, row, start, end) or is_denied(sentence, start, end):
            continue
        if row.trouble and not _about_trouble(sentence, start):
            continue
        begin, stop = _cause_span(sentence, row, start, end)
        stems = content(sentence, begin, stop)
        named = stems - NEUTRAL - (_AFFECTED if row.side == "before" else frozenset())
        if row.side == "because":
            named -= _troubles(sentence, begin, stop)
        timed = row.words.split()[0] in _TIMES and stems.isdisjoint(CAUSE_NOUNS)
        if named and not timed and not is_number_of_incident(sentence, begin, stop):
            itself = any(tag & _TROUBLE and not tag & t.CAUSER for tag in sentence.tags[begin:stop])
            head = "" if row.side == "because" or itself else _head_noun(sentence, begin, stop)
            yield _claim(sentence, min(start, begin), max(end, stop), named, head)
    if not MISHAP_WORDS.isdisjoint(sentence.vocabulary):
        yield from find_mishaps(sentence)
    if sentence.mask & t.CAUSER:
        yield from _breakers(sentence)
    if not OCCASIONS.isdisjoint(sentence.vocabulary):
        yield from find_occasions(sentence)


def _breakers(sentence: Sentence) -> Iterator[Claim]:
    """Find what is said to have broken something ("a stray rule blocked the deliveries")."""
    tags = sentence.tags
    for at, tag in enumerate(tags):
        if not tag & t.CAUSER or not tag & (t.PAST | t.GERUND) or not _has_object(sentence, at):
            continue
        if tag & t.GERUND and not tag & t.PAST and not _goes_on(tags, at):
            continue
        if _attributive(sentence, at):
            continue
        group = verb_group(sentence, at)
        passive = tag & t.PAST and any(item & (t.BE | t.BEEN | t.BEING) for item in tags[group.start : at])
        if passive or group.negated or group.mood in ("future", "aim", "possible"):
            continue
        begin, stop = _subject(sentence, group.start)
        ours = begin == stop or any(item & t.AGENT for item in (*tags[begin : begin + 2], tags[stop - 1]))
        named = content(sentence, begin, stop) - NEUTRAL
        if not _ASKED.isdisjoint(sentence.words[begin:stop]):
            continue
        if named and not ours and not is_denied(sentence, group.start, at):
            yield _claim(sentence, begin, at + 1, named, _head_noun(sentence, begin, stop))


def _attributive(sentence: Sentence, at: int) -> bool:
    """Whether the participle at ``at`` describes the noun after it ("drives to blocked cars")."""
    before = sentence.tags[at - 1]
    if before & (t.PREPOSITION | t.TO) and not before & (t.PRONOUN | t.ADVERB):
        return True
    if before & (t.DETERMINER | t.NUMBER) and not before & t.PRONOUN:
        return True
    words, tags = sentence.words, sentence.tags
    if not tags[at + 1] & t.DETERMINER and tags[at] & t.PAST:
        # "The two delayed ferries", "those frozen screens", "we have unlocked frozen accounts".
        word = words[at - 1]
        if word in _COUNTS or (is_past(word, before) and not before & t.THIRD) or word in forms_of(BRINGS):
            return True
    doing = at > 1 and words[at - 1].endswith("ing")
    return doing and bool(tags[at - 2] & (t.BE | t.BEEN | t.PREPOSITION | t.ADVERB))


def _goes_on(tags: list[int], at: int) -> bool:
    """Whether an auxiliary makes a progressive of the verb at ``at``."""
    return any(tag & (t.BE | t.BEEN) for tag in tags[max(0, at - 3) : at])


def _has_object(sentence: Sentence, at: int) -> bool:
    """Whether the verb at ``at`` is done to something, with a bad result where the verb itself says none."""
    words, tags = sentence.words, sentence.tags
    if not at or at + 1 >= len(words):
        return False
    if not _TIME.isdisjoint(words[at + 2 : at + 3]) or words[at + 1] in _MOMENTS:
        return False
    if not tags[at + 1] & t.DETERMINER and not (words[at + 1].endswith("s") and words[at + 1][0].isalpha()):
        return False
    if not _TURNS.isdisjoint(words[at + 2 : at + 2 + _NEAR]):
        return False
    if words[at] not in _NEED_RESULT:
        return True
    # Who takes "a short break" breaks nothing.
    return any(
        words[k] in _RESULTS and not (tags[at + 1] & t.DETERMINER and words[k] == "break")
        for k in range(at + 2, min(len(words), at + 7))
    )
