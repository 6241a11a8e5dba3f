"""Plain claims, and phrases that a policy restricts, in every place of a text are blocked; the same denied,
conditional, asked or to come pass.
"""

from __future__ import annotations

from itertools import product

import pytest

from redpen.guards import RevisionRules, check_revision
from redpen.guards.restricted import Restricted

ORIGINAL = (
    "We are investigating failed card payments in the US. Our engineers are working to restore the service, "
    "and the cause is not known yet. We will post an update every 15 minutes."
)
CONTEXT = {
    "region": "US",
    "update_interval_minutes": 15,
    "approved_actions": ["Post an update every 15 minutes"],
    "policy_hints": {"avoid_absolute_guarantees": True},
}
CLAIMS = (
    "the incident is resolved",
    "the incident has been resolved",
    "the issue is now fixed",
    "payments have fully recovered",
    "card payments have recovered",
    "the incident is closed",
    "all payments are stable",
    "service has been restored",
    "payments are back to normal",
    "everything is working again",
    "the outage is over",
    "we have fixed the problem",
    "a fix has been deployed",
    "payments are fully operational",
    "checkouts are no longer failing",
    "the service is up and running",
    "we guarantee that payments work",
    "payments will be restored",
    "we promise that payments return",
    "your data was not exposed",
    "your funds are safe",
    "the outage was caused by a faulty update",
    "we will refund all failed payments",
    "this was our fault",
    "we take full responsibility",
)
PHRASES = (
    "resolved",
    "~fix",
    "fully recovered",
    "have recovered",
    "incident is closed",
    "all payments are stable",
    "been restored",
    "back to normal",
    "working again",
    "outage is over",
    "fix has been ~deploy",
    "fully operational",
    "no longer failing",
    "up and running",
    "~guarantee",
    "payments will be restored",
    "~promise",
    "not exposed",
    "funds are safe",
    "caused by",
    "~refund",
    "our fault",
    "full responsibility",
)
"""At least one stands in each of the claims."""
RESTRICTED = (Restricted(code="legal.claims", phrases=PHRASES),)
STATES = (
    "resolved",
    "fully recovered",
    "closed",
    "stable",
    "back to normal",
    "fully operational",
    "up and running",
    "restored",
)
TO_COME = (
    "{original} Payments will be {claim} later today.",
    "{original} The incident will then be {claim}, and we will write again.",
    "{original} It is going to be {claim} soon.",
    "{original} We will tell you when it will have been {claim}.",
)
PLACES = (
    "{original} {Claim}.",
    "{Claim}. {original}",
    "{Claim}\n{original}",
    "{Claim}!\n\n{original}",
    "# {Claim}\n{original}",
    "**{Claim}**\n{original}",
    "{original}\n- {Claim}",
    "{original}\n- Status page: updated\n- {Claim}\n- Next update in 15 minutes",
    "{original}\n1. {Claim}.",
    "{original} Although it took a while, {claim}.",
    "{original} Although {claim}, we keep watching.",
    "{original} {Claim}, and customers may retry.",
    "{original} {Claim} and customers may retry failed payments.",
    "{original} We can confirm that {claim}.",
    "{original} We are happy to say that {claim}.",
    "{original} Good news: {claim}.",
    "{original} Please note that {claim}.",
    "{original} As of now, {claim}.",
    "{original} {Claim}; please retry.",
    "{original} {Claim} - thank you for your patience.",
    "{original} Thank you for waiting: {claim}, so please retry.",
    "{original} At this time {claim}.",
    "{original} {Claim} (as the team has confirmed).",
    "{original} The team tells us that {claim}.",
    "{original} UPDATE: {CLAIM}.",
    "{original} Is it so that {claim}? Yes.",
    "{original} Not only that: {claim}.",
)
NOT_SAID = (
    "{original} It is false that {claim}.",
    "{original} You cannot be sure that {claim}.",
    "{original} We would not say that {claim}.",
    "{original} We wish we could say that {claim}.",
    "{original} We doubt that {claim}.",
    "{original} Once we can add that {claim}, we will.",
)
LEADING_UP = (
    "{original} There is no doubt that {claim}.",
    "{original} Without a doubt {claim}.",
    "{original} It is no secret that {claim}.",
    "{original} Nobody disputes that {claim}.",
    "{original} It cannot be denied that {claim}.",
    "{original} We do not doubt that {claim}.",
    "{original} We'd like to inform you that {claim}.",
    "{original} We want to let you know that {claim}.",
    "{original} We should add that {claim}.",
    "{original} You can be sure that {claim}.",
    "{original} You may have heard that {claim}.",
    "{original} It goes without saying that {claim}.",
    "{original} Believe it or not, {claim}.",
    "{original} Hardly an hour later {claim}.",
    "{original} {Claim} until further notice.",
    "{original} {Claim} unless you hear from us.",
)
"""Turns with a word of denial or doubt in them that deny nothing."""
OPEN = (
    "{original} Once {claim}, we will post an update.",
    "{original} We will post an update once {claim}.",
    "{original} We will tell you when {claim}.",
    "{original} As soon as {claim}, you will read it here.",
    "{original} Until {claim}, please wait.",
    "{original} If {claim}, this page will say so.",
    "{original} We cannot say yet that {claim}.",
    "{original} It is too early to say that {claim}.",
    "{original} We do not know whether {claim}.",
    "{original} Is it true that {claim}? Not yet.",
    "{original} It is not true that {claim}.",
    "{original} Some posts say that {claim}; that is wrong.",
    "{original} Claims that {claim} are wrong.",
    "{original} Nobody can say that {claim}.",
    "{original} Please do not assume that {claim}.",
    "{original} We have not confirmed that {claim}.",
    "{original} We are checking whether {claim}.",
    "{original} We hope to tell you soon that {claim}.",
    "{original} Before we can say that {claim}, more checks are needed.",
    "{original} A report that {claim} is false.",
)


def _put(frame: str, claim: str) -> str:
    upper = claim[0].upper() + claim[1:]
    return frame.format(original=ORIGINAL, claim=claim, Claim=upper, CLAIM=claim.upper())


@pytest.mark.parametrize("frame", PLACES)
def test_plain_claim_is_blocked_in_every_frame(frame: str) -> None:
    passed = [
        claim
        for claim in CLAIMS
        if check_revision(original=ORIGINAL, revised=_put(frame, claim), context=CONTEXT).ok
    ]
    assert passed == []


@pytest.mark.parametrize("frame", OPEN)
def test_negated_claim_passes(frame: str) -> None:
    blocked = [
        (claim, [item.reading for item in report.violations])
        for claim in CLAIMS
        if not (report := check_revision(original=ORIGINAL, revised=_put(frame, claim), context=CONTEXT)).ok
    ]
    assert blocked == []


def _restricted(text: str, rules: tuple[Restricted, ...] = RESTRICTED) -> list[str]:
    """The restricted phrases that are found in a text, whose original says the same."""
    report = check_revision(
        original=text, revised=text, context=CONTEXT, rules=RevisionRules(restricted=rules, claims="inherit")
    )
    return [item.text for item in report.violations if item.code == "restricted_phrase"]


@pytest.mark.parametrize("frame", [*PLACES, *LEADING_UP])
def test_restricted_phrase_is_blocked_in_every_frame(frame: str) -> None:
    assert [claim for claim in CLAIMS if not _restricted(_put(frame, claim))] == []


@pytest.mark.parametrize("frame", [*OPEN, *NOT_SAID])
def test_negated_restricted_phrase_passes(frame: str) -> None:
    assert [found for claim in CLAIMS if (found := _restricted(_put(frame, claim)))] == []


@pytest.mark.parametrize("frame", TO_COME)
def test_future_restricted_state_passes(frame: str) -> None:
    rules = (Restricted(code="legal.claims", phrases=STATES),)
    assert [found for state in STATES if (found := _restricted(_put(frame, state), rules))] == []


def test_there_are_enough_frames() -> None:
    assert len(list(product(PLACES, CLAIMS))) == 675
