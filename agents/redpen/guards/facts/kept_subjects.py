"""Whether a number is still said of what it was said of, which a text may name by another word."""

from __future__ import annotations

from typing import TYPE_CHECKING

from redpen.guards.facts.clause_around import around
from redpen.guards.facts.quantifiers.words import HIT
from redpen.guards.facts.quantities.units import ENDS_NOUN_PHRASE, TIME
from redpen.guards.facts.subject_classes import CLASSES
from redpen.guards.facts.subjects import GENERIC, stem
from redpen.text.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from redpen.guards.facts.fact import Fact
    from redpen.guards.facts.knowledge import Known

_OPPOSED = (
    ("rider passenger commuter", "driver courier"),
    ("guest", "host"),
    ("buyer shopper", "seller merchant retailer"),
    ("tenant", "landlord"),
    ("student pupil", "teacher school"),
    ("patient", "doctor nurse clinic hospital"),
    ("employee worker", "employer"),
    ("sender", "recipient"),
    ("viewer listener reader fan", "creator publisher advertiser"),
    ("caller", "agent"),
    ("payer", "payee"),
    ("claimant policyholder", "insurer"),
    ("upload import", "download export"),
    ("deposit", "withdrawal payout"),
    ("arrival", "departure"),
    ("login", "signup"),
)
OPPOSITES: dict[str, frozenset[str]] = {
    word: frozenset(others.split())
    for pair in _OPPOSED
    for words, others in (pair, pair[::-1])
    for word in words.split()
}
"""Things of one class that are never each other."""

_ALIKE = (
    "report result finding reading record statement",
    "show performance evening matinee concert play gig event screening night date",
    "filing return submission declaration form application entry",
    "listing ad advert advertisement posting offer vacancy",
    "charger point station post column",
    "slot appointment booking reservation visit session treatment consultation stay",
    "order purchase basket delivery drop meal dish",
    "parcel package shipment item box packet consignment",
    "letter notice mail mailing message text email notification alert reminder note",
    "ticket pass voucher",
    "desk counter window till checkout position",
    "branch library store shop outlet location clinic surgery practice office site place hotel property",
    "house home household address property",
    "device unit thermostat meter sensor tracker terminal machine box",
    "charge debit payment fee transaction withdrawal",
    "flight departure service train coach bus ferry journey trip ride sailing crossing connection",
    "domain website name address",
    "run job batch file",
    "queue line",
    "complaint report enquiry inquiry request ticket case dispute query",
    "copy duplicate repeat",
    "company business employer firm organisation organization",
    "game match round",
    "class course lesson section module",
    "film title programme program show video movie episode",
    "kiosk booth stand machine",
    "call conversation chat",
    "app application",
    "bike bicycle scooter",
    "prescription medicine drug",
    "loan borrowing item book title",
    "hold reservation",
    "outage interruption failure",
    "recording video clip film",
    "attempt try go login",
    "seat place",
    "room bedroom",
    "tap shower",
    "mailbox inbox account",
    "profile account",
    "bill invoice",
    "statement invoice bill",
    "upload submission photo picture image",
    "payout transfer payment",
    "payment pension salary wage allowance benefit instalment",
    "report complaint reporting",
    "cell mast tower antenna",
    "server machine host",
    "dock stand rack",
    "gateway hub router",
)
"""Words that name one thing; a number that is said of one of a row may be said of the others."""

_CUT = lazy_pattern(r"[.;:!?,()–—]| (?:and|but|while|as|where|so) ")
_WORD = lazy_pattern(r"[a-z]+")
_LACKING = frozenset({"missing", "lost", "lacking", "unsent", "affected"})
_NO_SORT = frozenset({*TIME, "time", "s", "sent", "given", "made", "found", "seen", "counted", "known"})
_MODIFIERS = 4
_ROOT = 5
_SHORT = 3
_GROUPS: dict[str, tuple[int, ...]] = {}
for _at, _row in enumerate(_ALIKE):
    for _word in _row.split():
        _GROUPS[_word] = (*_GROUPS.get(_word, ()), _at)


def keeps_subject(
    fact: Fact, text: str, matches: Sequence[Known], others: Collection[str], words: Collection[str]
) -> bool:
    """Whether a share or a count is still said of its own subject.

    Args:
        fact: a number of the text that is allowed for ``matches``.
        text: what a reader sees.
        matches: the allowed facts with that number.
        others: stems of what other shares and counts are of.
        words: the words of original and context, in lower case.
    """
    own = {word for known in matches for word in known.fact.subject} - GENERIC
    if not own or not fact.head or not own.isdisjoint(OPPOSITES.get(fact.head, ())):
        return False
    before, after = around(text, fact.start, fact.end)
    clause = _CUT.split(after)[0]
    if fact.head in own:
        return _is_no_other_sort(fact, before, clause, own)
    near = frozenset(_WORD.findall(clause))
    shown = {stem(word) for word in near}
    if any(len(known.fact.subject) > 1 and known.fact.subject - _LACKING <= shown for known in matches):
        return True
    if fact.head in others:
        return False
    if fact.head not in CLASSES and fact.head not in {stem(word) for word in words}:
        return not {word[:_ROOT] for word in words if len(word) > _SHORT}.isdisjoint(
            word[:_ROOT] for word in near - ENDS_NOUN_PHRASE if len(word) > _SHORT
        )
    groups = set(_GROUPS.get(fact.head, ()))
    return any(not groups.isdisjoint(_GROUPS.get(word, ())) for word in own)


def _is_no_other_sort(fact: Fact, before: str, clause: str, own: set[str]) -> bool:
    """Whether words before the noun tell no sort of it from another: smart meters may be offline ones."""
    told = [stem(word) for word in _WORD.findall(clause)]
    if fact.head not in told:
        told = [stem(word) for word in _WORD.findall(before)]
    if fact.head not in told:
        return False
    place = told.index(fact.head)
    sorts = set(told[max(0, place - _MODIFIERS) : place]) - ENDS_NOUN_PHRASE - own - _NO_SORT
    alike = {at for word in own for at in _GROUPS.get(word, ())}
    if not alike.isdisjoint(at for word in sorts for at in _GROUPS.get(word, ())):
        return True
    return not sorts or own - {fact.head} <= HIT | _NO_SORT
