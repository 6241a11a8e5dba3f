"""Claims that the incident is over: ended, repaired, healthy, working again; and that it surely will be."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.grammar import ATTRIBUTIVE_FIXED
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach, subject_words
from redpen.guards.claims.statements import Statement, state
from redpen.guards.claims.verbgroup import Group, verb_group

_ANCHORS = (
    t.ENDS
    | t.ENDS_PROBLEM
    | t.RESUMES
    | t.RUNS
    | t.HEALTHY
    | t.FINE
    | t.DONE
    | t.DEPLOYS
    | t.BAD
    | t.PROBLEM
    | t.ACHIEVES
    | t.REMEDIES
)
_AGAIN = frozenset(("again", "once more", "once again"))
_WELL = frozenset(
    "normally properly correctly smoothly reliably perfectly flawlessly cleanly successfully well fine faultlessly "
    "seamlessly promptly stably healthily consistently safely happily nicely steadily effortlessly swiftly".split()
)
_AS_BEFORE = frozenset(
    "usual normal expected before intended designed planned always should ever specified".split()
)
_END_MARKS = frozenset(",;:–—…()[]")
_OVER_ITS_SUBJECT = frozenset("it this that which everything all".split())
_WHOLE = frozenset("everything all".split())
_NOT_PREDICATES = frozenset("that how why what whether when if".split())


def _previous(sentence: Sentence, index: int) -> int:
    at = index - 1
    while at >= 0 and sentence.tags[at] & t.ADVERB:
        at -= 1
    return at


def _following(sentence: Sentence, index: int) -> str:
    return sentence.words[index + 1] if index + 1 < len(sentence.words) else ""


def _has(sentence: Sentence, span: tuple[int, int], tag: int) -> bool:
    return any(sentence.tags[at] & tag for at in range(*span))


def _head(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return the span of the subject up to its first preposition."""
    begin, end = subject_words(sentence, start)
    for at in range(begin, end):
        if (
            sentence.tags[at] & t.PREPOSITION
            and not sentence.tags[at] & (t.PRONOUN | t.ADVERB)
            and at > begin
        ):
            return begin, at
    return begin, end


def _about_problem(sentence: Sentence, statement: Statement, index: int) -> bool:
    """Whether subject or object of the predicate at ``index`` is the trouble itself."""
    span = subject_words(sentence, statement.group.start)
    if _has(sentence, span, t.PROBLEM | t.BAD) or any(
        words.endswith("ing") for words in sentence.words[span[0] : span[1]]
    ):
        return True
    if span[1] > span[0] and sentence.words[span[1] - 1] in _OVER_ITS_SUBJECT and statement.group.finite:
        return True
    stop = min(len(sentence.words), index + 6)
    for at in range(index + 1, stop):
        if sentence.words[at] in _END_MARKS or sentence.tags[at] & (t.PREPOSITION | t.BE | t.HAVE):
            return False
        if sentence.tags[at] & (t.PROBLEM | t.BAD):
            return True
    return False


def _attributive(sentence: Sentence, index: int) -> bool:
    """Whether an adjective stands before its noun ("a fixed interval")."""
    return bool(
        index
        and sentence.tags[index - 1] & t.DETERMINER
        and not sentence.tags[index - 1] & t.PRONOUN
        and _following(sentence, index) not in ("", *_END_MARKS)
    )


def _ends(sentence: Sentence, index: int) -> Statement | None:
    tag = sentence.tags[index]
    if sentence.words[index] == "fixed" and _following(sentence, index) in ATTRIBUTIVE_FIXED:
        return None
    previous = sentence.words[index - 1] if index else ""
    if tag & t.ANY_FORM & ~t.PAST and not tag & t.PAST:
        if (
            tag & (t.BASE | t.THIRD)
            and index
            and sentence.tags[index - 1] & (t.DETERMINER | t.NUMBER | t.PREPOSITION)
        ):
            return None
        if tag & t.GERUND and previous in ("of", "for", "the"):
            return None
    return state(sentence, index)


def _runs(sentence: Sentence, index: int) -> Statement | None:
    """Read a verb of being at work that says by an adverb that it does so again or well."""
    words, tags = sentence.words, sentence.tags
    if not _does_well(sentence, index):
        return _will_work(sentence, index)
    statement = state(sentence, index, at_work=True)
    span = _head(sentence, statement.group.start)
    if _has(sentence, span, t.PARTIAL) and not _has(sentence, span, t.NO):
        return None
    if tags[index] & t.PAST and not tags[index] & t.BASE and statement.group.mood == "bare":
        return None
    if tags[index] & t.GERUND and _has(sentence, span, t.AGENT) and not _WELL & set(words[index : index + 7]):
        return None
    if (
        words[index - 1 : index] == ["to"]
        and index > 1
        and words[index - 2] in ("continue", "continues", "continued")
    ):
        return statement._replace(force="stated")
    return statement


def _will_work(sentence: Sentence, index: int) -> Statement | None:
    """Read a bare promise that something will work."""
    if sentence.words[index] not in ("work", "function", "succeed", "operate"):
        return None
    statement = state(sentence, index)
    if statement.force != "promised" or _has(
        sentence, subject_words(sentence, statement.group.start), t.AGENT | t.REMOTE | t.PARTIAL
    ):
        return None
    return statement


def _does_well(sentence: Sentence, index: int) -> bool:
    words = sentence.words
    stop = min(len(words), index + 7)
    for at in range(index + 1, stop):
        word = words[at]
        if word in _END_MARKS:
            return False
        if word in _WELL or word == "again":
            return True
        if word == "once" and at + 1 < stop and words[at + 1] in ("more", "again"):
            return True
        if (
            word in ("as", "like", "the")
            and at + 1 < len(words)
            and (
                words[at + 1] in _AS_BEFORE
                or (at + 2 < len(words) and words[at + 2] in ("should", "did", "used", "always"))
            )
        ):
            return True
        if word == "without" and at + 1 < len(words) and sentence.tags[at + 1] & t.PROBLEM:
            return True
        if word in ("on", "in") and words[at + 1 : at + 2] in (["time"], ["order"], ["schedule"]):
            return True
    return index > 0 and words[index - 1] in (*_WELL, "again")


def _healthy(sentence: Sentence, index: int) -> Statement | None:
    words, tags = sentence.words, sentence.tags
    word = words[index]
    following = _following(sentence, index)
    previous = _previous(sentence, index)
    if previous >= 0 and (tags[previous] & (t.PREPOSITION | t.DETERMINER) and not tags[previous] & t.PRONOUN):
        return None
    statement = state(sentence, index)
    bare = statement.group.mood == "bare" or not statement.group.finite
    if word in ("normal", "ordinary", "usual"):
        if bare and not _restoring(sentence, index):
            return None
        return statement
    if bare and following and following not in (*_END_MARKS, "again", "now", "and", "once", "since", "as"):
        return None
    return statement


def _restoring(sentence: Sentence, index: int) -> bool:
    return sentence.words[index - 1 : index] == ["all"]


def _fine(sentence: Sentence, index: int) -> Statement | None:
    words, tags = sentence.words, sentence.tags
    word = words[index]
    if word in ("well", "fine", "good", "great", "clear") and _following(sentence, index) not in (
        "",
        *_END_MARKS,
        "again",
        "now",
        "and",
        "with",
        "once",
        "on",
        "here",
    ):
        return None
    if _following(sentence, index) in _NOT_PREDICATES:
        return None
    if word in ("up", "back", "on") and not _up(sentence, index):
        return None
    if word in ("working", "running") and _following(sentence, index) in (
        "on to with through hard closely around late towards together in against under slowly behind actively".split()
    ):
        return None
    statement = state(sentence, index, at_work=True)
    if not statement.group.finite or statement.group.start == index:
        return None
    span = _head(sentence, statement.group.start)
    if _has(sentence, span, t.REMOTE | t.PROBLEM | t.PARTIAL) or (span[0] == span[1] and word == "working"):
        return None
    if any(
        words[at].startswith(("remain", "continu", "still")) for at in range(statement.group.start, index)
    ):
        return None
    if words[index - 1] == "as" or (previous_in(sentence, index, t.AGENT) and word in ("working", "running")):
        return None
    return statement if tags[index] else None


def previous_in(sentence: Sentence, index: int, tag: int) -> bool:
    """Whether the subject right before the predicate is of a kind."""
    return any(sentence.tags[at] & tag for at in range(max(0, index - 4), index))


def _up(sentence: Sentence, index: int) -> bool:
    words, tags = sentence.words, sentence.tags
    following = _following(sentence, index)
    if index + 1 < len(words) and (
        tags[index + 1] & (t.NUMBER | t.PAST) or following in ("by", "to", "from", "with")
    ):
        return False
    return following in (
        "",
        *_END_MARKS,
        "again",
        "now",
        "and",
        "for",
        "online",
        "in",
        "already",
        "as",
        "after",
    )


def _done(sentence: Sentence, index: int) -> Statement | None:
    following = index + 1
    tags, words = sentence.tags, sentence.words
    if following < len(tags) and (
        tags[following] & (t.NUMBER | t.DETERMINER) or words[following] in ("to", "by")
    ):
        return None
    statement = state(sentence, index)
    if not statement.group.finite and not tags[index] & t.PAST:
        return None
    span = subject_words(sentence, statement.group.start)
    word = words[index]
    if _has(sentence, span, t.REPAIR):
        return statement
    if word in (
        "live",
        "effective",
        "complete",
        "finished",
        "successful",
        "deployed",
        "final",
        "conclusive",
        "total",
        "past",
    ):
        return None
    if _about_problem(sentence, statement, index) or (
        span[1] > span[0] and words[span[1] - 1] in ("it", "this", "everything", "all", "we")
    ):
        return statement
    return None


def _deploys(sentence: Sentence, index: int) -> Statement | None:
    statement = state(sentence, index)
    if sentence.tags[index] & t.GERUND:
        return None
    words = sentence.words
    if _has(sentence, subject_words(sentence, statement.group.start), t.REPAIR):
        return statement
    for at in range(index + 1, min(len(words), index + 6)):
        if words[at] in _END_MARKS or sentence.tags[at] & (t.PREPOSITION & 0):
            break
        if sentence.tags[at] & t.REPAIR:
            return statement
    return None


def _trouble_gone(sentence: Sentence, index: int) -> Statement | None:
    """Read a denied trouble: "no longer failing", "is not degraded", "no more errors"."""
    words, tags = sentence.words, sentence.tags
    tag = tags[index]
    if tag & t.PROBLEM or words[index - 1 : index] in (["no"], ["zero"]):
        return _no_trouble(sentence, index)
    longer = _no_longer(sentence, index)
    if words[index] == "affected" or words[index] == "impacted":
        if not longer:
            return None
    elif not longer and (tag & t.BASE and not tag & t.PAST and not tag & t.BAD):
        return None
    if words[index] in ("affect", "affects", "affecting", "impacting") and not longer:
        return None
    if not longer and not _plain_bad(words[index]):
        return None
    statement = state(sentence, index)
    if statement.reach.conditional or statement.reach.hedged:
        return None
    if (
        longer
        and not statement.reach.negated
        or (
            statement.force == "denied"
            and not statement.reach.disclaimed
            and statement.group.finite
            and statement.group.mood in ("stated", "bare", "under_way")
        )
    ):
        return statement._replace(force="promised" if statement.group.mood == "future" else "stated")
    return None


_GOOD_ENOUGH = frozenset(
    "available accepting possible able supported expect needed required need recommend valid use meet accepted working work "
    "reachable accessible offer online responding stable healthy operational sure safe secure using run running".split()
)


def _longer(sentence: Sentence, index: int) -> Statement | None:
    """Read "no longer", "not ... any more" before anything but a good thing."""
    words, tags = sentence.words, sentence.tags
    if words[index] == "longer" and words[index - 1 : index] == ["no"]:
        at = index + 1
        while at < len(words) and tags[at] & (t.ADVERB | t.BEEN | t.BEING):
            at += 1
        if at >= len(words) or words[at] in _GOOD_ENOUGH:
            return None
        statement = state(sentence, index)
        return statement if statement.reach.asserted else None
    if words[index] in ("longer", "more") and words[index - 1 : index] == ["any"]:
        for at in range(index - 2, max(-1, index - 12), -1):
            if words[at] in _END_MARKS or words[at] in _GOOD_ENOUGH or tags[at] & (t.MAY | t.CAN):
                return None
            if tags[at] & (t.NOT | t.NO):
                group = Group("stated", at, False, True, False)
                reached = reach(sentence, group)
                return Statement("stated", group, reached) if reached.asserted else None
    return None


_PLAINLY_BAD = frozenset(
    "degraded down unavailable broken blocked slow delayed stuck erroring crashing failing unstable impaired disrupted "
    "faulty sluggish intermittent unresponsive offline inaccessible unreachable interrupted hampered hindered struggling "
    "stalled rejected declined abnormal elevated unhealthy".split()
)


def _plain_bad(word: str) -> bool:
    return word in _PLAINLY_BAD


def _no_longer(sentence: Sentence, index: int) -> bool:
    words = sentence.words
    for at in range(max(0, index - 6), index):
        if words[at] == "longer" and at and words[at - 1] == "no":
            return True
    for at in range(index + 1, min(len(words) - 1, index + 5)):
        if words[at] == "any" and words[at + 1] in ("more", "longer"):
            return True
    return False


def _no_trouble(sentence: Sentence, index: int) -> Statement | None:
    words, tags = sentence.words, sentence.tags
    at = index - 1
    low = max(0, index - 4)
    while at >= low:
        word, tag = words[at], tags[at]
        if word in ("no", "zero", "without", "any", "not", "none", "nor", "neither"):
            break
        if (
            tag & (t.PREPOSITION | t.BE | t.HAVE | t.AND | t.BUT)
            or word in _END_MARKS
            or word in ("the", "our", "this")
        ):
            return None
        at -= 1
    else:
        return None
    if at < 0:
        return None
    if words[at] == "any":
        back = at - 1
        floor = max(0, at - 4)
        while back >= floor and not tags[back] & (t.NOT | t.NO):
            back -= 1
        if back < floor or words[back] not in ("not", "without", "never"):
            return None
        at = back
    elif words[at] in ("not", "neither", "nor", "none"):
        return None
    following = _following(sentence, index)
    if following in (
        "id",
        "number",
        "code",
        "message",
        "messages",
        "report",
        "reports",
        "page",
        "update",
        "updates",
    ):
        return None
    if words[at] == "without" and words[index] in ("delay", "delays", "event"):
        return None
    if words[index] in ("event", "matter", "situation", "ticket", "symptom", "spike"):
        return None
    group = verb_group(sentence, at)
    statement = Statement("stated", group, reach(sentence, group))
    if not statement.reach.asserted or group.mood in ("possible", "aim"):
        return None
    if _negation_of_knowing(sentence, at):
        return None
    return statement._replace(force="promised" if statement.group.mood == "future" else "stated")


def _negation_of_knowing(sentence: Sentence, at: int) -> bool:
    words = sentence.words
    return any(words[k] in ("whether", "if", "until") for k in range(max(0, at - 8), at))


def _remedies(sentence: Sentence, index: int) -> Statement | None:
    """Read that a remedy has been carried out ("the index has been rebuilt", "the restart succeeded")."""
    tag, words, tags = sentence.tags[index], sentence.words, sentence.tags
    if tag & t.PAST and not tag & t.BASE:
        if index and tags[index - 1] & t.DETERMINER and not tags[index - 1] & t.PRONOUN:
            return None
        return state(sentence, index)
    for at in range(index + 1, min(len(words), index + 6)):
        if words[at] in _END_MARKS:
            return None
        if tags[at] & (t.DEPLOYS | t.DONE) and tags[at] & (t.PAST | t.DONE) and not tags[at] & t.GERUND:
            return state(sentence, at)
    if index and any(
        tags[at] & t.DEPLOYS and tags[at] & t.PAST and words[at] in _BROUGHT_ABOUT
        for at in range(max(0, index - 3), index)
    ):
        return state(
            sentence, next(at for at in range(max(0, index - 3), index) if words[at] in _BROUGHT_ABOUT)
        )
    return None


_BROUGHT_ABOUT = frozenset("completed finished concluded executed made performed".split())


def _achieves(sentence: Sentence, index: int) -> Statement | None:
    """Read that all of something has been brought to its end, or will be ("all events have been delivered")."""
    words, tags = sentence.words, sentence.tags
    statement = state(sentence, index)
    if not tags[index] & t.PAST and statement.group.mood != "future":
        return _succeeds(sentence, index)
    if statement.group.mood == "bare" or tags[index] & t.GERUND:
        return None
    span = _head(sentence, statement.group.start)
    whole = _has(sentence, span, t.UNIVERSAL) or _has(
        sentence, (index + 1, min(len(words), index + 4)), t.UNIVERSAL
    )
    if not whole:
        whole = any(words[at] in ("all", "each", "both") for at in range(statement.group.start, index))
    if not whole or _has(sentence, span, t.REMOTE | t.NO) and not _has(sentence, span, t.PRONOUN):
        return None
    return statement


def _succeeds(sentence: Sentence, index: int) -> Statement | None:
    """Read that something succeeds, without a word for part of it."""
    words = sentence.words
    going = words[index] in ("go", "goes", "going") and words[index + 1 : index + 2] == ["through"]
    if not (words[index].startswith("succeed") or going):
        return None
    statement = state(sentence, index, at_work=True)
    span = subject_words(sentence, statement.group.start)
    if span[0] == span[1] or _has(sentence, span, t.PARTIAL | t.NUMBER | t.AGENT | t.PROBLEM | t.BAD):
        return None
    mood = statement.group.mood
    if (
        mood == "aim"
        and statement.reach.asserted
        and words[statement.group.start - 1 : statement.group.start] != ["to"]
    ):
        return statement._replace(force="stated")
    return statement if mood == "stated" else None


_READERS = (
    (t.REMEDIES, _remedies),
    (t.ACHIEVES, _achieves),
    (t.ENDS, _ends),
    (t.DEPLOYS, _deploys),
    (t.DONE, _done),
    (t.HEALTHY, _healthy),
    (t.FINE, _fine),
    (t.RUNS, _runs),
    (t.BAD | t.PROBLEM, _trouble_gone),
)


def _ends_problem(sentence: Sentence, index: int) -> Statement | None:
    statement = _ends(sentence, index)
    if statement is None or not _about_problem(sentence, statement, index):
        return None
    if _following(sentence, index).endswith("ing"):
        return None
    return statement


def _resumes(sentence: Sentence, index: int) -> Statement | None:
    statement = state(sentence, index)
    span = _head(sentence, statement.group.start)
    if _has(sentence, span, t.AGENT | t.PROBLEM) and not _has(sentence, span, t.PRONOUN):
        return None
    return statement


def _marks_return(sentence: Sentence, index: int) -> bool:
    """Whether the words at ``index`` say that things are as they were: "again", "as usual", "without delay"."""
    words, tags = sentence.words, sentence.tags
    word = words[index]
    after = words[index + 1 : index + 3]
    if word == "again":
        return True
    if word == "more":
        return words[index - 1 : index] == ["once"]
    if word == "now":
        return "can" in words[max(0, index - 2) : index + 2] or after[:1] == ["able"]
    if word in ("as", "like"):
        return bool(after) and (after[0] in _AS_BEFORE or after[0] in _LIKENESSES or after[1:] in _SHOULD)
    if word == "without":
        return bool(after) and any(
            tags[at] & t.PROBLEM or words[at] in _HITCHES
            for at in range(index + 1, min(index + 4, len(words)))
        )
    if word == "on":
        return after[:1] in (["time"], ["schedule"])
    if word in _NICELY:
        at = index + 1
        return words[index - 1] not in ("than", "as", "you") and (
            at >= len(words)
            or words[at] in _END_MARKS
            or bool(tags[at] & (t.AND | t.PREPOSITION | t.CONDITION))
            or words[at] == "again"
        )
    return word == "just" and after[:1] == ["fine"]


_LIKENESSES = frozenset("clockwork new".split())
_SHOULD = (["should"], ["did"], ["always"], ["used"], ["charm"], ["dream"])
_HITCHES = frozenset("hitch hitches hiccup hiccups snag snags fail interruption loss".split())
_NICELY = frozenset(
    "normally properly correctly smoothly reliably perfectly flawlessly cleanly successfully seamlessly faultlessly".split()
)
_MARKERS = frozenset(("again", "more", "now", "as", "like", "without", "on", "just", *_NICELY))


def _resumed_marker(sentence: Sentence, index: int) -> Statement | None:
    """Read a marker of return beside any verb of customers or services ("can log in again")."""
    words, tags = sentence.words, sentence.tags
    at = index - 1
    low = max(0, index - 12)
    verb = -1
    while at >= low:
        word, tag = words[at], tags[at]
        if word == "once" and at + 1 < len(words) and words[at + 1] in ("again", "more"):
            at -= 1
            continue
        if word in _END_MARKS or tag & t.BUT:
            break
        if tag & (t.CONDITION | t.HARD_CONDITION | t.MAY) or (word == "to" and words[at - 1] != "able"):
            return None
        if tag & (t.HINDERS | t.RECURS | t.NOT | t.NO | t.PROBLEM) or (
            tag & t.COMMUNICATES and tag & t.ANY_FORM
        ):
            return None
        if tag & (t.BE | t.CAN | t.WILL | t.HAVE) or word == "'s":
            verb = at
            break
        at -= 1
    if verb < 0:
        return _plainly_marked(sentence, at + 1, index)
    if _has(sentence, subject_words(sentence, verb), t.AGENT) and "you" not in words[:verb]:
        return None
    return (
        state(sentence, min(index, verb + 1), at_work=True)
        if tags[verb] & (t.BE | t.HAVE | t.WILL)
        else _able(sentence, verb)
    )


def _plainly_marked(sentence: Sentence, start: int, index: int) -> Statement | None:
    """Read a clause without auxiliary ("dashboards show fresh data again")."""
    words, tags = sentence.words, sentence.tags
    while start < index and tags[start] & t.ADVERB and not tags[start] & t.DETERMINER:
        start += 1
    if (
        index - start < _SHORTEST_CLAUSE
        or words[start] in _NO_SUBJECTS
        or _has(sentence, (start, start + 2), t.AGENT | t.PARTIAL)
    ):
        return None
    group = Group("stated", index, False, False, False)
    reached = reach(sentence, group)
    return Statement("stated" if reached.asserted else "open", group._replace(start=start), reached)


_SHORTEST_CLAUSE = 2
_NO_SUBJECTS = frozenset(
    "please try retry once and or then with for in at by sorry thank thanks if log sign".split()
)


def _able(sentence: Sentence, verb: int) -> Statement | None:
    statement = state(sentence, verb + 1)
    if statement.reach.asserted and statement.group.mood == "possible":
        return statement._replace(force="stated")
    return None


def find_resolution(sentence: Sentence) -> Iterator[Claim]:
    """Find the claims of a sentence that the trouble is over, or surely will be.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the families ``resolution`` and ``guarantee``.
    """
    words, tags = sentence.words, sentence.tags
    for index, tag in enumerate(tags):
        if words[index] in _MARKERS and _marks_return(sentence, index):
            statement = _resumed_marker(sentence, index)
            claim = claim_of(sentence, statement, index, index)
            if claim:
                yield claim
        if words[index] in ("longer", "more"):
            claim = claim_of(sentence, _longer(sentence, index), index, index)
            if claim:
                yield claim
        if not tag & (_ANCHORS | t.ENDS_PROBLEM | t.RESUMES):
            continue
        claim = _read_anchor(sentence, index, tag)
        if claim:
            yield claim


def _read_anchor(sentence: Sentence, index: int, tag: int) -> Claim | None:
    readers = (*_READERS, (t.ENDS_PROBLEM, _ends_problem), (t.RESUMES, _resumes))
    for wanted, reader in readers:
        if tag & wanted:
            claim = claim_of(sentence, reader(sentence, index), index, index)
            if claim:
                return (
                    claim._replace(key=frozenset((stem(sentence.words[index]),)))
                    if reader is _remedies
                    else claim
                )
    return None


def claim_of(sentence: Sentence, statement: Statement | None, start: int, end: int) -> Claim | None:
    """Return the claim that a statement of good state makes, or None when it is taken back."""
    if statement is None or statement.force in ("denied", "open"):
        return None
    begin = min(start, statement.group.start)
    tokens = sentence.tokens
    first, last = tokens[sentence.at[begin]], tokens[sentence.at[min(end, len(sentence.at) - 1)]]
    if statement.force == "promised":
        return Claim("guarantee", first.start, last.end, "it will surely be over")
    return Claim("resolution", first.start, last.end, "the incident or a part of it is over")
