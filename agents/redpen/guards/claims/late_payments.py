"""Payouts and the like that are themselves what is late, held or under review, and so are given to nobody.

"Your payout may be among those that are waiting" tells of the trouble where the original tells of payouts in
trouble only; "you get a payout" gives one whatever the original says.
"""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence, own_sentences, read_sentences
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.word_classes import WORD_CLASSES

_GIFTS = frozenset(WORD_CLASSES["perk"].split()) | frozenset(
    "refund refunds reimbursement reimbursements repayment repayments payment payments transfer "
    "transfers".split()
)
_WAITS = frozenset(
    "wait waits waiting waited hold holds holding held review reviews reviewed reviewing pending late "
    "delayed delay outstanding queued queue stuck stopped missing failed failing unpaid overdue unconfirmed "
    "longer checked checking process processed".split()
)
"""What is said of payments that are due and have not come."""
_GIVES = frozenset(
    "get gets receive receives give gives gave given offer offers offered add adds added extra additional "
    "bonus free entitled eligible compensation sorry goodwill gift treat reward owe thank every everyone all "
    "another twice double plus compensate grant granted instead make making apology amends enjoy credit "
    "credited credits award awarded".split()
)
"""Words by which something is given besides."""


def is_late_payment(claim: Claim, revised: str, original: str) -> bool:
    """Whether a commitment is read from payments that are what the original says is in trouble.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
        original: the original as read.
    """
    if claim.family != "commitment":
        return False
    late = _late_in(original)
    if not late:
        return False
    for sentence in read_sentences(revised):
        first, last = sentence.span(0, -1)
        if first <= claim.start < last:
            return _is_of(sentence, claim, late)
    return False


def _is_of(sentence: Sentence, claim: Claim, late: frozenset[str]) -> bool:
    start, end = sentence.places(claim.start, claim.end)
    words = sentence.words
    while start and words[start - 1] not in CLAUSE_MARKS:
        start -= 1
    while end < len(words) and words[end] not in CLAUSE_MARKS:
        end += 1
    told = frozenset(words[start:end])
    named = told & _GIFTS
    if not named or not _singular(named) <= late or not told.isdisjoint(_GIVES - named):
        return False
    return not told.isdisjoint(_WAITS) and not any(tag & t.WILL for tag in sentence.tags[start:end])


def _singular(words: frozenset[str]) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words)


@lru_cache(maxsize=256)
def _late_in(text: str) -> frozenset[str]:
    """Return, in the singular, the payments that a text tells of in trouble first."""
    late: set[str] = set()
    seen: set[str] = set()
    for sentence in own_sentences(text):
        named = _singular(sentence.vocabulary & _GIFTS) - seen
        seen |= named
        waits = not sentence.vocabulary.isdisjoint(_WAITS) or tells_trouble(sentence, 0, len(sentence.words))
        if waits and sentence.vocabulary.isdisjoint(_GIVES - _GIFTS):
            late |= named
    return frozenset(late)
