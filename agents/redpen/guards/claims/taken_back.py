"""Claims that the words around them take back: hearsay that is doubted, what is denied, supposed or asked.

A rule reads a claim from a few words. What stands around it may say that the text does not make it: "a
rumour of free tickets has reached us", "a refund has not been approved", "it is too early to say that it
works". Such frames are the same for every family, and are read here once for all.
"""

from __future__ import annotations

import re
from functools import lru_cache

from redpen.guards.claims.found import Claim
from redpen.guards.claims.frame import Frame
from redpen.guards.claims.frames_around import FRAMES_AROUND
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.reading import Sentence, read_sentences
from redpen.guards.claims.unended import tells_no_end
from redpen.guards.claims.unoffered import is_unoffered

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
        r"|(?:will |does |do )?not cost you (?:your|a|the)"
        r" (?:place|ticket|seat|spot|turn|booking|progress|slot)\b)",
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
        r"^(?:do )?not (?:to )?(?:delete|lose(?! (?:any )?(?:sleep|heart|hope))|miss|repeat"
        r"|request|change|reinstall|damage|destroy|send|order)\b",
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
    Frame(
        _SURE,
        r"\b(?:expectations?|estimates?|hopes?|guess|aim|goal|target|forecast|assumption)\b[^;:.]*"
        rf"\b(?:is|are|was|remains) that\b{_ON}",
        "",
        "Our expectation, which could change, is that sales will be restored by then.",
        "Our promise, which cannot change, is that sales will be restored by then.",
    ),
    Frame(
        _SURE,
        r"^(?:and |but |as to )?(?:how(?: long| soon| far)?|why|when|where|whether|if)\b[^;:.]*",
        r"(?:\b(?:we|i|they) (?:can|could|do|are|am) not(?: yet| able| to)*"
        r"|\b(?:nobody|noone|no one)(?: can| could)?)"
        r" (?:say|tell|knows?|name|predict|foresee|judge|estimate)\b(?! (?:of|any)\b)"
        r"|\b(?:is|are|remains?)(?: still| yet)?"
        r" (?:not (?:yet )?(?:known|clear|certain)|un(?:known|clear|certain)|open)\b",
        "How long the queue will go on, we cannot say.",
        "How long? The show will go on, we can say.",
    ),
    Frame(
        frozenset(("guarantee", "resolution")),
        r"\b(?:we|i|you|they|staff|colleagues?|teams?|clerks?|clinics?|schools?|desks?)(?: \w+){0,2}?"
        r" (?:(?:will|'ll|can|should)(?: \w+)? (?:get|have|receive|see|find|read)(?: \w+){0,2}?"
        r" (?:word|news|updates?|messages?|mails?|emails?|calls?|answers?|reply|replies|notes?|texts?)\b"
        r"|(?:will|'ll) (?:get|come|be) back (?:to (?:you|everyone|everybody|all|them)|with|here)\b"
        r"|(?:will|'ll|can)(?: \w+)? (?:send|mail|email|post|text|print|issue|read|show|explain)"
        r" (?:it|them|that|this|one)(?: to you| out| off)? (?:again|anew|once more))",
        "",
        "You will get word from us again.",
        "You will get parcels from us again.",
    ),
    Frame(
        _SURE,
        r"^(?:you|readers) (?:will|can) always (?:find|read|see|get|have)(?: \w+){0,2}?"
        r" (?:news|state|status|updates?|word|information|figures|answers?)\b",
        "",
        "You will always find the latest news here.",
        "You will always find your money here.",
    ),
    Frame(
        frozenset(("reassurance",)),
        r"",
        r"^not be left without (?:news|word|updates?|information|an? (?:answer|reply|update|word))\b",
        "You will not be left without news.",
        "You will not be left without power.",
    ),
    Frame(
        _SURE,
        r"",
        r"^(?:promise[sd]?|assure[sd]?|guarantee[sd]?)(?: \w+)? (?:us|me)\b",
        "Our supplier has promised us an answer.",
        "Our supplier has promised you an answer.",
    ),
    Frame(
        _SURE,
        r"(?:\b(?:we|i) (?:were|was|have been|had been)(?: also)?|(?:^|[;:.] )as)",
        r"^(?:promised|assured|guaranteed)(?: (?:of )?(?:an? )?(?:answer|reply|call|report)\b"
        r"| ?, (?:here is|here are|we (?:are writing|write|report)|this is)\b)",
        "As promised, here is our update.",
        "As promised, it will be back.",
    ),
    Frame(
        _KEPT,
        r"^(?:please )?(?:never|do not) (?:leave|let|give|hand|open|send|share|tell|store|keep|put|touch|move"
        r"|unplug|switch|turn|drive|walk|use)\b",
        "",
        "Never leave the device unattended.",
        "The device never left the room.",
    ),
    Frame(
        frozenset(("reassurance",)),
        r"",
        r"^(?:\w+ ){0,5}(?:is|are|was|were|gets?|got|being) (?:\w+ )?"
        r"(?:dropped|lost|stuck|missing|cut|held|stopped|rejected|declined|refused|abandoned|delayed"
        r"|late|slow|blocked|broken|interrupted|failing) there\b",
        "Some orders are dropped there.",
        "Your orders are there.",
    ),
    Frame(
        _GIVES,
        r"\b(?:rumou?rs?|hearsay|gossip|speculation|stories|claims)\b[^;:]*",
        r"\b(?:going (?:a?round|about)|(?:doing|making) the rounds|circulat\w+|spreading|afloat)\b",
        "Rumours of free passes are going round.",
        "Free passes are going out, whatever rumours say.",
    ),
    *FRAMES_AROUND,
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
    if claim.family == "resolution" and tells_no_end(sentence, inside[0], inside[-1]):
        return True
    return is_unoffered(sentence, inside[0], claim)


def _ends_in(pattern: re.Pattern[str], until: str, through: str) -> bool:
    """Whether a pattern reaches the claim from the left, or stands in its first words."""
    return any(found.end() >= len(until) for found in pattern.finditer(through))
