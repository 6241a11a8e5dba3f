"""Words of talk about an incident: work, news, estimates, apology; and of trouble no other rule reads."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims.morphology import stem

_TALK = """
sorry apologise apology regret thank thanks patience patient understand appreciate bear grateful please dear
hello hi hey folks inconvenience bother nuisance worry wait frustration frustrating hassle annoyance cause
bring care work investigate look check examine find search continue engineer team staff colleague analyse
review monitor watch test try dig progress clock hand matter handle treat deal trace track follow assess
analysis research hunt attend tell say write post publish share send hear news update report notice message
reach contact call ask answer reply inform keep let know note page status mail email bulletin word speak
talk summary picture line phone reason why unknown unclear clear explanation question open origin root
estimate expect expectation hope time minute hour day week month take long soon later today now moment
present current quote reference number priority case ticket incident issue problem fault outage trouble
severity rate rating book happen go here what state point first next further also such half quarter third
cent percent your own their other same place right person people customer user guest member reader see get
have make do come give need want use begin start remain stand sit show promise guarantee swear vouch certain
sure early late quick full more most less few many some any sincerely regards yours best kind wish welcome
tip one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty
ninety hundred thousand million thereafter hereafter afterwards onwards respectively accordingly proof
"""
_TROUBLE = """
empty shut closed red white grey gray blank odd strange weird spotty patchy busy long longer crawl creep
spin loop freeze hang stick lag bounce vanish disappear drop cut lose miss skip jam pile queue wait linger
stay keep remain instead manual manually workaround paper alone only just barely bumpy rough hard tough
difficult slow tired old duplicate double wrong mixed mangled garbled scrambled late tardy overdue behind
off out down dark silent mute annoying confusing disturbing irritating worse worst bad poor weak unstable
shaky flaky limp stumble fall sink decline refuse reject deny block bar lock close shrink limited restrict
partial incomplete stray missing absent
"""


@lru_cache(maxsize=1)
def talk_stems() -> frozenset[str]:
    """Return the stems of words that any update may add without saying anything new of the incident."""
    return frozenset(map(stem, _TALK.split()))


@lru_cache(maxsize=1)
def trouble_stems() -> frozenset[str]:
    """Return the stems of words that tell of trouble, or of ways around it."""
    return frozenset(map(stem, _TROUBLE.split()))


@lru_cache(maxsize=1)
def ways_around() -> frozenset[str]:
    """Return the stems of words that tell of ways around a trouble, and of nothing amiss."""
    return frozenset(map(stem, "paper manual manually instead workaround".split()))
