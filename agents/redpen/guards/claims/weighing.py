"""Clauses weighed as a whole, beside the rules that read a few of their words.

A rule reads a claim by the words it has been told; people have others ("the queue has melted away"), and use
the rule's words for other things ("the ticket machine is out again"). So each changed clause of a revision is
weighed: a logistic regression over its words and over how it stands to what is known, ``clause_features``.
What weighs next to nothing makes no claim, whatever a rule read in it; what weighs a lot makes one, whether a
rule reads it or not. Between the two the rules decide.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property, lru_cache
from itertools import islice
from typing import Any, NamedTuple

from redpen.guards.claims.clause_features import Background, Changed, background, changed_clauses
from redpen.guards.claims.clause_weights import clause_weights, family_weights
from redpen.guards.claims.finding import LONG, UNREAD, find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.prose import context_prose
from redpen.guards.claims.reading import Sentence, placed_sentences
from redpen.guards.claims.said import clause_of, words_in
from redpen.guards.claims.supported import PLAIN, is_plain
from redpen.guards.claims.sworn import SURELY
from redpen.guards.claims.told import clauses

MOST_CLAUSES = 120
"""Most clauses that are weighed; rules alone judge what follows, as no letter to customers has more."""
LEAST_TOLD = 16
"""Words of content that the original has to hold: next to less than that, everything is news."""
LIGHT = -200
"""Below this weight, in hundredths of a logarithm of odds, a clause makes no claim."""
LIGHT_BINDING = -300
"""The same where a rule has read what readers can hold the writer to, or read it in plain words."""
LIGHT_TURNED = -500
"""The same where the nearest known clause says that it is under way or looked into, or denies it."""
HEAVY = 150
"""Above this one it makes a claim."""
HEAVY_GUARDED = 200
"""The same for a clause that denies something, or leaves it open."""
_SAYS: Mapping[Family, str] = {
    "resolution": "the incident or a part of it is over",
    "guarantee": "something is certain",
    "reassurance": "nobody needs to worry",
    "cause": "this brought it about",
    "commitment": "customers are given something",
    "liability": "we are at fault",
}
_SURE: Mapping[Family, str] = {
    "resolution": "resolved fixed restored recovered mitigated operational cleared sorted",
    "guarantee": "guarantee promise definitely assure pledge vow swear",
    "reassurance": "safe secure",
    "cause": "root",
    "commitment": "refund reimburse compensate compensation waive",
    "liability": "liable negligence negligent responsibility fault",
}
"""Words that claim something by themselves, by what they claim: no weight takes that back."""
_BINDING: frozenset[Family] = frozenset(("cause", "commitment", "guarantee"))
_UNDER_WAY = frozenset(
    f"lost:{word}" for word in "being check checking looking try trying whether working".split()
)
_TURNED = _UNDER_WAY | {"was:denied"}
_TOLD = 3
_WORDED = ("word:", "about:", "new:", "put in:", "pair:")


class Weighed(NamedTuple):
    """A clause with its weight.

    Attributes:
        clause: the clause.
        weight: how much speaks for a claim, in hundredths of a logarithm of odds.
    """

    clause: Changed
    weight: int


class Weighing:
    """The changed clauses of a revision, weighed when they are asked for.

    Args:
        revised: the revision as read.
        original: the original as read; next to one of a few words nothing is weighed.
        context: the incident context, any JSON object.
        inherit: whether a claim may stand that context or original already makes.
    """

    def __init__(self, revised: str, original: str, context: Mapping[str, Any], *, inherit: bool) -> None:
        self._revised = revised
        self._original = original
        self._context = context
        self._inherit = inherit

    @cached_property
    def clauses(self) -> tuple[Weighed, ...]:
        """The clauses that the original does not hold word by word, in order."""
        return _weighed(self._revised, self._known)

    @cached_property
    def _known(self) -> Background:
        return background(self._original, self._context, inherit=self._inherit)

    @cached_property
    def quiet(self) -> frozenset[int]:
        """Where sentences begin in which no rule can read a claim that ``is_light`` would not drop."""
        return _quiet(self._revised, self._known)

    def is_light(self, claim: Claim) -> bool:
        """Whether the clauses that a claim was read in weigh too little to make one."""
        inside = [
            item for item in self.clauses if item.clause.start < claim.end and claim.start < item.clause.end
        ]
        weight = max((item.weight for item in inside), default=0)
        if weight >= LIGHT or UNREAD in claim.key:
            return False
        found = clause_of(claim, self._revised)
        if found is None:
            return False
        sentence, plain = found[0], is_plain(words_in(found[0], claim))
        first, last = sentence.places(claim.start, claim.end)
        if not _sure(claim.family).isdisjoint(map(stem, sentence.words[first:last])):
            return False
        if plain and not self._inherit and self._is_kept(claim):
            return False
        turned = _TURNED if plain else _UNDER_WAY
        if any(not turned.isdisjoint(item.clause.beside) for item in inside):
            return weight < LIGHT_TURNED
        return weight < (LIGHT_BINDING if plain or claim.family in _BINDING else LIGHT)

    def _is_kept(self, claim: Claim) -> bool:
        """Whether a claim of the family is made where it may not be made either."""
        _, others = context_prose(self._context)
        return any(
            claim.family == item.family for text in (self._original, *others) for item in find_claims(text)
        )

    def heavy(self) -> Iterator[Claim]:
        """Yield a claim for each clause that weighs enough to make one."""
        for clause, weight in self.clauses:
            if weight > (HEAVY_GUARDED if clause.guarded else HEAVY):
                features = clause.own | clause.beside
                # How a clause is built, or that it is new, is no claim: some words of it have to speak.
                if told := _telling(features):
                    family = _family(features)
                    says = f"{_SAYS[family]}, by its words ({', '.join(told)})"
                    yield Claim(family, clause.start, clause.end, says)


@cache
def _sure(family: Family) -> frozenset[str]:
    return frozenset(map(stem, _SURE[family].split()))


@lru_cache(maxsize=64)
def _weighed(revised: str, known: Background) -> tuple[Weighed, ...]:
    if known.told < LEAST_TOLD:
        return ()
    weights = clause_weights()
    return tuple(
        Weighed(clause, _own_weight(clause.own) + sum(weights.get(feature, 0) for feature in clause.beside))
        for clause in islice(changed_clauses(revised, known), MOST_CLAUSES)
    )


@lru_cache(maxsize=2048)
def _own_weight(features: frozenset[str]) -> int:
    weights = clause_weights()
    return sum(weights.get(feature, 0) for feature in features)


@lru_cache(maxsize=64)
def _quiet(revised: str, known: Background) -> frozenset[int]:
    inside: dict[int, list[Weighed]] = {}
    for item in _weighed(revised, known):
        inside.setdefault(item.clause.begin, []).append(item)
    return frozenset(
        begin
        for begin, sentence in placed_sentences(revised)
        if begin in inside
        and len(inside[begin]) == len(clauses(sentence))
        and _is_quiet(sentence, inside[begin], known)
    )


def _is_quiet(sentence: Sentence, weighed: Iterable[Weighed], known: Background) -> bool:
    return (
        all(item.weight < LIGHT_BINDING and _UNDER_WAY.isdisjoint(item.clause.beside) for item in weighed)
        and sentence.vocabulary & SURELY <= known.said
        and len(sentence.words) < LONG
        and _speaking().isdisjoint(map(stem, sentence.vocabulary))
    )


@cache
def _speaking() -> frozenset[str]:
    """Return the stems that make a claim plain or sure."""
    return PLAIN.union(*map(_sure, _SURE))


def _family(features: Iterable[str]) -> Family:
    """Return the family that features speak for most."""
    weights = family_weights()
    sums = dict.fromkeys(_SAYS, 0)
    for feature in features:
        for family, weight in weights.get(feature, {}).items():
            sums[family] += weight
    return max(sums, key=lambda family: sums[family])


def _telling(features: Iterable[str]) -> list[str]:
    """Return the words that speak most for a claim, the most telling first; none where they speak against."""
    weights = clause_weights()
    sums: dict[str, int] = {}
    for feature in features:
        if feature.startswith(_WORDED):
            word = feature.partition(":")[2].strip("^$ ")
            sums[word] = sums.get(word, 0) + weights.get(feature, 0)
    if sum(sums.values()) <= 0:
        return []
    return [
        f"'{word}'" for word in sorted(sums, key=lambda word: (-sums[word], word))[:_TOLD] if sums[word] > 0
    ]
