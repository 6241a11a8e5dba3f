"""What reaches a statement from the left of its clause: negation, condition, hedge, checking, quantifier.

The reading follows NegEx: triggers open a scope to the right, terminators (marks, conjunctions, the verb of
another clause) close it. Here it is walked from the statement to the left.
"""

from __future__ import annotations

from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.verbgroup import Group

_STOPS = frozenset(";:.[]–—(…")
_NOT_ONLY = frozenset("only just merely simply solely doubt question least".split())
_QUANTIFIED = frozenset("all every everyone everything everybody any many much each yet always".split())
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY
_MAX_WALK = 28
_DENYING = frozenset("deny denies denied doubt doubts unable impossible premature".split())
_PAIRS = frozenset(
    (("as", "expected"), ("than", "expected"), ("as", "hoped"), ("as", "planned"), ("as", "usual"))
)


class Reach(NamedTuple):
    """What reaches a statement.

    Attributes:
        negated: a negation denies it.
        conditional: it is said under a condition, as a thing to come, or as something to be checked.
        hedged: it is said as expected, estimated, hoped for.
        disclaimed: the negation stands in a clause above ("we cannot say that ...").
    """

    negated: bool
    conditional: bool
    hedged: bool
    disclaimed: bool = False

    @property
    def asserted(self) -> bool:
        """Whether nothing takes the statement back."""
        return not (self.negated or self.conditional or self.hedged)


class _Walk:
    """One walk from a statement to the left end of its clause."""

    __slots__ = (
        "complement",
        "conditional",
        "crossed",
        "disclaimed",
        "group",
        "hedged",
        "joined",
        "negated",
        "sentence",
    )

    def __init__(self, sentence: Sentence, group: Group) -> None:
        self.sentence = sentence
        self.group = group
        self.crossed = 0
        self.complement = False
        self.joined = False
        self.negated = False
        self.disclaimed = False
        self.conditional = False
        self.hedged = False

    def negation(self, at: int, tag: int) -> None:
        words = self.sentence.words
        following = words[at + 1] if at + 1 < len(words) else ""
        if following in _NOT_ONLY or self.joined:
            return
        if (words[at] == "no" and following == "longer") or (words[at] == "without" and self.group.finite):
            return
        if self.complement:
            self.negated = self.disclaimed = True
        elif tag & t.NO or following in _QUANTIFIED:
            self.negated = self.negated or self.crossed == 0
        elif not self.group.finite and self.crossed == 0:
            self.negated = True

    def condition(self, at: int, tag: int) -> None:
        words = self.sentence.words
        if words[at] == "once" and at + 1 < len(words) and words[at + 1] in ("again", "more"):
            return
        if words[at] in ("whether", "if", "unless", "until", "till", "lest") or not self.group.past:
            if words[at] in ("after", "before", "while") and not self._opens_clause(at):
                return
            if words[at] == "while" and not self.group.past:
                return
            self.conditional = True

    def _opens_clause(self, at: int) -> bool:
        """Whether the verb after the subordinator is the statement's own."""
        return self.crossed == 0

    def hedge(self, at: int, tag: int) -> None:
        words, tags = self.sentence.words, self.sentence.tags
        previous = words[at - 1] if at else ""
        if (previous, words[at]) in _PAIRS or self.joined:
            return
        if tag & (t.PAST | t.GERUND) and at and tags[at - 1] & t.DETERMINER and not tags[at - 1] & t.PRONOUN:
            return
        if (
            words[at].startswith("estimate")
            and tags[at - 1] & t.DETERMINER
            and words[at - 2 : at - 1] == ["of"]
        ):
            return
        if tag & t.ADVERB and self.crossed:
            return
        self.hedged = True

    def opener(self, at: int, tag: int) -> None:
        """Read a verb of checking or telling that is itself still to come ("we will confirm that ...")."""
        if self.joined or not (self.complement or not self.group.finite or self.crossed == 0):
            return
        words, tags = self.sentence.words, self.sentence.tags
        if tag & t.GERUND and not tag & t.PAST:
            self.conditional = True
            return
        if not tag & t.BASE:
            return
        before = at - 1
        while before >= 0 and tags[before] & t.ADVERB:
            before -= 1
        if before < 0:
            return
        if tags[before] & t.WILL:
            self.conditional = True
        elif words[before] == "to":
            governor = before - 1
            while governor >= 0 and tags[governor] & t.ADVERB:
                governor -= 1
            self.conditional = governor < 0 or not tags[governor] & t.GLAD or self.conditional


def reach(sentence: Sentence, group: Group) -> Reach:
    """Read what reaches a statement from the left.

    Args:
        sentence: the sentence.
        group: the verb group of the statement.

    Returns:
        Whether it is negated, conditional or hedged.
    """
    words, tags = sentence.words, sentence.tags
    walk = _Walk(sentence, group)
    subject = False
    at = group.start - 1
    low = max(0, at - _MAX_WALK)
    while at >= low:
        word, tag = words[at], tags[at]
        if word == ")":
            at = _open_bracket(words, at, low)
            continue
        if word in _STOPS:
            break
        if word == ",":
            if (subject and group.finite and not _aside(sentence, at)) or tags[at + 1] & (
                t.AGENT | t.PRONOUN
            ):
                break
        elif tag & t.BUT:
            break
        elif tag & t.AND and word != "/":
            walk.joined = walk.joined or group.finite
        if tag & t.NOT or tag & t.NO:
            walk.negation(at, tag)
        elif word in ("soon", "early", "much") and words[at - 1 : at] == ["too"] and not walk.joined:
            walk.negated = True
        if tag & (t.CONDITION | t.HARD_CONDITION) or (
            word in ("soon", "long") and words[at - 1 : at] == ["as"]
        ):
            walk.condition(at, tag)
        if tag & t.HEDGE:
            walk.hedge(at, tag)
        if tag & t.OPENER:
            walk.opener(at, tag)
        if tag & t.COMPLEMENT and not (word == "that" and _relative(sentence, at)):
            walk.complement = True
        if tag & _FINITE and word not in ("having",):
            if (
                tag & t.MAY
                and words[at] in ("should", "may", "might", "could", "would", "'d")
                and (walk.complement is False and walk.crossed == 0 and not group.finite)
            ):
                walk.hedged = True
            walk.crossed += 1
        elif word not in (",",) and not tag & t.ADVERB:
            subject = True
        at -= 1
    return Reach(
        walk.negated or group.negated, walk.conditional or sentence.question, walk.hedged, walk.disclaimed
    )


def _open_bracket(words: list[str], at: int, low: int) -> int:
    """Return the index before the bracket that closes at ``at``."""
    scan = at - 1
    while scan >= low and words[scan] != "(":
        if words[scan] in ("not", "yet"):
            return at - 1
        scan -= 1
    return scan - 1


_TAKES_THAT = t.COMPLEMENT | t.OPENER | t.HEDGE | t.GLAD | t.EVIDENCE | t.NOT | t.BE
_BEFORE_THAT = frozenset(
    "sure clear certain true possible case fact confident you us so early soon them".split()
)


def _relative(sentence: Sentence, at: int) -> bool:
    """Whether "that" at ``at`` follows a plain noun and opens a clause about it."""
    return at > 0 and not sentence.tags[at - 1] & _TAKES_THAT and sentence.words[at - 1] not in _BEFORE_THAT


def _aside(sentence: Sentence, at: int) -> bool:
    """Whether the comma at ``at`` ends a short aside without a verb (", as hoped,")."""
    words, tags = sentence.words, sentence.tags
    scan = at - 1
    while scan >= 0 and at - scan <= 5:
        if words[scan] == ",":
            return True
        if tags[scan] & (_FINITE | t.CONDITION | t.HARD_CONDITION):
            return False
        scan -= 1
    return False


def subject_words(sentence: Sentence, start: int) -> tuple[int, int]:
    """Return the span of the words that stand as subject before a verb group.

    Args:
        sentence: the sentence.
        start: where the verb group begins.

    Returns:
        Start and end (exclusive) in the sentence; at most twelve words.
    """
    words, tags = sentence.words, sentence.tags
    if start and tags[start - 1] & t.AND:
        return _shared_subject(sentence, start - 1)
    at = start
    while at > 0 and start - at < 12:
        word, tag = words[at - 1], tags[at - 1]
        if word in _STOPS or word == "," or tag & (t.BUT | t.CONDITION | t.HARD_CONDITION):
            break
        if tag & _FINITE or (word == "that" and start - at > 0):
            break
        at -= 1
    return at, start


def _shared_subject(sentence: Sentence, joint: int) -> tuple[int, int]:
    """Return the subject of the clause that a second verb group is joined to."""
    words, tags = sentence.words, sentence.tags
    at = joint - 1
    while at >= 0 and words[at] not in _STOPS:
        if tags[at] & _FINITE:
            while at > 0 and tags[at - 1] & (_FINITE | t.ADVERB):
                at -= 1
            return subject_words(sentence, at)
        at -= 1
    return joint, joint
