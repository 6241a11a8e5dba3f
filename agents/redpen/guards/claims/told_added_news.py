"""Sentences put into a revision that tell good news of what is affected, in whatever words."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Clause, Known, main_clauses, mask_of
from redpen.guards.claims.told_added import Balance, stands_alone
from redpen.guards.claims.told_feats import is_honest_work
from redpen.guards.claims.told_states import affected, goes_on, is_done_to
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import is_past, main_verb

_OPEN = t.HEDGE | t.MAY | t.HARD_CONDITION | t.WILL | t.NOT | t.NO | t.BEING | t.NUMBER | t.PARTIAL
_POLITE = frozenset(
    "sorry thank thanks please apologies apology regret welcome dear hello hi hey good kind best yours "
    "here there this that if so how what why when where".split()
)
_REFERRING = frozenset("it they these those this that everything all things".split())
_DUMMY = frozenset(("it", "this", "that"))
_WE = frozenset("we i".split())
_READERS = frozenset("you your yours".split())
_ANEW = frozenset(("again", "now", "once"))
_BY_THEMSELVES = frozenset("jot note write ask prepare read learn call ring phone visit tell reply".split())
"""What readers do without anything that may be affected."""
_TURN_TO = frozenset("contact help ask call phone ring write email text borrow adapt send approach".split())
"""What people can do whatever the trouble ("shippers can contact their desk")."""
_OFFERED = frozenset("available obtainable on provided offered stocked kept".split())
_PLACES = frozenset("from at in by with hand offer behind near beside".split())
_ABOUT_IT = frozenset(
    "ringing calling phoning contacting texting emailing messaging looking checking examining "
    "investigating testing studying searching working tracing comparing asking writing visiting "
    "inspecting measuring helping assisting watching monitoring reviewing tracking collecting gathering "
    "listening interviewing sampling analysing analyzing counting verifying digging probing exploring "
    "following recording noting".split()
)
"""What people do about the trouble."""
_OURS = frozenset(
    "cause reason number reference priority update updates news estimate mistake error fault".split()
)
"""What talk about the incident is about, and not what is affected."""
_WORK = frozenset(
    "work works search hunt investigation inquiry checks check efforts effort testing analysis sampling "
    "digging review".split()
)
_WILLING = frozenset("ready glad happy pleased there here available".split())
_DESKS = frozenset(
    "office offices desk desks team teams staff branch branches colleagues helpline hotline counter clerks "
    "support helpdesk agents shop shops".split()
)
"""Who offers to do something for readers ("our office is ready to arrange it")."""
_GOES_ON = frozenset(
    "goes go on carries carry continues continue proceeds proceed running runs lasts".split()
)
"""What is said of work while nothing is done yet ("the search goes on")."""
_ELSEWISE = frozenset(
    "same behind dollar dollars euro euros pound pounds cent cents fee fees price prices cost costs charge "
    "charges two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety dozen hundred "
    "thousand million percent times point half means mean matters matter stands concerns belongs applies "
    "involves exception story apologises apologizes regrets thanks until instead meanwhile only just still "
    "yet else other another hand manually keep keeps kept continue continues free refund refunded returned "
    "credit credited voucher due scheduled planned idea advice advisable wise sensible recommended "
    "worthwhile guess improvement".split()
)
"""Words of sentences about money, counts, ways round and what is to come, which other rules read."""


def find_added(sentence: Sentence, known: Known, balance: Balance) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end that tell good news, in sentences that were put in.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
        balance: how much of the original the revision takes up.
    """
    # Most sentences that were put in hold a new word: the others are told from them in no time.
    if content(sentence, 0, len(sentence.words)) - talk_stems() <= known.all:
        return
    news = _possible(sentence)
    if not news or not stands_alone(sentence, balance):
        return
    for clause, ours in news:
        if _is_feat(sentence, clause, known) if ours else _is_news(sentence, clause, known):
            yield clause.start, clause.end


@lru_cache(maxsize=1024)
def _possible(sentence: Sentence) -> tuple[tuple[Clause, bool], ...]:
    """Return the clauses of a sentence that may tell good news, and whether of what someone of ours did."""
    if sentence.words[0] in _POLITE or sentence.mask & (t.HARD_CONDITION | t.HEDGE):
        return ()
    found = []
    for start, end in main_clauses(sentence):
        mask = mask_of(sentence, start, end)
        if mask & _OPEN or (sentence.words[start] == "once" and end < len(sentence.words)):
            continue
        verb, tense = main_verb(sentence, start, end)
        if verb <= start:
            continue
        clause = Clause(start, end, verb, tense, mask, False)
        ours = _is_ours(sentence, clause)
        if not tells_trouble(sentence, verb, end) and (ours or not _is_of_another_kind(sentence, clause)):
            found.append((clause, ours))
    return tuple(found)


def _is_ours(sentence: Sentence, clause: Clause) -> bool:
    return any(tag & t.AGENT for tag in sentence.tags[clause.start : clause.verb])


def _is_feat(sentence: Sentence, clause: Clause, known: Known) -> bool:
    """Whether someone of ours has done more than honest work on it."""
    words, tags = sentence.words, sentence.tags
    if clause.tense not in ("perfect", "past"):
        return False
    at = next((k for k in range(clause.verb, clause.end) if is_past(words[k], tags[k])), -1)
    if at < 0 or tags[at] & (t.COMMUNICATES | t.BE) or any(tag & t.BEEN for tag in tags[clause.verb : at]):
        return False
    upon = content(sentence, at + 1, clause.end) & known.all
    if upon <= talk_stems() and _REFERRING.isdisjoint(words[at + 1 : clause.end]):
        return False
    return not is_honest_work(stem(words[at]))


def _is_order(sentence: Sentence, start: int) -> bool:
    """Whether a clause tells readers what to do ("look here again")."""
    words, tags = sentence.words, sentence.tags
    plain = not tags[start] & (t.DETERMINER | t.PRONOUN | t.PREPOSITION | t.THIRD) and not words[
        start
    ].endswith("s")
    after = tags[start + 1]
    return plain and bool(
        after & (t.DETERMINER | t.PREPOSITION | t.PRONOUN)
        or words[start + 1] in ("here", "us", "out", "along")
    )


def _is_news(sentence: Sentence, clause: Clause, known: Known) -> bool:
    """Whether a clause says something new of what is affected that is no trouble."""
    words = sentence.words
    says = content(sentence, clause.verb, clause.end) - talk_stems()
    if not says:
        return False
    first = words[clause.start]
    after = words[clause.verb + 1 : clause.end]
    if sentence.tags[clause.verb] & t.CAN and not _TURN_TO.isdisjoint(after[:1]):
        return False
    if first in _READERS and first != "your":
        return bool(sentence.tags[clause.verb] & t.CAN) and _gets_back(sentence, clause, says, known)
    subject = content(sentence, clause.start, clause.verb)
    named = first in _REFERRING or first == "your" or not subject.isdisjoint(known.all)
    offered = not (_OFFERED.isdisjoint(after[:1]) or _PLACES.isdisjoint(after[1:2]))
    if offered and subject.isdisjoint(affected(known)):
        return False
    # "Gladly" alone is no news.
    plain = frozenset(stem(word) for word in words[clause.start : clause.end] if not word.endswith("ly"))
    return (
        named
        and not (says | subject) & plain <= known.all
        and not _is_remote(sentence, clause, subject, known)
    )


def _gets_back(sentence: Sentence, clause: Clause, says: frozenset[str], known: Known) -> bool:
    """Whether readers can do something with what is affected, or anything anew."""
    if says <= known.all:
        return False
    words = sentence.words[clause.start : clause.end]
    does = _BY_THEMSELVES.isdisjoint(words)
    return not _ANEW.isdisjoint(words) or (does and not says.isdisjoint(affected(known)))


def _is_of_another_kind(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause is an order, talk, of the past, of what goes on as it was, or of money."""
    words, tags = sentence.words, sentence.tags
    if clause.tense in ("past", "pluperfect") or _is_order(sentence, clause.start):
        return True
    if not _ELSEWISE.isdisjoint(words[clause.start : clause.end]):
        return True
    if not (_OURS | _WE).isdisjoint(words[clause.start : clause.verb]):
        return True
    first = words[clause.start]
    if first in _REFERRING and clause.start and tags[clause.start - 1] & t.AND:
        # "Phone the desk and it rings a porter" tells what comes of an order.
        return True
    dummy = first in _DUMMY and tags[clause.verb] & t.BE
    if dummy or tags[clause.verb] & t.COMMUNICATES:
        return True
    return goes_on(sentence, clause) or is_done_to(sentence, clause) or _is_work(sentence, clause)


def _is_work(sentence: Sentence, clause: Clause) -> bool:
    """Whether a clause tells that someone is at work, or that work goes on."""
    words, tags = sentence.words, sentence.tags
    after, says = clause.verb + 1, words[clause.verb : clause.end]
    if not _WORK.isdisjoint(words[clause.start : clause.verb]) and not _GOES_ON.isdisjoint(says):
        return True
    if not tags[clause.verb] & t.BE or after >= clause.end:
        return False
    if (
        words[after] in _WILLING
        and words[after + 1 : after + 2] == ["to"]
        and not _DESKS.isdisjoint(words[clause.start : clause.verb])
    ):
        return True
    if words[after] in _ABOUT_IT or words[after : after + 2] == ["doing", "what"]:
        return True
    return words[clause.start] == "our" and words[after : after + 2] == ["on", "the"]


def _is_remote(sentence: Sentence, clause: Clause, subject: frozenset[str], known: Known) -> bool:
    """Whether the subject is the trouble itself, or a desk, a page or a way round that is not affected."""
    mask = mask_of(sentence, clause.start, clause.verb)
    affected = any(subject & (told.stems - told.fine) for told in known.sentences)
    return bool(mask & t.PROBLEM) or (bool(mask & t.REMOTE) and not affected)
