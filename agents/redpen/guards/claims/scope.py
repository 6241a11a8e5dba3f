"""What reaches a statement from the left of its clause: negation, condition, hedge, checking.

The reading follows NegEx: triggers open a scope to the right, terminators (marks, conjunctions, the verb of
another clause) close it. Here it is walked from the statement to the left.
"""

from __future__ import annotations

from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.fronted import READER, STOPS, disclaims, is_supposed, opens_clause
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.verbgroup import Group, ends_fronted

_NOT_ONLY = frozenset("only just merely simply solely doubt question least".split())
_QUANTIFIED = frozenset("all every everyone everything everybody any many much each yet always".split())
_ALWAYS_OPEN = frozenset("whether if unless until till lest".split())
_MODALS = frozenset("should may might could would 'd".split())
_AS_PLANNED = frozenset(("as", "than"))
_SHOWS = frozenset("see find notice discover spot".split())
"""What readers will do because it is so already ("you will find that it has been mended")."""
_FINITE = t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY
_ENDS_SUBJECT = t.BUT | t.CONDITION | t.HARD_CONDITION
_TAKES_THAT = t.COMPLEMENT | t.OPENER | t.HEDGE | t.GLAD | t.EVIDENCE | t.NOT | t.BE
_BEFORE_THAT = frozenset(
    "sure clear certain true possible case fact confident you us so early soon them neither nor".split()
)
_REASONS = frozenset(("as", "since", "because", "for"))
"""What after a comma tells why, in a clause of its own."""
_OPENS_ASIDE = frozenset("and though if or not no which albeit".split())
_AT_BEST = frozenset(("best", "worst", "earliest"))
_SHUNS = frozenset("avoid avoiding refrain refraining".split())
_TWO = 2
_MAX_WALK = 28
_MAX_SUBJECT = 12
_MAX_ASIDE = 5
_GIVES_REASON = frozenset(("since", "because"))
_WHO = frozenset(("who", "whose"))
_NOUN_BEFORE = t.BE | t.HAVE | t.DO | t.TO | t.COMPLEMENT | t.OPENER | t.PREPOSITION
"""What does not stand right before a clause about somebody."""


class Reach(NamedTuple):
    """What reaches a statement.

    Attributes:
        negated: a negation denies it.
        conditional: it is said under a condition, as a thing to come, or as something to be checked.
        hedged: it is said as expected, estimated, hoped for.
        disclaimed: the negation stands in a clause above ("we cannot say that ...").
        checked: it is conditional only as something to be checked or told.
        supposed: it is conditional only under a clause that stands before its own ("if it is late, ...").
    """

    negated: bool
    conditional: bool
    hedged: bool
    disclaimed: bool = False
    checked: bool = False
    supposed: bool = False

    @property
    def asserted(self) -> bool:
        """Whether nothing takes the statement back."""
        return not (self.negated or self.conditional or self.hedged)


_POSSIBLE = frozenset("possible probable conceivable plausible likely unlikely thinkable".split())


class _Walk:
    """One walk from a statement to the left end of its clause."""

    __slots__ = (
        "checked",
        "complement",
        "conditional",
        "crossed",
        "disclaimed",
        "group",
        "hedged",
        "joined",
        "negated",
        "subject",
        "tags",
        "words",
    )

    def __init__(self, sentence: Sentence, group: Group) -> None:
        self.words = sentence.words
        self.tags = sentence.tags
        self.group = group
        self.crossed = 0
        self.complement = self.joined = self.subject = False
        self.negated = self.conditional = self.hedged = self.disclaimed = self.checked = False

    def stops(self, at: int) -> bool:
        """Whether the clause begins after the word at ``at``."""
        word = self.words[at]
        if word == ",":
            if self.complement and self._aside_before_that(at):
                return False
            new_clause = self.subject and self.group.finite and not self._ends_aside(at)
            new_clause = new_clause or ends_fronted(self.words, at, inside=self.subject)
            if self.words[at + 1 : at + 3] in (["and", "what"], ["and", "whatever"]):
                return True
            reason = self.words[at + 1] in _REASONS and at + 2 < len(self.tags)
            return new_clause or bool(self.tags[at + 1 + reason] & (t.AGENT | t.PRONOUN))
        return word in STOPS or bool(self.tags[at] & t.BUT)

    def _aside_before_that(self, at: int) -> bool:
        """Whether the comma at ``at`` sets off an aside between a verb and its "that"."""
        low = max(0, at - _MAX_ASIDE)
        if self.words[at + 1] == "that":
            return "," in self.words[low:at]
        return bool(self.tags[at - 1] & t.COMPLEMENT) and [",", "that"] in [
            self.words[k : k + 2] for k in range(at + 1, at + _MAX_ASIDE)
        ]

    def _ends_aside(self, at: int) -> bool:
        """Whether the comma at ``at`` ends a short aside without a verb (", as hoped,")."""
        opening = next(
            (k for k in range(at - 1, max(-1, at - _MAX_ASIDE - 4), -1) if self.words[k] == ","), -1
        )
        if opening > 0 and self.words[opening + 1] in _OPENS_ASIDE:
            return True
        for scan in range(at - 1, max(-1, at - _MAX_ASIDE - 1), -1):
            if self.words[scan] == ",":
                return True
            if self.tags[scan] & (_FINITE | t.CONDITION | t.HARD_CONDITION):
                return False
        return False

    def negation(self, at: int) -> None:
        """Read a word of denial."""
        word = self.words[at]
        following = self.words[at + 1] if at + 1 < len(self.words) else ""
        beside = following in _NOT_ONLY or (word == "no" and following == "longer")
        if beside or self.joined or (word == "without" and self.group.finite):
            return
        if self.complement:
            self.negated = self.disclaimed = True
        elif self.tags[at] & t.NO or following in _QUANTIFIED or not self.group.finite:
            turned = word == "nor" and self.tags[at + 1] & _FINITE
            self.negated = self.negated or self.crossed == 0 or bool(turned)

    def condition(self, at: int) -> None:
        """Read a subordinator; what was said to be so in the past under it was so."""
        word = self.words[at]
        if word in _ALWAYS_OPEN:
            self.conditional = True
        elif word != "while" and not self.group.past:
            again = word == "once" and self.words[at + 1 : at + 2] in (["again"], ["more"])
            if self.complement and self._is_seen(at):
                return
            own = word not in ("after", "before") or (self.crossed == 0 and self._has_verb(at))
            self.conditional = self.conditional or (own and not again)

    def _is_seen(self, at: int) -> bool:
        """Whether a time stands before what readers will see ("when you come you will see that ...")."""
        between = range(at + 2, self.group.start - 1)
        return any(self.words[k] in READER and self.tags[k + 1] & (t.WILL | t.CAN) for k in between)

    def _has_verb(self, at: int) -> bool:
        """Whether a clause, and no mere time, follows the subordinator at ``at``."""
        between = self.tags[at + 1 : self.group.start]
        nouns = sum(bool(tag & t.DETERMINER) for tag in between)
        return nouns < _TWO or any(tag & (_FINITE | t.PAST | t.GERUND) for tag in between)

    def hedge(self, at: int) -> None:
        """Read a word of expecting."""
        tag, before = self.tags[at], self.tags[at - 1] if at else 0
        attributive = tag & (t.PAST | t.GERUND) and before & t.DETERMINER and not before & t.PRONOUN
        of_it = before & t.DETERMINER and self.words[at - 2 : at - 1] == ["of"] and at > 1
        distant = tag & t.ADVERB and self.crossed
        planned = at and self.words[at - 1] in _AS_PLANNED
        noun = tag & t.THIRD and before & t.PREPOSITION and self.words[at - 1] != "to"
        if not (attributive or of_it or distant or planned or noun or self.joined):
            self.hedged = True

    def opener(self, at: int) -> None:
        """Read a verb of checking or telling that is itself still to come ("we will confirm that ...")."""
        tag = self.tags[at]
        named = at + 1 < len(self.tags) and self.tags[at + 1] & _FINITE and tag & t.GERUND
        if named or self.joined or (self.group.finite and self.crossed and not self.complement):
            return
        if tag & t.GERUND and not tag & t.PAST:
            self.checked = True
        elif tag & t.BASE:
            before = self._before(at)
            if before >= 0 and self.words[before] == "to":
                governor = self._before(before)
                self.checked = self.checked or governor < 0 or not self.tags[governor] & t.GLAD
            elif before >= 0 and self.tags[before] & t.WILL:
                shown = self.words[at] in _SHOWS and self.words[max(0, before - 1)] in READER
                self.checked = self.checked or not shown

    def _before(self, at: int) -> int:
        """Return the place before ``at`` that holds no adverb, or -1."""
        at -= 1
        while at >= 0 and self.tags[at] & t.ADVERB:
            at -= 1
        return at

    def verb(self, at: int) -> None:
        """Read an auxiliary: from here on the words belong to a clause above."""
        if self.words[at] in _MODALS and not (self.complement or self.crossed or self.group.finite):
            self.hedged = True
        self.crossed += 1

    def read(self, at: int) -> None:
        """Read the word at ``at``."""
        word, tag = self.words[at], self.tags[at]
        after_as = self.words[at - 1 : at] == ["as"]
        if tag & (t.NOT | t.NO):
            self.negation(at)
        elif word in _SHUNS and self.complement:
            self.negated = self.disclaimed = True
        elif word in ("soon", "early", "much") and self.words[at - 1 : at] == ["too"]:
            self.negated = self.negated or not self.joined
        lasting = word in ("until", "till") and self.words[at + 1 : at + 2] == ["further"]
        if (tag & (t.CONDITION | t.HARD_CONDITION) and not lasting) or (
            after_as and word in ("soon", "long")
        ):
            self.condition(at)
        self.supposition(at)
        if tag & t.HEDGE:
            self.hedge(at)
        if tag & t.OPENER or (word in ("make", "making") and self.words[at + 1 : at + 2] == ["sure"]):
            self.opener(at)
        if tag & t.COMPLEMENT and (word != "that" or not self._relative(at)):
            self.complement = True
        if tag & _FINITE:
            self.verb(at)
        elif word != "," and not tag & t.ADVERB:
            self.subject = True

    def _may_be(self, at: int) -> bool:
        """Whether the words up to ``at`` say of what follows that it is possible ("it could be that ...")."""
        if self.words[at] == "be":
            return bool(self.tags[at - 1] & t.MAY)
        return self.words[at] in _POSSIBLE and not self.tags[at - 1] & (t.NOT | t.NO)

    def supposition(self, at: int) -> None:
        """Read what opens a clause of time or case, and "at best"."""
        if opens_clause(self.words, at):
            self.conditional = self.conditional or not self.group.past
        best = self.words[at] in _AT_BEST and self.words[at - 1 : at] in (["at"], ["the"])
        if best or (self.words[at] == "that" and self._may_be(at - 1)):
            self.hedged = True

    def _relative(self, at: int) -> bool:
        """Whether "that" at ``at`` follows a plain noun and opens a clause about it."""
        if at > 0 and self.words[at - 1] == "," and self._aside_before_that(at - 1):
            return False
        return at > 0 and not self.tags[at - 1] & _TAKES_THAT and self.words[at - 1] not in _BEFORE_THAT


def reach(sentence: Sentence, group: Group, begin: int = 0) -> Reach:
    """Read what reaches a statement from the left.

    Args:
        sentence: the sentence.
        group: the verb group of the statement.
        begin: index of the word at which its clause is known to begin.

    Returns:
        Whether it is negated, conditional or hedged.
    """
    words, tags = sentence.words, sentence.tags
    walk = _Walk(sentence, group)
    at = group.start - 1
    low = max(begin, at - _MAX_WALK)
    while at >= low:
        if words[at] == ")":
            at = _open_bracket(words, at, low)
            continue
        if group.finite and (aside := relative_before(sentence, at, low)) >= 0:
            walk.subject = True
            at = aside - 1
            continue
        if walk.stops(at):
            break
        if tags[at] & t.AND and words[at] != "/":
            walk.joined = walk.joined or group.finite
        walk.read(at)
        at -= 1
    own = walk.conditional or sentence.question
    labelled = at > 0 and words[at] == ":" and tags[at - 1] & t.HEDGE
    walk.hedged = walk.hedged or bool(labelled)
    supposed = at > 0 and words[at] == "," and is_supposed(sentence, at, group)
    conditional = own or supposed
    disclaimed = walk.disclaimed or (at > 0 and words[at] == ":" and disclaims(sentence, at))
    negated = walk.negated or group.negated or disclaimed
    return Reach(
        negated,
        conditional or walk.checked,
        walk.hedged,
        disclaimed,
        not conditional,
        supposed and not (own or walk.checked),
    )


def relative_before(sentence: Sentence, at: int, low: int) -> int:
    """Return where the clause about readers begins that ends at ``at`` and has a verb of its own, or -1.

    What it denies ("customers who *cannot* sign in will be paid") is not denied of the verb after it.

    Args:
        sentence: the sentence.
        at: index of the last word that may belong to it.
        low: index of the first word looked at.
    """
    words, tags = sentence.words, sentence.tags
    verb = False
    for k in range(at, max(0, low), -1):
        if words[k] in _WHO and verb:
            return k if tags[k - 1] & _NOUN_BEFORE == 0 and words[k - 1] not in STOPS else -1
        if words[k] in STOPS or words[k] == "," or tags[k] & t.BUT:
            return -1
        verb = verb or bool(tags[k] & (_FINITE | t.THIRD | t.PAST | t.NOT))
    return -1


def _open_bracket(words: list[str], at: int, low: int) -> int:
    """Return the index before the bracket that closes at ``at``; brackets around a denial are looked into."""
    for scan in range(at - 1, low - 1, -1):
        if words[scan] == "(":
            return scan - 1
        if words[scan] in ("not", "yet"):
            return at - 1
    return low - 1


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
        shared = _first_verb(sentence, start - 1)
        if shared < 0:
            return start - 1, start - 1
        start = shared
    at = start
    while at > 0 and start - at < _MAX_SUBJECT:
        word, tag = words[at - 1], tags[at - 1]
        if word in STOPS or word == "," or word in _GIVES_REASON or tag & (_ENDS_SUBJECT | _FINITE):
            break
        if word == "that" and start > at:
            break
        at -= 1
    return at, start


def _first_verb(sentence: Sentence, joint: int) -> int:
    """Return where the verb group begins that a second one is joined to at ``joint``, or -1."""
    words, tags = sentence.words, sentence.tags
    for at in range(joint - 1, max(-1, joint - _MAX_WALK), -1):
        if words[at] in STOPS:
            return -1
        if tags[at] & _FINITE:
            first = at
            while first > 0 and tags[first - 1] & (_FINITE | t.ADVERB):
                first -= 1
            return first
    return -1
