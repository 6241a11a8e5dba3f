"""The claims of a revised text that nothing allows, as violations."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from redpen.guards.claims.affirmed import find_affirmed
from redpen.guards.claims.allowance import Allowance
from redpen.guards.claims.carried import is_carried_over
from redpen.guards.claims.echoed import is_echoed
from redpen.guards.claims.finding import find_claims
from redpen.guards.claims.found import Claim
from redpen.guards.claims.late_payments import is_late_payment
from redpen.guards.claims.quoted import is_disowned
from redpen.guards.claims.restated import is_restated
from redpen.guards.claims.supported import is_supported
from redpen.guards.claims.sworn import swears_anew
from redpen.guards.claims.taken_back import is_taken_back
from redpen.guards.claims.told_good import GOES_WELL, LIFTED
from redpen.guards.claims.unsupported import find_unsupported
from redpen.guards.claims.weighing import Weighing
from redpen.guards.report import Finding
from redpen.text.views import View


def find_restricted_claims(
    *, revised: View, original: View, context: Mapping[str, Any], inherit: bool
) -> tuple[Finding, ...]:
    """Find the claims of a revised text that nothing allows.

    Args:
        revised: the text to judge.
        original: the text it revises.
        context: the incident context, any JSON object.
        inherit: whether a claim may stand that context or original already makes in the same polarity;
            otherwise only an approved action allows one.

    Returns:
        Violations ``restricted_claims`` in the order of the text.
    """
    text, before = revised.text, original.text
    weighing = Weighing(text, before, context, inherit=inherit)
    claims = find_claims(text, weighing.quiet)
    told = find_unsupported(text, before, context, weighing.quiet)
    affirmed = tuple(find_affirmed(text, before))
    heavy = tuple(weighing.heavy())
    if not (claims or told or affirmed or heavy):
        return ()
    allowance = Allowance(context, before, text, inherit=inherit)
    new = [
        claim
        for claim in claims
        if not allowance.covers(claim)
        and not is_carried_over(claim, before)
        and (
            swears_anew(claim, text, before)
            or not (is_restated(claim, text, before) or is_supported(claim, text, before, context))
        )
        and not _is_unmade(claim, text)
        and not is_late_payment(claim, text, before)
    ]
    # Where a rule read a claim that is allowed, a bright word or a denial beside it says nothing more.
    allowed = [claim for claim in claims if claim not in new and not claim.offered]
    new += [
        claim
        for claim in told
        if not _overlaps(claim, new)
        and not _is_unmade(claim, text)
        and (claim.says == LIFTED or not allowance.gives(claim))
        and not allowance.is_cued(claim.family)
        and (
            (claim.says != GOES_WELL and claim.family != "reassurance")
            or not (_overlaps(claim, allowed) or is_restated(claim, text, before))
        )
    ]
    new = [
        claim
        for claim in new
        if swears_anew(claim, text, before)
        or not (is_echoed(claim, text, before, context, inherit=inherit) or weighing.is_light(claim))
    ]
    new += [
        claim
        for claim in heavy
        if not (_overlaps(claim, new) or _overlaps(claim, allowed) or _is_unmade(claim, text))
    ]
    new += [
        claim
        for claim in affirmed
        if not (_overlaps(claim, new) or _is_unmade(claim, text) or allowance.gives(claim))
    ]
    return tuple(
        _violation(revised, claim) for claim in sorted(new, key=lambda claim: (claim.start, claim.end))
    )


def _is_unmade(claim: Claim, text: str) -> bool:
    """Whether a text does not make a claim by what stands around it: quotation marks, or a frame."""
    return is_disowned(claim, text) or is_taken_back(claim, text)


def _overlaps(claim: Claim, others: Iterable[Claim]) -> bool:
    return any(claim.start < item.end and item.start < claim.end for item in others)


def _violation(view: View, claim: Claim) -> Finding:
    start, end = view.span(claim.start, claim.end)
    return Finding(
        code="restricted_claims",
        family=claim.family,
        span=(start, end),
        text=view.given[start:end],
        reading=f"'{view.text[claim.start : claim.end]}' = {claim.says}",
        reason=f"no approved action says this ({claim.family}), and nothing else allows it",
    )
