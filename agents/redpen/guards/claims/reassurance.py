"""Claims that nothing was harmed and nothing needs fearing; and that it will never happen again."""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach, subject_words
from redpen.guards.claims.statements import state
from redpen.guards.claims.verbgroup import Group, verb_group

_MARKS = frozenset(",;:–—…()[]")
_KNOWING = frozenset(
    "know known say said confirm confirmed determine determined establish established certain sure clear rule ruled "
    "exclude excluded decide decided verify verified tell told conclude concluded guarantee promise assure".split()
)
_NOT_ALL = frozenset("all every everyone everything everybody only just merely simply yet".split())
_NEGATORS = frozenset("no none nothing neither nobody nor zero without not never free".split())
_MAX_WALK = 16


def _negator(sentence: Sentence, index: int) -> int:
    """Return the negation that governs the harm at ``index``, or -1; denied knowledge is none."""
    words, tags = sentence.words, sentence.tags
    crossed = 0
    at = index - 1
    while at >= max(0, index - _MAX_WALK):
        word, tag = words[at], tags[at]
        if word in _MARKS and word != "," or tag & (t.BUT | t.CONDITION | t.HARD_CONDITION):
            return -1
        if word == "," and crossed:
            return -1
        if word in _KNOWING or (word in ("whether", "if")):
            return -1
        if word in _NEGATORS:
            if words[at + 1] in _NOT_ALL or (word == "no" and words[at + 1] in ("longer", "doubt")):
                return -1
            return at
        if tag & (t.BE | t.HAVE | t.DO | t.WILL):
            crossed += 1
        at -= 1
    return -1


_AT_NO = frozenset("time point way means circumstances stage moment".split())


def denied_harm(sentence: Sentence, index: int) -> bool:
    """Whether a negation reaches what would be a harm at ``index``, and states that it did not come about."""
    at = _negator(sentence, index)
    if at < 0:
        return False
    group = verb_group(sentence, index)
    reached = reach(sentence, Group(group.mood, min(at, group.start), False, True, group.past))
    return not (
        reached.conditional
        or reached.hedged
        or group.mood == "possible"
        or _checking(sentence, min(at, group.start))
    )


def _no_harm(sentence: Sentence, index: int) -> bool:
    words, tags = sentence.words, sentence.tags
    tag = tags[index]
    if words[index] in ("cause", "reason"):
        return False
    at = _negator(sentence, index)
    if at < 0:
        return False
    span = range(at + 1, index)
    if any(tags[k] & t.AND and words[k] != "or" and tags[k + 1] & t.PRONOUN for k in span):
        return False
    evidence = any(tags[k] & t.EVIDENCE for k in span)
    if words[at] == "no" and words[at + 1] in _AT_NO:
        return denied_harm(sentence, index)
    noun = not tag & t.ANY_FORM or (tag & t.BASE and not tag & t.PAST)
    if not evidence and noun and words[at] in ("no", "zero", "without", "free"):
        between = [words[k] for k in span]
        if any(tags[k] & (t.PREPOSITION | t.BE) and words[k] != "of" for k in span):
            return False
        if len(between) > 4:
            return False
    elif not evidence and noun and words[at] in ("not", "never") and not _poses(sentence, span):
        return False
    group = verb_group(sentence, index if not evidence else at)
    start = min(at, group.start)
    reached = reach(sentence, Group(group.mood, start, False, True, group.past))
    if reached.conditional or reached.hedged or group.mood == "possible":
        return False
    return not _checking(sentence, start)


_POSING = frozenset(
    "pose poses posed result resulted lead led involve involved cause caused present presented have had see seen saw find "
    "found suffer suffered create created represent experience experienced detect detected notice noticed".split()
)


def _poses(sentence: Sentence, span: range) -> bool:
    """Whether between "not" and a harm stand only determiners and verbs of bringing it about."""
    words, tags = sentence.words, sentence.tags
    return all(
        words[at] in _POSING
        or tags[at] & (t.DETERMINER | t.ADVERB | t.SENSITIVE | t.EVIDENCE | t.BEEN)
        or words[at] in ("in", "to", "of")
        for at in span
    )


def _checking(sentence: Sentence, start: int) -> bool:
    """Whether what follows ``start`` is still being checked, or is an aim ("to make sure that no ...")."""
    words = sentence.words
    for at in range(max(0, start - 6), start):
        if words[at] in (
            "ensure",
            "ensuring",
            "sure",
            "so",
            "checking",
            "verifying",
            "confirming",
            "investigating",
        ):
            return True
    return False


def _is_safe(sentence: Sentence, index: int, guarded: bool) -> bool:
    statement = state(sentence, index)
    if statement.force in ("denied", "open"):
        return False
    if not statement.group.finite and statement.group.start == index and not _kept(sentence, index):
        return False
    if guarded:
        span = subject_words(sentence, statement.group.start)
        return any(sentence.tags[at] & t.SENSITIVE for at in range(*span))
    return True


def _kept(sentence: Sentence, index: int) -> bool:
    words = sentence.words
    return any(
        words[at] in ("kept", "keeps", "remain", "remains", "stay", "stays")
        for at in range(max(0, index - 5), index)
    )


def _never_again(sentence: Sentence, index: int) -> bool:
    """Whether the verb at ``index`` says that it will not come again."""
    words = sentence.words
    group = verb_group(sentence, index)
    returns = sentence.tags[index] & t.RECURS or (
        words[index]
        in (
            "happen",
            "occur",
            "return",
            "happening",
            "occurring",
            "repeated",
            "arise",
            "strike",
            "see",
            "experience",
            "fail",
            "break",
            "go",
            "come",
        )
        and any(word == "again" or word == "back" for word in words[index + 1 : index + 8])
    )
    if not returns:
        return False
    negated = group.negated or any(
        word in ("no", "nothing", "never", "not", "prevent", "prevents", "impossible")
        for word in words[max(0, group.start - 6) : index]
    )
    if not negated or _checking(sentence, group.start):
        return False
    reached = reach(sentence, Group("stated", group.start, False, True, False))
    possible = group.mood == "possible" and "can" not in words[group.start : index]
    return not (reached.conditional or reached.hedged or reached.negated or possible)


_NEVER_VERBS = frozenset(
    "go come see experience happen occur return happening occurring repeated arise strike fail break".split()
)


def _spared(sentence: Sentence, index: int) -> bool:
    """Whether the participle at ``index`` says what will not be done to the reader ("will not be lost")."""
    group = verb_group(sentence, index)
    return group.mood == "future" and group.negated


def find_reassurance(sentence: Sentence) -> Iterator[Claim]:
    """Find the claims of a sentence that all is safe, or that it will not happen again.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the families ``reassurance`` and ``guarantee``.
    """
    for index, tag in enumerate(sentence.tags):
        word = sentence.words[index]
        if tag & t.HARM and _no_harm(sentence, index):
            family = "guarantee" if _spared(sentence, index) else "reassurance"
            yield _claim(sentence, index, family, "nothing was harmed")
        elif tag & (t.SAFE | t.GUARDED) and _is_safe(sentence, index, not tag & t.SAFE):
            yield _claim(sentence, index, "reassurance", "something is safe")
        if (tag & t.RECURS or word in _NEVER_VERBS) and _never_again(sentence, index):
            yield _claim(sentence, index, "guarantee", "it will not happen again")


def _claim(sentence: Sentence, index: int, family: str, says: str) -> Claim:
    group = verb_group(sentence, index)
    at = _negator(sentence, index)
    begin = min(group.start, at) if at >= 0 else group.start
    tokens = sentence.tokens
    start, end = tokens[sentence.at[begin]].start, tokens[sentence.at[index]].end
    if family == "guarantee":
        return Claim("guarantee", start, end, says)
    return Claim("reassurance", start, end, says)
