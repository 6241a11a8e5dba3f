"""Phrases that say that things are as they were: back, up, normal, under control, on track."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_state = partial(Phrase, "resolution", "state")
_word = partial(Phrase, "resolution", "word")
_always = partial(Phrase, "resolution", "always")
_copula = partial(Phrase, "resolution", "copula")

NORMALITY = (
    _state(
        "back in/to/on/at/among work/normal/full/business/its/their/health/life/usual/service/baseline/where/"
        "what/regular/standard/capacity/action/operation/order/shape/form/track/line/air/feet/schedule/"
        "course/production/now/perfect",
        "Checkout is back at capacity.",
        "We are getting back to normal.",
        unless="sender senders bounce bounces bounced",
    ),
    _state(
        "back on/up/online/live/again $",
        "Sign-in is back on.",
        "We will be back with an update.",
    ),
    _state(
        "back under/within/where *",
        "Latency is back within its limits.",
        "Latency is not back within its limits.",
        unless="hour hours minute minutes day days seconds",
    ),
    _state(
        "good/right as new/gold/rain/ever/before",
        "Checkout is as good as gold.",
        "Checkout is not yet as good as new.",
    ),
    _state(
        "in/at full/normal/perfect/good/working/complete/regular/top/proper/fine/peak service/order/"
        "operation/capacity/strength/speed/health/shape/swing/form/working/condition/function/"
        "performance/throttle/flow",
        "Search is in full service.",
        "Search is not yet in full service.",
    ),
    _state(
        "under control/wraps",
        "The situation is under control.",
        "We are working to bring the situation under control.",
    ),
    _state(
        "within/at/near/inside normal/usual/expected/healthy/regular/baseline/typical/acceptable/"
        "target range/limits/levels/bounds/parameters/values/level/rates/thresholds/tolerances/"
        "operations",
        "Latency is within normal limits.",
        "Latency is not within normal limits.",
    ),
    _state(
        "at/to/on/within/near baseline",
        "Errors are at baseline.",
        "Errors are not at baseline.",
    ),
    _state(
        "~return to normal/normality/normalcy/service/baseline/health/operation/usual/full/its/their/"
        "pre/regular/life/production/form",
        "Traffic has returned to form.",
        "Traffic should return to normal.",
    ),
    _state(
        "~come/~get/~go/~bounce/~swing/~snap/~spring/~be/~bring/~put/~switch/~have/~fall/~drop/~settle/~ease "
        "back *? online/up/live/normal/service/action/life/track/order/together/operation/baseline/business/"
        "usual/working/levels/place",
        "Sign-in snapped back into life.",
        "We are working to bring sign-in back online.",
    ),
    _state("~catch up", "Delivery has caught up.", "Delivery is still catching up."),
    _state(
        "~clear/~wrap/~patch/~mop/~clean/~tidy/~button/~fix up",
        "Everything is mopped up.",
        "Nothing is wrapped up yet.",
    ),
    _state(
        "~make good/whole",
        "The gap has been made whole.",
        "The gap has not been made good.",
    ),
    _state(
        "~roll back",
        "The faulty change has been rolled back.",
        "The change is being rolled back.",
    ),
    _state(
        "all/everything systems/green/lights go/green/normal/clear",
        "All systems go.",
        "We are not yet at all systems go.",
    ),
    _state(
        "~bring/~get/~put/~switch/~turn the/all/our/your/everything/it/them/every/services/service/"
        "everyone/things * back/online/live",
        "The resolvers brought the service back.",
        "We are trying to bring the service back.",
    ),
    _state(
        "at/within/to its/their/the/our usual/normal/regular/full/old/typical/former pace/speed/"
        "level/levels/rate/rhythm/range/capacity/volume/performance/strength/state",
        "Mail moves at its usual pace.",
        "Mail does not move at its usual pace.",
        unless="cost costs price fee fees charge charged order ordered eur usd euro euros dollars "
        "pounds visit news update updates post posts notes bulletin",
    ),
    _copula("up to date", "Search is up to date.", "Search is not up to date."),
    _state(
        "~get the/all/our/your/everything/it/them/things/sign/checkout/payments/mail/search * "
        "working/running/going/moving/flowing",
        "We got the form working.",
        "We are trying to get the form working.",
    ),
    _state(
        "~pay/~send/~settle/~clear out? in full",
        "Salaries have been paid in full.",
        "Salaries have not been paid in full.",
    ),
    _copula(
        "in good? order",
        "Everything about it is in order.",
        "We rerun the jobs in order.",
    ),
    _copula(
        "at? zero/nil",
        "The failure rate is at zero.",
        "The failure rate is not at zero.",
    ),
    _state(
        "~fall/~drop/~go/~return/~come/~shrink down? to zero/nil/0/nothing/none",
        "Errors have dropped to zero.",
        "Attempts to log in come to nothing.",
        unless="attempt attempts tries efforts effort search searches",
    ),
    _state(
        "back? on air",
        "The channel is on air.",
        "The channel is not back on air.",
    ),
    _state(
        "in the green/black/pink",
        "Every zone is in the green.",
        "Not every zone is in the green.",
    ),
    _always(
        "impact/losses/effect/failures/errors/remaining/outstanding : none/nil/zero",
        "Customer impact: none.",
        "Customer impact: some.",
    ),
    _word(
        "full/complete/total recovery/restoration/resolution",
        "We can confirm full recovery.",
        "We are working towards full recovery.",
    ),
    _word(
        "full/normal/regular service/functionality/access/operation/operations/processing/"
        "availability ~have/~be *? resumed/restored/returned/back",
        "Normal service has returned.",
        "We will confirm when normal service has resumed.",
    ),
)
