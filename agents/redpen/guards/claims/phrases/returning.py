"""Phrases that say that money or goods come back, are made good, or are owed."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import UNDECIDED, Phrase

_back = partial(Phrase, "commitment", "word", kind="refund")
_righted = partial(Phrase, "commitment", "word", kind="compensation")

RETURNING = (
    _back(
        "~get/~receive/~have/~see/~claim/~take/~find/~expect * @money/@fee back",
        "Anyone who misses out gets their booking fee back.",
        "We will get back to you about the fee.",
    ),
    _back(
        "~get/~receive/~have/~claim/~see back what/your/their/the/every/all/each/any/half *? paid/spent/"
        "@money/@fee",
        "You will get back what you paid.",
        "We will get back to you about the payment.",
    ),
    _back(
        "~give/~hand/~pay/~send/~put/~transfer/~return/~wire/~bring/~move/~credit * @money/@fee "
        "straight/right/directly? back/~return",
        "We give that duplicate charge back.",
        "We give you an estimate of the charge.",
        unless="want wants wanting wanted ask asks asking",
    ),
    _back(
        "~give/~hand/~pay/~send/~transfer/~wire/~refund it/them/that/this/all/everything/these back",
        "Did you pay the fee? We'll pay it back.",
        "We cannot pay it back.",
        unless="file files form forms copy link",
    ),
    _back(
        "~give/~hand/~pay/~send/~transfer/~wire back the/your/their/all/any/every/each/that/this/what",
        "We will hand back the fee.",
        "Please write back to us.",
    ),
    _back(
        "@money/@fee/tuition/purchase/purchases/coins/points & ^returned/reversed/repaid/voided",
        "The deposit is returned.",
        "The deposit is not returned.",
        unless=f"{UNDECIDED} late error errors fail fails failed some details information update",
    ),
    _back(
        "taken/charged/debited/collected/deducted/billed/paid in/by/twice/wrongly/double/too & "
        "~return/~reverse/~repay",
        "Return top-ups that were taken in error.",
        "We cannot return top-ups that were taken in error.",
        unless=f"{UNDECIDED} late fail fails failed",
    ),
    _back(
        "@money/@fee/tuition/purchase/purchases/coins/points & ^given/handed/paid/sent/transferred back",
        "Tuition for the missed lessons will be given back.",
        "Tuition for the missed lessons will not be given back.",
        unless=f"{UNDECIDED} late error errors fail fails failed some details information update",
    ),
    _back(
        "~return/~reverse/~repay/~void/~undo the/your/any/all/every/each/that/these/those/duplicate/what *? "
        "@fee/@money/paid/lost",
        "Shops repay every charge.",
        "We cannot reverse every charge.",
    ),
    _back(
        "amount/amounts/money/sum/sums/deposit/fee/charge/charges/paid/payment/payments/cost/costs & "
        "~be/~land/~end/~go/~come/~flow/~find/~travel/~appear/~arrive/~reach straight/right/directly? back "
        "up? in/on/at/to/with/into/onto",
        "Anything you paid wrongly will land back on your card.",
        "The amount is not back in your account.",
    ),
    _back(
        "~be given/handed/paid/sent/put/returned/transferred/credited back to/on/into/in "
        "you/your/their/customers/players/the/full",
        "Lost boosters will be given back to you.",
        "Lost boosters cannot be given back to you.",
    ),
    _back(
        "~go/~come/~flow/~travel/~send/~return/~pay straight/right/directly? back to/onto/into your/you/the/"
        "their/customers/guests card/cards/account/accounts/wallet/you/bank/$",
        "The booking fee returns straight back to your card.",
        "We do not know whether the fee goes back to your card.",
    ),
    _back(
        "what/everything/anything/all you/they/customers/anyone ~lose/~pay/~spend/~miss & "
        "~return/~repay/~replace/~honour/~honor/~cover/~claim/~refund/~reimburse/~match",
        "Customers can claim what they lost from us.",
        "We cannot return what you lost.",
        unless=f"{UNDECIDED} find",
    ),
    _righted(
        "~put/~make/~set/~see/~get things/it/this/that/you/matters/everything/all/them/everyone *? "
        "right/good/straight/whole/square/even for/with/by you/anyone/customers/those/every/all/each/"
        "everyone/whoever",
        "We intend to get things right for anyone who lost money.",
        "We cannot put things right for anyone.",
    ),
    _righted(
        "~square/~settle it/this/that/things/up with you/customers/them/everyone",
        "We'll square it with you.",
        "We cannot square it with you.",
    ),
    _righted("~do right by", "We will do right by you.", "We cannot say how to do right by you."),
    _righted(
        "~look/~see after? you/anyone/those/everyone/whoever/them right",
        "We will see you right.",
        "We do not look after anyone.",
        unless="messages message reports you're",
    ),
    _righted(
        "@readers * ~be owed/due an/a/the/their/your/some/money/@perk",
        "Travellers who miss their train are owed a new ticket.",
        "Travellers are not owed a ticket.",
        unless="answer answers explanation update clarity honesty thanks apology news",
    ),
)
