"""What kinds of benefit some words tell of: money returned, nothing to pay, a credit, more time, a gift."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal

from redpen.guards.claims import tags as t
from redpen.guards.claims.morphology import inflect, spellings
from redpen.guards.claims.word_classes import WORD_CLASSES

Benefit = Literal["back", "free", "credit", "longer", "gift"]
"""Money returned, nothing to pay, an amount credited or taken off, more time, anything else given."""

_ALONE: Mapping[Benefit, str] = MappingProxyType(
    {
        "back": "~refund refunds refundable ~reimburse reimbursement reimbursements ~repay repayment "
        "repayments ~recredit ~recoup restitution",
        "free": "~waive waiver waivers gratis ~forgive ~forgo fee-free",
        "credit": "~credit credits",
        "longer": "~extend extension extensions ~prolong ~lengthen ~postpone",
        "gift": "voucher vouchers coupon coupons gift gifts bonus bonuses complimentary perk perks freebie "
        "reward rewards token tokens discount discounts rebate rebates upgrade upgrades points goodwill",
    }
)
"""Words that tell a kind of benefit wherever they stand."""
_RETURNS = (
    "~pay ~give ~get ~have ~receive ~claim ~come ~go ~put ~send ~transfer ~hand ~ask ~want ~be ~see ~find "
    "~credit ~move"
)
"""Verbs that say with "back" that money is returned."""
_BEARS = "~cover ~pay ~bear ~absorb ~shoulder ~foot ~settle ~meet"
"""Verbs that say with a cost that it is paid for somebody."""
_LETS_GO = "~drop ~scrap ~lift ~remove ~cancel ~suspend ~wipe ~strike ~abolish ~void ~annul ~skip ~write ~let"
"""Verbs that say with a fee that nobody has to pay it."""
_CHARGES = "~charge ~bill ~invoice ~pay ~penalise ~penalize ~fine ~cost ~owe ~levy ~apply ~incur"
"""Verbs that say, denied, that nothing is to be paid."""
_GIVES = (
    "~give ~get ~receive ~offer ~grant ~hand ~find ~earn ~send ~provide ~include ~award ~compensate "
    "compensation"
)
_SAYINGS = frozenset("guarantee promise assurance word notice assurances".split())
"""What is given by saying it."""
_OWNS = "yours your you"
_BILLS = "bill bills invoice invoices statement price account balance order"
_TIMES = "minute minutes hour hours day days week weeks fortnight month months year years time"
_MORE = "more extra additional another further longer later"
_TERMS = "deadline deadlines term terms due date window"
_MOVES = "~move ~push ~shift ~put ~be ~have"
_NOTHING = "not no nothing never nobody none without zero"
_NEAR = 4


@cache
def forms(words: str) -> frozenset[str]:
    """Return words parted by spaces, with all forms of those that ``~`` marks as verbs."""
    own = {"be": ("is", "are", "was", "were"), "have": ("has",)}
    return frozenset(
        form
        for word in words.split()
        for spelt in (spellings(word[1:]) if word[0] == "~" else (word,))
        for form in (
            (
                *(inflect(spelt).base, inflect(spelt).third, inflect(spelt).gerund, *inflect(spelt).past),
                *own.get(spelt, ()),
            )
            if word[0] == "~"
            else (spelt,)
        )
    )


@lru_cache(maxsize=1)
def kind_words() -> Mapping[str, Benefit]:
    """Return the kind of benefit that a word tells wherever it stands, by the word."""
    return MappingProxyType({word: kind for kind, words in _ALONE.items() for word in forms(words)})


@lru_cache(maxsize=1)
def cues() -> frozenset[str]:
    """Return the words without one of which no words tell of a benefit."""
    words = ("back", "free", "until", "off", "no", "not", "without", "nothing", "us", "return", "returned")
    spoken = (_BEARS, _LETS_GO, _CHARGES, _GIVES, _OWNS, _MORE, _MOVES)
    return frozenset(words).union(kind_words(), *map(forms, spoken), ("returning", "returns"))


@lru_cache(maxsize=1)
def _classes() -> Mapping[str, frozenset[str]]:
    return MappingProxyType({name: forms(WORD_CLASSES[name]) for name in ("fee", "money", "expense", "perk")})


def benefits(words: Sequence[str], tags: Sequence[int]) -> frozenset[Benefit]:
    """Return the kinds of benefit that a clause tells of, whether it promises or denies them.

    Args:
        words: the words of the clause.
        tags: what each can be.
    """
    held = frozenset(words)
    if held.isdisjoint(cues()):
        return frozenset()
    found = frozenset(kind_words()[word] for word in words if word in kind_words()) | frozenset(
        _put(words, tags)
    )
    if "back" in found:
        found -= {"credit"}
    if (
        found <= {"free"}
        and not held.isdisjoint(forms(_GIVES) | {"yours", "way"})
        and held.isdisjoint(_SAYINGS)
    ):
        found |= {"gift"}
    return found


def _put(words: Sequence[str], tags: Sequence[int]) -> Iterator[Benefit]:
    """Yield the kinds of benefit that words tell of only together."""
    held = frozenset(words)
    money = _classes()["fee"] | _classes()["money"] | _classes()["expense"]
    paid = not held.isdisjoint(money) or any(tag & t.NUMBER for tag in tags)
    if "back" in held and paid and not held.isdisjoint(forms(_RETURNS)):
        yield "back"
    if _goes_back(held):
        yield "back"
    if paid and not held.isdisjoint(forms("~entitle eligible")):
        yield "back"
    spared = not held.isdisjoint(forms(_NOTHING))
    if not spared and not held.isdisjoint(_classes()["expense"]) and not held.isdisjoint(forms(_BEARS)):
        yield "back"
    if _is_free(words, money):
        yield "free"
    if "off" in held and (paid or not held.isdisjoint(forms(_BILLS))):
        yield "credit"
    if not held.isdisjoint(forms(_BILLS)) and not held.isdisjoint(
        ("lower", "less", "onto", "into", "reduced")
    ):
        yield "credit"
    if _is_longer(held):
        yield "longer"


def _goes_back(held: frozenset[str]) -> bool:
    """Whether words say that something is returned, whatever it is."""
    to_them = "back" in held and not held.isdisjoint(("card", "cards", "account", "accounts", "bank"))
    return to_them or not held.isdisjoint(forms("~return ~reclaim"))


def _is_longer(held: frozenset[str]) -> bool:
    """Whether words say that there is more time."""
    more = forms(_MORE)
    late = "late" in held or "than" in held
    if not late and not held.isdisjoint(forms(_TIMES)) and not held.isdisjoint(more):
        return True
    if not held.isdisjoint(forms(_TERMS)) and not held.isdisjoint(forms(_MOVES) | more):
        return True
    return "until" in held and not held.isdisjoint(("have", "has", "deadline", "open"))


def _is_free(words: Sequence[str], money: frozenset[str]) -> bool:
    """Whether words say that nothing is to be paid."""
    held = frozenset(words)
    if "free" in held and not _is_free_to_act(words):
        return True
    if "on" in held and not held.isdisjoint(("us", "house")):
        return True
    if "our" in held and not held.isdisjoint(("treat", "shout", "expense", "cost")):
        return True
    denied = any(
        word in forms(_NOTHING) and not (word == "nothing" and words[at - 1 : at] == ["for"])
        for at, word in enumerate(words)
    )
    if denied and not held.isdisjoint(forms(_CHARGES) | (money & _classes()["fee"])):
        return True
    return not held.isdisjoint(_classes()["fee"]) and not held.isdisjoint(forms(_LETS_GO))


def _is_free_to_act(words: Sequence[str]) -> bool:
    at = words.index("free")
    return list(words[at + 1 : at + 2]) == ["to"]
