"""What unties words that otherwise tie a trouble to its cause.

Most of them are ties only where their subject does something, and is no step that readers take: letters that
"were sent to the wrong address" cause nothing, and a try that "results in an error" is how the trouble looks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.actor_words import STEPS, kinds_of_forms, no_actors
from redpen.guards.claims.cause_row import CauseRow
from redpen.guards.claims.clauses import is_glued
from redpen.guards.claims.content import is_content
from redpen.guards.claims.occasions import DAYS
from redpen.guards.claims.patterns import CLAUSE_MARKS, clause_around
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words
from redpen.guards.claims.verbgroup import verb_group
from redpen.guards.claims.word_classes import WORD_CLASSES

_PASSIVE = t.BE | t.BEEN | t.BEING
_FINITE = t.BE | t.HAVE | t.WILL | t.MAY | t.CAN | t.DO
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS
_DONE = frozenset(
    "sent routed pointed steered directed took taken brought knocked made put left held tied given pulled "
    "caused triggered mistook disrupted broken".split()
)
"""Participles of ties that something does; what they are done to brings nothing about."""
_READERS = frozenset(WORD_CLASSES["readers"].split())
_LED_TO = frozenset("led leads leading lead".split())
_COMES_TO = _LED_TO | frozenset(
    "resulted results resulting culminated gave gives given made sent sends sending leaves leaving".split()
)
"""What a step of a reader does, where the trouble shows in it."""
_PLACES = frozenset(
    "page pages screen screens site form forms map menu list login link door doors gate gates exit entrance "
    "station depot stop platform pier hall room rooms desk counter lift park town centre lake road street "
    "path stairs folder file account profile section tab chapter".split()
)
"""Where links and roads lead."""
_THANKED_BEFORE = frozenset("many our special warm heartfelt thousand big sincere".split())
_SINGLE = frozenset("a an one some our".split())
_THANKED_FOR = frozenset("who for".split())
_THANKED_IN = 6
_SPENT = frozenset(
    "step sync synchronisation synchronization date breath luck words patience tune phase shape steam ways "
    "sorry time".split()
)
"""What something or somebody is out of without a cause."""
_OUT_FOR = frozenset("you your i my they those who if when should".split())
_SEEKS = frozenset(
    "to want wants wanted wish wishes hope hopes trying keen eager cannot can not will may might could would "
    "help helps".split()
)
"""What stands before a question that is still asked ("we want *to see* what is missing")."""
_TIME = DAYS.union("evening morning night afternoon week weekend month day hour shift start".split())
"""What something begins with that begins then."""
_TO_SOMEBODY = frozenset("us you me him her them".split())
_WRITINGS = frozenset(
    "message messages mail mails email emails letter letters note notes notice notices update updates "
    "bulletin reply replies answer answers request requests page step advice idea offer word words call text "
    "texts question rule rules measure measures thinking aim plan wish counter scenes curtain".split()
)
"""What is written or meant, and is neither trouble nor stands for it."""
_MAILS = frozenset("message mail email update bulletin request text".split())
_SPEAKS = frozenset(
    "say guarantee promise assure vouch estimate tell mention repeat stress add write ask advise recommend "
    "suggest urge advise point encourage invite want wanted like prefer keep".split()
)
"""What we do with words, and give a reason for."""
_USES = frozenset("get find have be come work sit stand keep let".split())
"""What readers do with what is enough."""
_FEW = 3
_NEAR = 5


class Tie(NamedTuple):
    """Words that can tie a trouble to its cause, as found in a sentence.

    Attributes:
        sentence: the sentence.
        row: the row that they are of.
        start: index of the first word.
        end: index after the last.
    """

    sentence: Sentence
    row: CauseRow
    start: int
    end: int

    @property
    def words(self) -> list[str]:
        """The words of the sentence."""
        return self.sentence.words

    @property
    def tags(self) -> list[int]:
        """What each word of the sentence can be."""
        return self.sentence.tags


def _passive(tie: Tie) -> bool:
    """Whether the verb of the tie is done to its subject ("were sent to the wrong quay")."""
    words, tags = tie.words, tie.tags
    if words[tie.start] not in _DONE or tie.row.side != "before":
        return False
    at = tie.start - 1
    while at > 0 and tags[at] & t.ADVERB:
        at -= 1
    if at >= 0 and (tags[at] & _PASSIVE or words[at] in ("get", "got", "gets", "getting")):
        return True
    if words[tie.start] not in ("sent", "routed", "pointed", "directed"):
        return False
    after = tags[tie.start + 1] if tie.start + 1 < len(tags) else 0
    described = any(tag & t.BE for tag in tags[tie.start : tie.end])
    return described or (bool(after & (t.PREPOSITION | t.TO)) and not after & t.ADVERB)


def _own_turn(tie: Tie) -> bool:
    """Whether "doing" is what somebody does ("as our team is doing")."""
    words = tie.words
    return (
        words[tie.end - 1] == "doing"
        and words[tie.start] != "'s"
        and bool(tie.sentence.tags[tie.start] & t.BE)
    )


def _is_step(tie: Tie) -> bool:
    """Whether what readers do is the subject ("a try leads to a logout"), or a road leads somewhere."""
    words, tags = tie.words, tie.tags
    if words[tie.start] not in _COMES_TO or tie.row.side != "before":
        return False
    if words[tie.start] in _LED_TO and not _PLACES.isdisjoint(words[tie.end : tie.end + _FEW]):
        return not any(tag & (t.PROBLEM | t.HINDERS) for tag in tags[tie.end : tie.end + _FEW])
    begin, stop = subject_words(tie.sentence, verb_group(tie.sentence, tie.start).start)
    return is_reader_step(tie.sentence, begin, stop)


def is_reader_step(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a subject is what a reader does with a service ("a tap on Pay", "scanning the code").

    Args:
        sentence: the sentence.
        begin: index of the first word of the subject.
        stop: index after its last.
    """
    words, tags = sentence.words, sentence.tags
    while begin < stop and tags[begin] & (t.AND | t.ADVERB) and not tags[begin] & t.DETERMINER:
        begin += 1
    if begin >= stop:
        return False
    if words[begin] in STEPS and words[begin].endswith("ing"):
        return True
    head = begin
    for at in range(begin, stop):
        if tags[at] & t.PREPOSITION and at > begin and words[at] not in ("of", "%"):
            break
        head = at
    return words[head] in STEPS


def _thanks(tie: Tie) -> bool:
    """Whether people are thanked ("thanks to the drivers who told us")."""
    words = tie.words
    if words[tie.start] != "thanks":
        return False
    if not _THANKED_BEFORE.isdisjoint(words[max(0, tie.start - 2) : tie.start]):
        return True
    if not _SINGLE.isdisjoint(words[tie.end : tie.end + 1]):
        return False
    near = words[tie.end : tie.end + _THANKED_IN]
    return not _THANKED_FOR.isdisjoint(near) and not (no_actors() | _READERS).isdisjoint(near)


def _spent(tie: Tie) -> bool:
    """Whether somebody is out of patience, pictures out of step, or readers out of what they need."""
    words = tie.words
    if words[tie.start] not in ("ran", "run") or words[tie.end - 1] not in ("of", "on"):
        return False
    begin = clause_around(words, tie.sentence.tags, tie.start, tie.end)[0]
    return not _SPENT.isdisjoint(words[tie.end : tie.end + 2]) or not _OUT_FOR.isdisjoint(
        words[begin : tie.start]
    )


def _still_asked(tie: Tie) -> bool:
    """Whether "what is" opens a question that is still asked ("to see what is missing")."""
    if "why/what" not in tie.row.words:
        return False
    return not _SEEKS.isdisjoint(tie.sentence.words[max(0, tie.start - _FEW) : tie.start])


def _then(tie: Tie) -> bool:
    """Whether something only began at a time ("began with the first evening of the fair")."""
    words = tie.words
    if "with" not in words[tie.end - 2 : tie.end] or tie.row.side == "before":
        return False
    return not _TIME.isdisjoint(word.removesuffix("'s") for word in words[tie.end : tie.end + _NEAR])


def _advised(tie: Tie) -> bool:
    """Whether a reason is one for what we ask, say or write ("which is why we ask you to call")."""
    words, tags = tie.words, tie.tags
    if tie.row.side == "before" and words[tie.end - 1] == "why":
        stop = clause_around(words, tags, tie.start, tie.end)[1]
        return _tells_ours(tie.sentence, tie.end, stop)
    if tie.row.side != "because":
        return False
    begin = clause_around(words, tags, tie.start, tie.end)[0]
    if tie.start > 0:
        apart = words[tie.start - 1] == ","
        return _tells_ours(tie.sentence, 0 if apart else begin, tie.start - apart)
    comma = next((at for at in range(tie.end, len(words)) if words[at] == ","), len(words))
    return _tells_ours(tie.sentence, comma + 1, len(words))


def _tells_ours(sentence: Sentence, begin: int, end: int) -> bool:
    """Whether a clause tells what we say or ask, or asks the reader for something."""
    words, tags = sentence.words, sentence.tags
    if begin >= end:
        return False
    if words[begin] in ("please", "kindly") or words[begin : begin + 2] in (["here", "is"], ["here", "are"]):
        return True
    ours = tags[begin] & t.AGENT and words[begin] in ("we", "i")
    if not ours and words[begin : begin + 2] not in (["you", "get"], ["you", "are"], ["you", "see"]):
        return False
    if words[begin] == "you":
        return not _WRITINGS.isdisjoint(words[begin:end])
    return not _SPEAKS.isdisjoint(words[begin + 1 : begin + _NEAR])


def _of_writing(tie: Tie) -> bool:
    """Whether the subject is something written or meant ("this mail comes from our desk")."""
    words, tags = tie.words, tie.tags
    if words[tie.start] == "behind":
        inside = not _WRITINGS.isdisjoint(words[tie.start + 1 : tie.end])
        return inside or words[tie.end : tie.end + 1] == ["to"]
    if tie.row.words.startswith("cause/reason"):
        # "The reason for this mail is ..." tells why we write.
        return not _MAILS.isdisjoint(words[tie.start : tie.end])
    if not tie.row.trouble:
        return False
    begin, stop = subject_words(tie.sentence, verb_group(tie.sentence, tie.start).start)
    named = [at for at in range(begin, stop) if is_content(words[at], tags[at])]
    return bool(named) and words[named[0]] in _WRITINGS


def _owed(tie: Tie) -> bool:
    """Whether "due to" says when something is to happen, or to whom it is owed."""
    words, tags = tie.words, tie.tags
    if words[tie.start : tie.end] != ["due", "to"] or tie.end >= len(words):
        return False
    if words[tie.end] in _TO_SOMEBODY:
        return True
    after = tags[tie.end + 1] if tie.end + 1 < len(tags) else t.NUMBER
    base = tags[tie.end] & t.BASE and not tags[tie.end] & (t.PROBLEM | t.CAUSER | t.HINDERS | t.REMEDIES)
    placed = (
        tie.end + 1 >= len(words) or words[tie.end + 1] in CLAUSE_MARKS or after & (t.PREPOSITION | t.NUMBER)
    )
    return bool(base and (placed or after & (t.DETERMINER | t.PRONOUN | t.ADVERB)))


def _harmless(tie: Tie) -> bool:
    """Whether something is enough for what readers do ("your card is enough to borrow a book")."""
    words = tie.words
    if words[tie.end - 1] != "to" or "enough" not in words[tie.start : tie.end]:
        return False
    return (kinds_of_forms().keys() - _USES).isdisjoint(words[tie.end : tie.end + 1])


def _joined_word(tie: Tie) -> bool:
    """Whether the words of the tie are glued into a noun ("the cut-off", "a hold-up")."""
    if tie.end - tie.start < 2 or "-" in tie.row.words:
        return False
    return is_glued(tie.sentence, tie.start) or is_glued(tie.sentence, tie.end - 2)


def _of_people(tie: Tie) -> bool:
    """Whether people or devices are connected to something ("those connected to the server")."""
    words, tags = tie.words, tie.tags
    if words[tie.start] not in ("connected", "linked", "tied", "related") or tie.row.side != "after":
        return False
    begin = max(0, tie.start - _NEAR)
    before = range(begin, tie.start)
    if any(tags[at] & (_TROUBLE | t.NOT) or words[at] in ("it", "this", "that") for at in before):
        return False
    return not (_READERS | no_actors()).isdisjoint(words[begin : tie.start])


def _noun_of_list(tie: Tie) -> bool:
    """Whether "results" and the like are nouns after a verb of their own ("is missing from results in")."""
    words, tags = tie.words, tie.tags
    if words[tie.start] not in ("results", "leads", "traces") or tie.row.trouble:
        return False
    before = tags[tie.start - 1] if tie.start else 0
    if before & (t.DETERMINER | t.PARTIAL | t.NUMBER) and not before & t.PRONOUN:
        return True
    begin = clause_around(words, tags, tie.start, tie.end)[0]
    finite = [
        at for at in range(begin, tie.start) if tags[at] & _FINITE and words[at] not in ("that", "which")
    ]
    return bool(finite) and any(tags[at] & t.PREPOSITION for at in range(finite[-1] + 1, tie.start))


_TESTS: tuple[Callable[[Tie], bool], ...] = (
    _passive, _own_turn, _is_step, _thanks, _spent, _still_asked, _then, _advised, _of_writing, _owed,
    _harmless, _joined_word, _of_people, _noun_of_list,
)  # fmt: skip


def is_untied(tie: Tie) -> bool:
    """Whether words that can tie a trouble to its cause do not do so here.

    Args:
        tie: the words, as found.
    """
    return any(test(tie) for test in _TESTS)
