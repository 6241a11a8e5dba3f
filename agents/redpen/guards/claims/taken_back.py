"""Claims that the words around them take back: hearsay that is doubted, what is denied, supposed or asked.

A rule reads a claim from a few words. What stands around it may say that the text does not make it: "a
rumour of free tickets has reached us", "a refund has not been approved", "it is too early to say that it
works". Such frames are the same for every family, and are read here once for all.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims.found import Claim
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.reading import Sentence, read_sentences

_EVERY: frozenset[Family] = frozenset(
    ("cause", "commitment", "guarantee", "liability", "reassurance", "resolution")
)
_GIVES: frozenset[Family] = frozenset(("commitment", "guarantee", "resolution"))
_SURE: frozenset[Family] = frozenset(("guarantee",))
_KEPT: frozenset[Family] = frozenset(("guarantee", "reassurance", "resolution"))
_GUILT: frozenset[Family] = frozenset(("liability", "cause"))

_SETTLED = (
    r"(?:approved|agreed|granted|decided|authori[sz]ed|offered|promised|confirmed|verified|shown|proven|proved"
    r"|established|demonstrated|signed|sanctioned|endorsed)"
)
_HEARSAY = (
    r"\b(?:rumou?rs?|hearsay|speculation|gossip|talk (?:of|about|that)|word (?:on|in|from|is)"
    r"|suggestions? (?:that|of)|reports? that|claims? that|stories (?:that|of)"
    r"|(?:told|wrote to|written to|suggested to|reported to) us"
    r"|(?:someone|somebody|some|people|others|customers?|passengers?|patrons?|members?|users?|guests?"
    r"|visitors?|it has been|it is being|it was)(?: (?:has|have|of you))?"
    r" (?:posted|reported|claimed|suggested|said|say|heard|wrote|written|think|believe|asked|mentioned))\b"
)
_DOUBT = (
    r"(?:\b(?:not|never|yet to|unable to|nor)(?: \w+){0,4}? (?:confirm|confirmed|verify|verified|borne|bear"
    r"|said|announced|offer|offered|agreed|approved|come from|decided)\b(?! (?:the cause|why|what|how|when))"
    r"|\bno (?:evidence|proof|basis|offer)\b|\bhearsay\b|\bun(?:confirmed|verified|founded|true)\b"
    r"|\bguesswork\b|\bpremature\b|\bpinch of salt\b|\bnothing (?:is|has been) (?:agreed|decided|approved)\b"
    r"|\b(?:agreed|decided|approved|promised|announced) nothing\b"
    r"|\bnot (?:ours|true|right|correct|from us)\b|\breached (?:us|our)\b)"
)
_SPEAKS = (
    r"(?:say|tell|claim|promise|guarantee|confirm|swear|describe|call|state|announce|assure|give|declare"
    r"|speak|vouch|assert|maintain)"
)
_ON = r"(?:(?!\bbut\b)[^,;:.–—()])*"
"""Words of one clause."""


class Frame(NamedTuple):
    """Words around a claim that take it back.

    Attributes:
        families: the claims that it takes back.
        before: a pattern that ends where the claim begins or inside it.
        after: a pattern that begins inside the claim or after it; empty for none.
        example: a sentence that makes no claim because of it.
        near: a sentence near it that makes one.
    """

    families: frozenset[Family]
    before: str
    after: str
    example: str
    near: str


FRAMES = (
    Frame(
        _EVERY,
        rf"{_HEARSAY}(?:(?!\bbut\b)[^;:])*",
        _DOUBT,
        "A rumour about free crossings has reached us, and it did not come from our office.",
        "The rumour of free crossings is true: they are free.",
    ),
    Frame(
        _EVERY - {"reassurance"},
        r"",
        rf"^(?:(?!\b(?:is|are|was|were|will|has|have|can)\b)[^,;:.–—])*(?:[,–—][^,;:.–—]*[,–—])?"
        r" ?(?:is|are|was|were|has|have)"
        rf" not (?:yet |been |being )*{_SETTLED}\b",
        "A refund of the whole price has not been approved.",
        "A refund of the whole price has been approved.",
    ),
    Frame(
        _GIVES,
        r"",
        r"^(?:(?!\b(?:is|are|was|were|will|has|have|can)\b)[^,;:.–—])*(?:[,–—][^,;:.–—]*[,–—])?"
        r" ?(?:is|are|was|were) not"
        r" (?:something (?:that )?(?:we|i)\b|on offer\b|part of (?:what|the offer)\b|ours to\b|an offer\b)",
        "Free membership is not something we have signed off on.",
        "Free membership is something we have signed off on.",
    ),
    Frame(
        _GIVES,
        rf"\b(?:we|i|nobody|management)(?: \w+)?{_ON}\b(?:not|no|never|yet to)(?: \w+){{0,4}}?"
        r" (?:offer|offered|decision|decided|approval|agreed|promise|promised|leave|permission|authority"
        rf"|authori[sz]ed|announced){_ON}",
        "",
        "We have made no decision on vouchers.",
        "We have made a decision on vouchers: you get one.",
    ),
    Frame(
        _GIVES,
        r"",
        r"^no (?:(?!\b(?:fees?|charges?|costs?|price|penalty|is|are|will)\b)[^,;:.])*"
        r" (?:has|have) (?:yet )?been"
        r" (?:announced|approved|agreed|promised|granted|offered|decided|authori[sz]ed)\b",
        "No free shipping has been announced by us.",
        "No delivery fee will be charged.",
    ),
    Frame(
        _GIVES,
        r"",
        rf"^{_ON}\bwould (?:first )?have to be (?:agreed|approved|decided)\b",
        "Any wider compensation would have to be agreed first.",
        "Any wider compensation will be agreed and paid.",
    ),
    Frame(
        _EVERY,
        r"(?:too (?:early|soon)|premature|hard|difficult|impossible|hesitate|reluctant|not (?:yet )?able"
        rf"|unable|far enough|in no position)(?: (?:for us|for me|yet|today))? to {_SPEAKS}\b{_ON}",
        "",
        "It is too early to say that nothing was seen by strangers.",
        "It is never too early to say thanks: nothing was seen by strangers.",
    ),
    Frame(
        _EVERY - {"liability"},
        rf"\b(?:we|i) (?:can|could|would|dare|will) not (?:yet |honestly |truly |today )*{_SPEAKS}"
        rf"(?! (?:how|enough|often))\b{_ON}",
        "",
        "We can't say that your booking is definitely lost.",
        "We can't say when, but your booking is definitely safe.",
    ),
    Frame(
        _GIVES,
        r"",
        rf"^{_ON}\b(?:has|have) been (?:suggested|proposed|requested|discussed|floated|asked for)\b.*"
        r"\bbut (?:nothing|no|not|we have not|it is not)\b",
        "A discount has been suggested to us, but nothing is agreed.",
        "A discount has been suggested to us and agreed.",
    ),
    Frame(
        frozenset(("reassurance", "cause", "commitment")),
        r"",
        r"^no (?:link|connection|relation)\b[^;:.]* (?:established|found|shown|proven|confirmed)\b",
        "No link between the charges and the lost bookings has been established.",
        "No data has been lost.",
    ),
    Frame(
        _GIVES,
        r"",
        r"^(?:(?:have|has|had) to (?:wait|queue) for\b"
        r"|not cost you (?:your|a|the) (?:place|ticket|seat|spot|turn|booking|progress|slot)\b)",
        "Sellers have to wait for payouts.",
        "Sellers have payouts coming.",
    ),
    Frame(
        frozenset(("liability",)),
        r"",
        r"^let (?:you|them|people) (?:pass|in|through|board|go|know)\b",
        "Staff may let you pass.",
        "We let you down.",
    ),
    Frame(
        _SURE,
        r"\b(?:gone|empty|used up|runs out|run out) ",
        r"^in no time",
        "Hot water is gone in no time.",
        "It will be back in no time.",
    ),
    Frame(
        _EVERY,
        r"",
        r"(?:\bwould be (?:jumping the gun|premature|too early|rash|hasty|a guess)\b"
        r"|\b(?:is|would be) more than (?:we|i) can\b)",
        "Saying that the calendar is in order would be jumping the gun.",
        "The calendar is in order.",
    ),
    Frame(
        _EVERY,
        r"\b(?:would (?:love|like|be (?:glad|happy|pleased|delighted))|wish)\b[^;:.]*",
        r"(?:\bbut|[;,–—]|\btoday)[^;:.]* (?:we|i) (?:can not|(?:are|am) (?:not able|unable))\b",
        "We'd love to put your mind at ease, but we aren't able to.",
        "We'd love to put your mind at ease: all is well.",
    ),
    Frame(
        _SURE,
        r"\b(?:nothing|not|none)\b[^;:.]* (?:take|taken|read|understood|treated|regarded|seen|meant)"
        r"(?: \w+){0,2} as(?: an?| any| our)?",
        "",
        "Nothing in this update should be taken as a guarantee of delivery.",
        "This may be taken as a guarantee of delivery.",
    ),
    Frame(
        _SURE,
        r"\b(?:no|not)\b[^;:.]*",
        r"^one way or the",
        "We have no finding on that, one way or the other.",
        "It will be back, one way or the other.",
    ),
    Frame(
        _EVERY,
        r"(?:^|[;,.] )should (?!have\b)[^,;:.]*",
        "",
        "Should our checks show that your seat is fine, we will tell you.",
        "As it should, your seat is fine.",
    ),
    Frame(
        _GUILT,
        r"(?:^|[;,.] )if (?:we|i|it|this) (?:are|am|is|was|were) [^,;:.]*",
        "",
        "If we are the ones who got it wrong, we will own up to it.",
        "If you ask, we are the ones who got it wrong.",
    ),
    Frame(
        frozenset(("reassurance",)),
        r"",
        r"^(?:(?:\w+ )*no (?:such )?(?:approval|arrangement|agreement|offer|decision|scheme)\b"
        r"|are not part of what)",
        "Will I get my fee back? No such arrangement exists at present.",
        "No harm exists at present.",
    ),
    Frame(
        _KEPT,
        r"(?:\bplease|^|[;,:.]|\bso as|\b(?:ask|urge|advise|request|want|need)(?: (?:you|everyone|all))?) ?",
        r"^(?:do )?not (?:to )?(?:delete|lose|miss|repeat|request|change|reinstall|damage|destroy|send"
        r"|order)\b",
        "Please do not delete or reinstall your site.",
        "Your files do not get lost.",
    ),
    Frame(
        frozenset(("reassurance",)),
        r"",
        r"^(?:\w+ )*(?:(?:will|would|can|could|does|do) not (?:hurt(?: ?[.,;!]| ?$)|guess\b|speculate\b)"
        r"|never hurt (?:anyone|anybody)|makes you miss)",
        "Come early; a snack won't hurt.",
        "The outage will not hurt your data.",
    ),
)


@lru_cache(maxsize=1)
def _compiled() -> tuple[tuple[frozenset[Family], re.Pattern[str], re.Pattern[str]], ...]:
    return tuple((row.families, re.compile(row.before), re.compile(row.after)) for row in FRAMES)


def is_taken_back(claim: Claim, revised: str) -> bool:
    """Whether the words around a claim say that the text does not make it.

    Args:
        claim: a claim of the revision.
        revised: the revision as read.
    """
    for sentence in read_sentences(revised):
        first, last = sentence.span(0, -1)
        if first <= claim.start < last:
            return not sentence.question and _in_frame(claim, sentence)
        if first > claim.start:
            break
    return False


def _in_frame(claim: Claim, sentence: Sentence) -> bool:
    inside = sentence.within(claim.start, claim.end)
    if not inside:
        return False
    words = sentence.words
    until, begin = " ".join(words[: inside[0]]), " ".join(words[inside[0] :])
    through = " ".join(words[: inside[-1] + 1])
    for families, before, after in _compiled():
        if claim.family not in families:
            continue
        if before.pattern and not _ends_in(before, until, through):
            continue
        if after.pattern and not after.search(begin):
            continue
        return True
    return False


def _ends_in(pattern: re.Pattern[str], until: str, through: str) -> bool:
    """Whether a pattern reaches the claim from the left, or stands in its first words."""
    return any(found.end() >= len(until) for found in pattern.finditer(through))
