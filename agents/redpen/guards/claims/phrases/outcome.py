"""Phrases of an outcome: trouble dried up, was closed, stopped; things are where they belong or run well."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_over = partial(Phrase, "resolution", "state")
_is = partial(Phrase, "resolution", "copula")
_said = partial(Phrase, "resolution", "word")
_gone = partial(Phrase, "resolution", "always")

OUTCOME = (
    _over(
        "~get/~be on top of",
        "We have got on top of the problem.",
        "It comes on top of the problem.",
    ),
    _over(
        "@trouble * ^~dry/~peter/~tail/~taper/~die/~clear/~fizzle/~burn/~let/~go/~wear/~sort/~resolve/~work "
        "up/out/off/away/quiet/silent/itself/themselves",
        "The failures have dried up.",
        "The failures have not dried up.",
    ),
    _over(
        "@trouble ~have *? ^reached/met/found/seen its/their/an/the end",
        "The incident has reached its end.",
        "The incident has not reached its end.",
    ),
    _is("done/finished/over/through with", "The wobble is through with.", "We are not done with the checks."),
    _said("a wrap", "That's a wrap.", "That is not a wrap yet."),
    _gone(
        "~close/~end/~conclude/~retire the/this/our/today's *? incident/case/ticket/matter/chapter/issue/"
        "event",
        "With this message we close the incident.",
        "We will close the incident only when it is over.",
        unless="will only until when once not before after if to would can may",
    ),
    _said(
        "~bring/~draw the/this/it/our *? incident/outage/matter/disruption/issue/event to a/an close/end",
        "This brings the incident to a close.",
        "We want to bring the incident to an end.",
        unless="will want hope aim try trying working work would",
    ),
    _over(
        "~stop/~cease/~quit failing/dropping/crashing/erroring/declining/bouncing/timing/hanging/stalling/"
        "buffering/flapping/lagging/freezing/breaking/coming/occurring/happening",
        "Payments stopped breaking a while ago.",
        "Payments have not stopped failing.",
    ),
    _gone(
        "the/our last failed/late/stuck/wrong/such *? @trouble/payment/order/message/call/report ~be * ago",
        "The last failed payment was seen some time ago.",
        "The last update was posted some time ago.",
        unless="update message note notice",
    ),
    _is(
        "where it/they/things should/ought/belong/belongs/normally/usually/was/were/always",
        "Checkout performance is where it should be.",
        "Checkout performance is not where it should be.",
    ),
    _over(
        "~come/~go/~get/~drop/~fall/~climb * to? where it/they *? should/ought/belong/belongs/normally/"
        "usually/was/were/is",
        "Latency has come down to where it normally is.",
        "Latency has not come down to where it normally is.",
    ),
    _over(
        "@repairs * ^~be in place/effect/production",
        "The patch is in place.",
        "The patch is not in place.",
        unless="workaround workarounds limit limits checks monitoring measures alternative update updates "
        "schedule plan team process guidance",
    ),
    _said(
        "we/you/customers ~have full/normal/complete/regular service/access/functionality/operations/"
        "capacity",
        "We have full capacity.",
        "We do not have full service.",
        unless="yet working work once",
    ),
    _gone(
        "~be doing/holding/looking fine/well/great/okay/ok/nicely/good/steady/strong again/now/$",
        "Payments are doing fine.",
        "Payments are not doing fine.",
        unless="we you team hope if not until once when",
    ),
    _gone(
        "no/nobody/nothing/none/zero * ~be/~remain waiting/pending/queued/stuck/blocked/failing/outstanding/"
        "backed/delayed/locked/late/broken/down/wrong",
        "No customers are waiting.",
        "Some customers are waiting.",
        unless="longer yet whether know knows if need that who which",
    ),
    _over(
        "payments/orders/messages/transactions/requests/emails/calls/codes/deliveries/events/files/all/"
        "everything ~be all? ^through $",
        "Good news, calls are through.",
        "The payments are not through.",
    ),
    _said(
        "a closed chapter/case/matter/book/issue",
        "The payment issue is a closed chapter.",
        "The payment issue is not a closed chapter.",
    ),
    _over("we ~be back $", "We're back.", "We will write when we are back."),
    _over("we ~be back in/now/online/up", "We are back now.", "We are not back now.", unless="touch minutes"),
    _over(
        "~be humming/purring/ticking/chugging/cruising/sailing along/away/nicely/over/again/happily/$",
        "Checkout is chugging along nicely.",
        "Checkout is not humming along.",
    ),
    _gone(
        "things/everything/all/numbers/metrics/graphs/dashboards ^~look/~be all/quite/looking? "
        "good/fine/great/normal/okay/rosy",
        "We undid the change and things look good.",
        "Things do not look good.",
        unless="not yet until once when if to will should may might could would whether hope",
    ),
    _gone(
        "all/every/each/both * ~be *? completing/succeeding/loading/arriving/processing/clearing/flowing/"
        "connecting/responding/delivering",
        "All checkouts are completing.",
        "Not all checkouts are completing.",
        unless="not almost nearly late slowly",
    ),
    _gone(
        "now ^@works",
        "Doors now spring open.",
        "Doors now open for some customers only.",
        unless="takes take some few only slowly late partly not to will should may might could would "
        "once until if whether hope please we you hand manual manually phone desk instead longer later more "
        "workaround error errors nothing blank wrong twice",
    ),
    _gone(
        "@service ^work/works/function/functions/load/loads/complete/completes/succeed/succeeds/respond/"
        "responds/connect/connects/flow/flows now",
        "Everything works now.",
        "Some pages work now.",
        unless="some few only slowly late partly not to will should may might could would once until "
        "when if whether hope",
    ),
    _over(
        "work/works/complete/completes/load/loads/succeed/succeeds/go/goes/connect/connects through? on/at/"
        "the/in the/first/every/one first/attempt/try/go/time/attempt",
        "Orders complete at one attempt.",
        "Orders do not complete on the first attempt.",
        unless="some few not second only",
    ),
    _over(
        "late/failed/stuck/missing/delayed/queued/waiting/pending/held/lost/affected/undelivered/unsent/"
        "overdue/remaining/outstanding/missed * ~have now/all/already/since/finally? been now/all/since? "
        "^delivered/sent/processed/completed/replayed/rerun/resent/paid/restored/released/cleared/recovered/"
        "dispatched/settled/corrected/repaired/loaded/credited/published",
        "Stuck orders have now been processed.",
        "Stuck orders have not been processed.",
        unless="some few partly not",
    ),
    _gone(
        "as promptly/quickly/fast/swiftly/reliably/smoothly/well/usual/normal/snappy/quick/responsive as "
        "ever/before/usual/always/normal/on/any/yesterday/they/it/we",
        "Calls are answered as promptly as on any other day.",
        "Calls are not answered as promptly as on other days.",
        unless="not never yet until once hope want work working should may can could half twice times third "
        "quarter nearly almost nowhere barely hardly",
    ),
    _gone(
        "nothing/none ~be/~remain left/remaining/outstanding of/in/on/to?",
        "None remain left of it.",
        "Much is left of the backlog.",
        unless="until once when if",
    ),
    _over(
        "~find its/their/our feet/footing/rhythm/stride/balance",
        "The portal has found its feet again.",
        "The portal has not found its feet.",
    ),
    _gone(
        "the last/final/remaining of? the? late/failed/stuck/delayed/missing/waiting/queued/affected/open * "
        "went/gone/sent/left/cleared/delivered/done/processed/fixed/closed",
        "The last of the late orders went out.",
        "The last of the late orders is still waiting.",
        unless="not once until when if",
    ),
    _gone(
        "all/every/each/remaining/delayed/late/stuck/missing/queued * ~be on its/their/the way",
        "All delayed shipments are on their way.",
        "An update is on its way.",
        unless="not until once when if",
    ),
    _over(
        "^~be visible/shown/displayed/listed to/for/in? all/every/everyone/again/now/once",
        "Balances are visible to all customers.",
        "Balances are not visible to all customers.",
    ),
    _gone(
        "full/whole/entire hour/day/morning/afternoon/night/while without",
        "We had a full night without one.",
        "We have had a full hour of errors.",
        unless="until once when power service access",
    ),
    _gone(
        "not missed/missing/skipped/skipping a beat",
        "Checkout hasn't missed a beat since noon.",
        "Checkout misses a beat now and then.",
    ),
    _over(
        "~be signed off $",
        "The incident has been signed off.",
        "The incident has not been signed off.",
    ),
    _over(
        "on sale/offer/air/screen/line again/anew",
        "Tickets are on sale anew.",
        "Tickets are not on sale again.",
    ),
    _over(
        "chapter closed/finished/done",
        "Consider that chapter closed.",
        "We do not consider the chapter closed.",
    ),
    _over(
        "~stop/~cease/~quit being",
        "The gates have stopped being difficult.",
        "The gates have not stopped being difficult.",
    ),
    _over(
        "~follow suit",
        "The other terminals have followed suit.",
        "The other terminals have not followed suit.",
    ),
)
