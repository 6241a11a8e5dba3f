"""Clauses on a topic that nothing else touches: money or a present, blame, a sure thing.

An update that speaks nowhere of money and whose revision does ("drinks come out of our purse") gives
something away, however it is put. A topic is known by its words, whatever stands around them; a clause on
it is a claim where none of its words of the topic is known, and no sentence on the topic holds half of what
it says.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.reading import Sentence, own_sentences
from redpen.guards.claims.told import Known, clauses, mask_of


class Topic(NamedTuple):
    """A topic that only a claim brings up.

    Attributes:
        family: what a clause on it claims.
        words: its words, parted by spaces.
        never: tags of which none may stand in such a clause.
        needs: tags of which one has to, if any.
        ours: whether the clause has to speak of the writer.
        unless: words, parted by spaces, of which none may stand in such a clause.
        says: what it claims, in words.
        example: a clause on it.
        near: a clause near it that claims nothing.
    """

    family: Family
    words: str
    never: int
    needs: int
    ours: bool
    unless: str
    says: str
    example: str
    near: str


_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY | t.NUMBER | t.PARTIAL
_DENIED = t.NOT | t.NO

TOPICS = (
    Topic(
        "commitment",
        "pay pays paying paid cost costs costing charge charges charged charging fee fees bill bills "
        "billed billing invoice invoiced price prices refund refunded refunds reimburse reimbursed "
        "money cash discount discounts discounted voucher vouchers free complimentary gratis gift "
        "gifts bonus perk perks compensation compensate rent fare fares tab purse pocket pockets "
        "wallet upgrade upgraded upgrading waive waived penalty penalties cheaper reward rewards "
        "gesture goodwill owe owed owes entitled expense expenses covers covering repay repaid "
        "penny pence bucks absorb settle settles donate gratuity deposit premium interest overdraft "
        "debit debited deduct deducted savings dime quid funds funding stump stumps sponsor shoulder "
        "freebie freebies prize toll taxi cab treat dues royalty pocket-money rebate rebates coupon "
        "coupons surcharge markdown bargain half-price",
        _OPEN,
        0,
        False,
        "sorry apologise unchanged same apology explanation answer thanks call reply word room rooms seat "
        "seats desk line lines hands card cards as responsibility ask contact per double twice surprise "
        "unpleasant annoying sleep nerves",
        "customers are given something",
        "Drinks tonight come out of our purse.",
        "We owe you an apology.",
    ),
    Topic(
        "liability",
        "blame blamed blames fault faults mistake mistakes blunder blunders oversight responsible "
        "accountable accountability liable guilty guilt negligent negligence careless carelessness "
        "sloppy mess messed ashamed excuses botched slipped deserve deserved "
        "avoidable preventable avoided prevented neglected neglect ignored overlooked lax "
        "incompetence incompetent shame embarrassed embarrassing wronged failings shortcuts corners "
        "sloppily poorly culprit culprits admit admits owning lapse lapses erred misjudged misread "
        "complacent unprepared asleep napping foresee foreseen forgot forgotten skipped rushed "
        "doorstep blushes amends reproach fumbled dozed conscience regretfully inexcusable "
        "unforgivable",
        _OPEN | _DENIED | t.WILL,
        0,
        True,
        "sorry apologise apologize apologies regret",
        "we are at fault",
        "The mess sits on our doorstep.",
        "We are sorry for the mess.",
    ),
    Topic(
        "guarantee",
        "sure surely certain certainly certainty definitely doubt doubtless bet swear vow pledge "
        "always never ever absolutely guaranteed guarantee assured assure assurance honour honor oath "
        "stake undoubtedly inevitably positively bank word promise promised destined fate gospel "
        "ironclad unfailing unfailingly infallible money-back invariably regardless whatever "
        "unconditionally solemnly sealed stone",
        _OPEN | _DENIED | t.CAN,
        t.WILL,
        False,
        "if news word hear tell write make we i",
        "something is certain",
        "Your parcel will arrive regardless.",
        "You will get word from us.",
    ),
)

_OURS = frozenset("we our us ours ourselves i my mine".split())
_ASKS = frozenset("please kindly".split())
_NO_STATEMENT = frozenset("if when whether for about where what why how who".split())
_NO_MONEY = frozenset(
    tuple(pair.split())
    for pair in (
        "free to", "on charge", "stays at", "stay at", "remains at", "remain at", "you time", "your time",
        "your place", "nothing extra", "pay attention", "paying attention", "no attention", "pay heed",
        "pay close", "pay tribute", "settle on", "settling on", "settles on", "settled on",
        "pay particular", "cost patience", "you patience", "you nerves",
    )
)  # fmt: skip
"""Pairs of words of money that speak of none."""
_SHORTEST = 3
_MOST_SUPPORT = 0.5


@lru_cache(maxsize=1)
def _words() -> tuple[tuple[Topic, frozenset[str], frozenset[str], frozenset[str]], ...]:
    return tuple(
        (
            topic,
            frozenset(topic.words.split()),
            frozenset(map(stem, topic.words.split())),
            frozenset(topic.unless.split()),
        )
        for topic in TOPICS
    )


@lru_cache(maxsize=1)
def _any_word() -> frozenset[str]:
    return frozenset().union(*(words for _, words, _, _ in _words()))


@lru_cache(maxsize=64)
def _spoken(texts: tuple[str, ...]) -> frozenset[str]:
    """Return the words of topics that some texts hold."""
    every = (sentence.vocabulary for text in texts for sentence in own_sentences(text))
    return _any_word().intersection(frozenset().union(*every))


def find_topics(sentence: Sentence, known: Known) -> Iterator[Claim]:
    """Find the clauses of a sentence on a topic that nothing else touches.

    Args:
        sentence: a sentence of the revision.
        known: what the revision may restate.

    Yields:
        Claims of the family of the topic.
    """
    for topic, stems, named, says, (start, end) in _on_topics(sentence):
        if named <= _spoken(known.texts) or _is_supported(says, stems, known):
            continue
        yield Claim(topic.family, *sentence.span(start, end - 1), f"{topic.says}, which nothing supports")


class _Mention(NamedTuple):
    """A clause on a topic: the stems of the topic, its words in the clause, what that says, and where."""

    topic: Topic
    stems: frozenset[str]
    named: frozenset[str]
    says: frozenset[str]
    place: tuple[int, int]


@lru_cache(maxsize=1024)
def _on_topics(sentence: Sentence) -> tuple[_Mention, ...]:
    """Return the clauses of a sentence that state something on a topic."""
    if sentence.question or sentence.vocabulary.isdisjoint(_any_word()):
        return ()
    found = []
    for topic, words, stems, unless in _words():
        if sentence.vocabulary.isdisjoint(words):
            continue
        for start, end in clauses(sentence):
            held = frozenset(sentence.words[start:end])
            named = held & words
            if named and held.isdisjoint(unless) and _may_state(sentence, start, end, topic):
                found.append(_Mention(topic, stems, named, content(sentence, start, end), (start, end)))
    return tuple(found)


def _may_state(sentence: Sentence, start: int, end: int, topic: Topic) -> bool:
    """Whether a clause states something as a claim on the topic does."""
    words, mask = sentence.words[start:end], mask_of(sentence, start, end)
    if end - start < _SHORTEST or words[0] in _NO_STATEMENT or not _ASKS.isdisjoint(sentence.words):
        return False
    if words[-1] == "not" or mask & topic.never or (topic.needs and not mask & topic.needs):
        return False
    if topic.ours and _OURS.isdisjoint(words):
        return False
    if end - start == _SHORTEST and not mask & _DENIED:
        # A heading or a label states nothing.
        return False
    return not any((words[at], words[at + 1]) in _NO_MONEY for at in range(len(words) - 1))


def _is_supported(says: frozenset[str], topic: frozenset[str], known: Known) -> bool:
    """Whether a known sentence on the topic holds half of what a clause says."""
    least = _MOST_SUPPORT * len(says)
    return any(
        len(says & told.stems) >= least for told in known.sentences if not told.stems.isdisjoint(topic)
    )
