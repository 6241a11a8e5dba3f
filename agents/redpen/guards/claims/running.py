"""Statements that something is at work as before: "working normally", "can log in again", "on time"."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import clause_ends_after, determined, following, has, head_of_subject
from redpen.guards.claims.content import is_content
from redpen.guards.claims.fronted import opens_clause
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach, subject_words
from redpen.guards.claims.statements import Statement, state
from redpen.guards.claims.verbgroup import Group

_NICELY = frozenset(
    "normally properly correctly smoothly reliably perfectly flawlessly cleanly successfully seamlessly "
    "faultlessly undisturbed uninterrupted unhindered unimpeded untroubled".split()
)
_WELL = _NICELY | frozenset(
    "freely unhindered unimpeded briskly well fine promptly stably healthily consistently safely happily "
    "nicely steadily effortlessly swiftly".split()
)
_AS_BEFORE = frozenset(
    "usual normal expected before intended designed always should ever specified clockwork new".split()
)
_AS_IT = frozenset("should did always used charm dream would".split())
_RULE = frozenset("normally usually always ordinarily".split())
_TIMES = frozenset("twice half double thrice times third quarter not".split())
"""What turns "as high as before" into a change."""
_HITCHES = frozenset(
    "wait waiting waits queue fuss stutter stutters stumble stumbles hesitation hitch hitches hiccup "
    "hiccups snag snags fail interruption loss".split()
)
_TIMELY = frozenset(("time", "schedule"))
_NO_SUBJECTS = frozenset(
    "please try retry once and or then with for in at by sorry thank thanks if log sign".split()
)
_WORKING = frozenset("work function succeed operate".split())
_DONE_ANEW = frozenset(
    "exam paper test resit retake lesson course round survey printed tested retested checked counted "
    "measured inspected examined asked invited called rung written drawn weighed surveyed reviewed repeated "
    "invoiced washed cleaned flushed sampled".split()
)
"""What is done a second time when it is done again, with no service being back."""
_AMISS = frozenset("late slow low short out behind hot cold empty dry".split())
"""How things run that do not run well."""
_DEGREES = frozenset("fast quickly hard long much soon far carefully diligently urgently closely".split())
"""How people work as ... as they can."""
_LOOKS = frozenset(
    "see find read check follow reach contact view track call write look browse visit ask".split()
)
"""What readers do as usual in spite of the trouble."""
_JOBS = frozenset(
    "run runs retry retried start started sent send collected tried picked queued begin go".split()
)
_PLANNED = frozenset(
    "overnight tonight nightly next each every batches batch order turn later hourly daily tomorrow when "
    "until automatically by".split()
)
_FUNCTION_VERB = (
    t.BE | t.HAVE | t.DO | t.WILL | t.MAY | t.CAN | t.CONDITION | t.COMPLEMENT | t.AND | t.BUT | t.ADVERB
)
_AFTER_VERB = 7
_BEFORE_MARKER = 12
_SHORTEST_CLAUSE = 2

_INTENDED = frozenset("planned scheduled expected hoped meant due".split())
_ASKS = frozenset("what how where who why".split())
"""What begins a heading or a question ("what pupils can do now")."""
_ON_IT = frozenset(("on", "through", "around", "towards"))
"""What follows a verb of work that is done and not of a thing that works."""

MARKERS = frozenset(("again", "more", "now", "as", "like", "without", "on", "just", *_NICELY))
"""Words at which a marker of return may begin."""


def _like_before(sentence: Sentence, index: int) -> bool:
    """Whether "as" or "like" at ``index`` begins a comparison with the good days."""
    after = sentence.words[index + 1 : index + 3]
    if (
        after[1:]
        and after[1] in _RULE
        and sentence.words[index + 3 : index + 4] in (["would"], ["do"], ["did"])
    ):
        return True
    if any(
        sentence.words[at] == "as" and sentence.words[at - 1] in _TIMES
        for at in range(max(1, index - _AFTER_VERB), index)
    ):
        return False
    return bool(after) and (after[0] in _AS_BEFORE or after[-1] in _AS_IT)


def _smoothly(sentence: Sentence, index: int) -> bool:
    """Whether "without" at ``index`` denies trouble."""
    words, tags = sentence.words, sentence.tags
    return any(
        (tags[at] & t.PROBLEM and words[at] not in _HELD) or words[at] in _HITCHES
        for at in range(index + 1, min(index + 4, len(words)))
    )


def _once_more(sentence: Sentence, index: int) -> bool:
    return sentence.words[index] == "once" and following(sentence, index) in ("more", "again")


def _does_well(sentence: Sentence, index: int) -> bool:
    """Whether the verb at ``index`` is said to be done as before or well."""
    words = sentence.words
    for at in range(index + 1, min(len(words), index + _AFTER_VERB)):
        word = words[at]
        if word in CLAUSE_MARKS or word == "than" or (at == index + 1 and word in _AMISS):
            return False
        if word == "as" and at + 1 < len(words) and words[at + 1] in _DEGREES:
            return False
        if word == "well" and words[at - 1] == "as":
            continue
        if word in _WELL or word == "again" or _once_more(sentence, at):
            return True
        if word in ("as", "like") and _like_before(sentence, at):
            return True
        if (word == "without" and _smoothly(sentence, at)) or (
            word in ("on", "in") and following(sentence, at) in _TIMELY
        ):
            return True
    return index > 0 and (words[index - 1] in _WELL or words[index - 1] == "again")


def runs(sentence: Sentence, index: int) -> Statement | None:
    """Read a verb of being at work."""
    words, tags = sentence.words, sentence.tags
    busy = following(sentence, index) in _ON_IT or _scheduled(sentence, index, index + 1)
    if busy or determined(sentence, index) or _is_participle(sentence, index) or _stops(sentence, index):
        return None
    if not _does_well(sentence, index):
        return _will_work(sentence, index)
    statement = state(sentence, index, at_work=True)
    span = head_of_subject(sentence, statement.group.start)
    if has(sentence, span, t.PARTIAL | t.PROBLEM) and not has(sentence, span, t.NO):
        return None
    past = tags[index] & t.PAST and not tags[index] & t.BASE
    bare_past = past and statement.group.mood == "bare"
    if bare_past or (
        tags[index] & t.GERUND and has(sentence, span, t.AGENT) and _WELL.isdisjoint(words[index : index + 7])
    ):
        return None
    lasting = index > 1 and words[index - 1] == "to" and words[index - 2].startswith("continue")
    return statement._replace(force="stated") if lasting and statement.reach.asserted else statement


def _is_participle(sentence: Sentence, index: int) -> bool:
    """Whether the form at ``index`` begins a clause without a subject ("battery use while syncing")."""
    before = sentence.tags[index - 1] if index else 0
    opens = before & (t.CONDITION | t.HARD_CONDITION | t.PREPOSITION) and not before & (t.PRONOUN | t.ADVERB)
    return bool(sentence.tags[index] & t.GERUND and (opens or sentence.words[index - 1] == "while"))


def _stops(sentence: Sentence, index: int) -> bool:
    """Whether the verb at ``index`` is what something no longer does ("stopped working again")."""
    return index > 0 and sentence.words[index - 1] in ("stopped", "stops", "stop", "ceased", "quit")


def _will_work(sentence: Sentence, index: int) -> Statement | None:
    """Read a bare promise that something will work."""
    if sentence.words[index] not in _WORKING or following(sentence, index) in _AMISS:
        return None
    statement = state(sentence, index)
    span = subject_words(sentence, statement.group.start)
    spared = has(sentence, span, t.AGENT | t.REMOTE | t.PARTIAL)
    return statement if statement.force == "promised" and not spared else None


def _costs(words: list[str], index: int) -> bool:
    """Whether a price is what is so again at ``index`` ("the fee is 12 euros again")."""
    return not _PRICES.isdisjoint(words[max(0, index - _BEFORE_MARKER) : index])


def marks_return(sentence: Sentence, index: int) -> bool:
    """Whether the words at ``index`` say that things are as before ("again", "without delay")."""
    words, tags = sentence.words, sentence.tags
    word = words[index]
    if word in ("as", "like"):
        return _like_before(sentence, index)
    if word in _NICELY:
        ends = clause_ends_after(sentence, index) or tags[index + 1] & (t.AND | t.PREPOSITION | t.CONDITION)
        return words[index - 1] not in ("than", "as", "you") and bool(ends or words[index + 1] == "again")
    if word == "now":
        return "can" in words[max(0, index - 2) : index + 2] or following(sentence, index) == "able"
    return (
        (word == "again" and not _costs(words, index))
        or (word == "more" and words[index - 1 : index] == ["once"])
        or (word == "without" and _smoothly(sentence, index))
        or (word == "on" and following(sentence, index) in ("time", "schedule"))
        or (word == "just" and following(sentence, index) == "fine")
    )


_TAKEN_BACK = t.CONDITION | t.HARD_CONDITION | t.MAY | t.HINDERS | t.RECURS | t.NOT | t.NO | t.PROBLEM
_WORSE = frozenset(
    "down offline unavailable unreachable growing rising climbing longer worse stopped ceased quit broken "
    "late slow slower stuck closed".split()
)
"""Words for a bad state that may come again."""
_BY_THEMSELVES = frozenset("reporting updating refreshing".split())
"""What devices and pages do, and people too."""
_PRICES = frozenset("fee fees fare fares price prices cost costs charge charges rate rates rent toll".split())
_HELD = frozenset("ticket tickets case cases".split())
"""Names of trouble that people hold too, and may be without."""
_ORDINALS = frozenset("first second next single".split())
_VERB = t.BE | t.CAN | t.WILL | t.HAVE


def _told(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` is a verb of telling and asking; "check out" is none."""
    tag = sentence.tags[at]
    noun = at > 0 and (sentence.tags[at - 1] & t.DETERMINER or sentence.words[at - 1] in _ORDINALS)
    heard = sentence.words[at] == "hear" and "from" in sentence.words[at + 1 : at + 2]
    verb = tag & t.COMMUNICATES and tag & t.ANY_FORM and not noun
    by_itself = sentence.words[at] in _BY_THEMSELVES and not has(sentence, (0, at), t.AGENT)
    return heard or (bool(verb) and not by_itself and sentence.words[at + 1 : at + 2] != ["out"])


def _infinitive(sentence: Sentence, at: int) -> bool:
    """Whether "to" at ``at`` begins an infinitive, other than after "able"."""
    if sentence.words[at] != "to" or sentence.words[at - 1 : at] == ["able"]:
        return False
    return at + 1 >= len(sentence.tags) or not sentence.tags[at + 1] & (t.DETERMINER | t.NUMBER)


def _verb_before(sentence: Sentence, index: int) -> tuple[int, bool]:
    """Return the auxiliary before a marker, or where its clause begins and False; -1 when it is no claim."""
    words, tags = sentence.words, sentence.tags
    at = index - 1
    while at >= max(0, index - _BEFORE_MARKER):
        word, tag = words[at], tags[at]
        if word in CLAUSE_MARKS or tag & t.BUT:
            break
        if not _once_more(sentence, at):
            asked = tag & t.PROBLEM and sentence.words[at - 1 : at] == ["can"]
            smooth = word == "without" and _smoothly(sentence, at)
            if word in _WORSE and words[index] in ("again", "more"):
                return -1, False
            if (
                (tag & _TAKEN_BACK and not (asked or smooth))
                or _told(sentence, at)
                or _infinitive(sentence, at)
            ):
                return -1, False
            if tag & _VERB or (word == "'s" and not is_content(words[at + 1], tags[at + 1])):
                return at, True
        at -= 1
    return at + 1, False


def marked(sentence: Sentence, index: int) -> Statement | None:
    """Read a marker of return beside any verb of customers or services ("can log in again")."""
    verb, found = _verb_before(sentence, index)
    if verb < 0:
        return None
    if not found:
        return _plainly_marked(sentence, verb, index)
    words = sentence.words
    to_come = not _INTENDED.isdisjoint(words[verb:index]) or words[0] in _ASKS
    anew = words[index] == "again" and words[index - 1] in _DONE_ANEW
    if to_come or anew or _in_spite(sentence, verb, index) or _scheduled(sentence, verb, index):
        return None
    if has(sentence, subject_words(sentence, verb), t.AGENT) and "you" not in words[:verb]:
        return None
    if sentence.tags[verb] & t.CAN:
        statement = state(sentence, verb + 1)
        able = statement.reach.asserted and statement.group.mood == "possible"
        return statement._replace(force="stated") if able else None
    return state(sentence, min(index, verb + 1), at_work=True)


def _in_spite(sentence: Sentence, verb: int, index: int) -> bool:
    """Whether it is told what readers can look up or whom they reach as usual, in spite of the trouble."""
    words = sentence.words
    if words[verb] in ("it", "they"):
        return False
    return words[index] in ("as", "like") and not _LOOKS.isdisjoint(words[verb:index])


def _scheduled(sentence: Sentence, verb: int, index: int) -> bool:
    """Whether it is told of a job what the plan has for it ("they run again in the next nightly window")."""
    words = sentence.words
    if _JOBS.isdisjoint(words[verb:index]):
        return False
    return not _PLANNED.isdisjoint(words[index + 1 : index + 8])


def _is_order(sentence: Sentence, start: int) -> bool:
    """Whether a verb with its object begins the clause at ``start`` ("set your recording again")."""
    tags = sentence.tags
    if sentence.words[start + 1 : start + 2] in (["it"], ["them"]) and not tags[start] & _FUNCTION_VERB:
        return True
    noun = tags[start] & (t.DETERMINER | t.PRONOUN | t.NUMBER | t.ADVERB)
    return not noun and start + 1 < len(tags) and bool(tags[start + 1] & t.DETERMINER)


def _names_doing(sentence: Sentence, start: int, index: int) -> bool:
    """Whether the marker at ``index`` ends a doing of which something is said ("signing up again is ...")."""
    tags = sentence.tags
    if tags[start] & t.PREPOSITION and tags[start + 1] & t.GERUND:
        return True
    after = tags[index + 1] if index + 1 < len(tags) else 0
    doing = tags[start] & t.GERUND or sentence.words[start].endswith("ing")
    return bool(doing and after & (t.BE | t.MAY | t.WILL | t.DO))


def _plainly_marked(sentence: Sentence, start: int, index: int) -> Statement | None:
    """Read a clause without auxiliary ("dashboards show fresh data again")."""
    words, tags = sentence.words, sentence.tags
    begin = start
    while start < index and tags[start] & t.ADVERB and not tags[start] & t.DETERMINER:
        start += 1
    if (
        _names_doing(sentence, start, index)
        or index - start < _SHORTEST_CLAUSE
        or words[start] in _NO_SUBJECTS
        or words[start] in _LOOKS
    ):
        return None
    if any(opens_clause(words, at) for at in range(begin, index)):
        return None
    if _is_order(sentence, start) or has(sentence, (start, start + 2), t.AGENT | t.PARTIAL):
        return None
    if _scheduled(sentence, start, index) or _in_spite(sentence, start, index):
        return None
    group = Group("stated", index, False, False, False)
    reached = reach(sentence, group, begin)
    return Statement("stated" if reached.asserted else "open", group._replace(start=start), reached)
