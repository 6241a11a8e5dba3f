"""Idioms and fixed phrases that make a claim, with an example that each row blocks and one it lets pass.

A pattern is a row of places parted by spaces. A place is a word, alternatives parted by ``/``, ``~verb`` for
any form of a verb, or ``*`` for up to four words of any kind; ``?`` at its end makes a place optional. Up to two
adverbs may stand before any place but the first.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

Family = Literal["resolution", "guarantee", "reassurance", "cause", "commitment", "liability"]

Use = Literal["state", "word", "always"]
"""``state``: a predicate, judged by its verb group (``will be`` makes a guarantee). ``word``: said unless
negation, condition or question take it back. ``always``: as ``word``, but holds its own negation."""


class Phrase(NamedTuple):
    """One phrase.

    Attributes:
        family: what it claims.
        use: how it is judged.
        pattern: its places.
        blocks: a text that is a claim because of this row.
        passes: a text near it that is none.
    """

    family: Family
    use: Use
    pattern: str
    blocks: str
    passes: str


RESOLUTION = (
    Phrase("resolution", "state", "behind us/you", "The outage is behind us.", "The outage is not behind us yet."),
    Phrase("resolution", "state", "back in/to/on/at/up/online/normal/live/among/with *", "Checkout is back to normal.", "We are getting back to normal."),
    Phrase("resolution", "state", "back under/within/where *", "Latency is back within its limits.", "Latency is not back within its limits."),
    Phrase("resolution", "state", "up and running/about/going", "Checkout is up and running.", "We are working to get checkout up and running."),
    Phrase("resolution", "state", "up again", "The service is up again.", "The service is not up again."),
    Phrase("resolution", "state", "out of the/danger woods/wood/danger/tunnel?", "We are out of the woods.", "We are not out of the woods."),
    Phrase("resolution", "state", "in the clear", "The platform is in the clear.", "The platform is not in the clear yet."),
    Phrase("resolution", "state", "good/right as new/gold/rain/ever/before", "Checkout is as good as new.", "Checkout is not yet as good as new."),
    Phrase("resolution", "state", "in/at full/normal/perfect/good/working/complete/regular/top/proper/fine/peak service/order/operation/capacity/strength/speed/health/shape/swing/form/working/condition/function/performance/throttle/flow", "Search is in full service.", "Search is not yet in full service."),
    Phrase("resolution", "state", "under control/wraps", "The situation is under control.", "We are working to bring the situation under control."),
    Phrase("resolution", "state", "business/service/operations/things/everything as usual/normal/before", "It is business as usual.", "It is not business as usual."),
    Phrase("resolution", "state", "on/back on track/form/line/schedule/course/feet", "The pipeline is back on track.", "The pipeline is not back on track."),
    Phrase("resolution", "state", "within/at/near/inside normal/usual/expected/healthy/regular/baseline/typical/acceptable/target range/limits/levels/bounds/parameters/values/level/rates/thresholds/tolerances/operations", "Latency is within normal limits.", "Latency is not within normal limits."),
    Phrase("resolution", "state", "at/to/on/within/near baseline", "Errors are at baseline.", "Errors are not at baseline."),
    Phrase("resolution", "state", "~return to normal/normality/normalcy/service/baseline/health/operation/usual/full/its/their/pre/regular/life/production/form", "Traffic has returned to normal.", "Traffic should return to normal."),
    Phrase("resolution", "state", "~come/~get/~go/~bounce/~swing/~snap/~spring/~be/~bring/~put/~switch/~have/~fall/~drop/~settle/~ease back *? online/up/live/normal/service/action/life/track/order/together/operation/baseline/business/usual/working/levels/place/in/on/down", "Sign-in came back online.", "We are working to bring sign-in back online."),
    Phrase("resolution", "state", "~come/~draw/~bring to an/a end/close/halt/conclusion/stop", "The outage has come to an end.", "The outage has not come to an end."),
    Phrase("resolution", "state", "~run/~take its/their course", "The incident has run its course.", "The incident has not run its course."),
    Phrase("resolution", "state", "at an/its end", "The disruption is at an end.", "The disruption is not at an end."),
    Phrase("resolution", "state", "~catch up", "Delivery has caught up.", "Delivery is still catching up."),
    Phrase("resolution", "state", "~iron/~sort/~straighten/~work/~stamp/~root out", "The wrinkles have been ironed out.", "We are still ironing out the wrinkles."),
    Phrase("resolution", "state", "~clear/~wrap/~patch/~mop/~clean/~tidy/~button/~fix up", "Everything is wrapped up.", "Nothing is wrapped up yet."),
    Phrase("resolution", "state", "~die/~calm/~settle/~quiet/~quieten/~simmer down", "The errors have died down.", "The errors have not died down."),
    Phrase("resolution", "state", "~blow over/away", "The storm has blown over.", "The storm has not blown over."),
    Phrase("resolution", "state", "~go away", "The errors have gone away.", "The errors have not gone away."),
    Phrase("resolution", "state", "~put *? right/straight/behind/bed/rest", "The fault has been put right.", "We are working to put the fault right."),
    Phrase("resolution", "state", "~set *? right/straight", "Everything has been set right.", "We want to set everything right."),
    Phrase("resolution", "state", "~make good/whole", "The gap has been made good.", "The gap has not been made good."),
    Phrase("resolution", "state", "~take care of", "The fault has been taken care of.", "The fault is being taken care of."),
    Phrase("resolution", "state", "~deal with", "The fault has been dealt with.", "The fault is being dealt with."),
    Phrase("resolution", "state", "~nail/~pin/~bring/~hunt down? *? fixed/sorted/solved", "We got it sorted.", "We are trying to get it sorted."),
    Phrase("resolution", "state", "sorted", "It is all sorted.", "It is not sorted yet."),
    Phrase("resolution", "state", "~turn the/a corner", "We have turned the corner.", "We have not turned the corner."),
    Phrase("resolution", "state", "~lay/~put to rest/bed", "The matter has been laid to rest.", "The matter has not been laid to rest."),
    Phrase("resolution", "state", "~close the/this/our book/books/chapter/file/case/ticket/incident", "We have closed the book on this.", "We have not closed the book on this."),
    Phrase("resolution", "state", "~have/~see/~hear the last of", "We have seen the last of it.", "We have not seen the last of it."),
    Phrase("resolution", "state", "dust ~have/~be? ~settle", "The dust has settled.", "The dust has not settled."),
    Phrase("resolution", "state", "~roll back", "The faulty change has been rolled back.", "The faulty change is being rolled back."),
    Phrase("resolution", "state", "all/everything systems/clear/green/lights go/green/normal/clear?", "All systems go.", "We are not yet at all systems go."),
    Phrase("resolution", "word", "case/incident/matter/ticket/job/mission closed/done/accomplished/over", "Case closed.", "We will write when we call the case closed."),
    Phrase("resolution", "word", "the? all clear", "We can give the all-clear.", "We cannot give the all-clear."),
    Phrase("resolution", "word", "good/fresh as new", "It is good as new.", "It is not as good as new."),
    Phrase("resolution", "always", "~be/~have nothing/none more/left/further/else? to fix/do/repair/report/resolve/worry?", "There is nothing left to fix.", "There is something left to fix."),
    Phrase("resolution", "always", "no further/more/additional action/actions/work/steps/intervention/measures", "No further action is needed.", "Further action is needed."),
    Phrase("resolution", "always", "nothing further/more/else/left to do/fix/repair", "Nothing further to do here.", "We have more to do."),
    Phrase("resolution", "always", "problem/issue/error/trouble/incident/glitch/fault/bug/hassle free", "Checkout runs error-free.", "Checkout runs with errors."),
    Phrase("resolution", "always", "free of/from *? errors/error/problems/issues/faults/trouble/failures/interruptions/disruption", "Checkout is free of errors.", "Checkout shows errors."),
    Phrase("resolution", "word", "light at the end", "There is light at the end of the tunnel.", "There is no light at the end of the tunnel."),
    Phrase("resolution", "word", "plain/smooth sailing", "It is plain sailing from here.", "It is not plain sailing."),
    Phrase("resolution", "word", "the worst ~be over/past/behind", "The worst is over.", "The worst is not over."),
    Phrase("resolution", "state", "thing of the past", "Failures are a thing of the past.", "Failures are not a thing of the past."),
    Phrase("resolution", "state", "old/ancient news/history", "The outage is old news.", "The outage is not old news."),
    Phrase("resolution", "state", "~work/~burn/~run/~clear off/through/down", "The backlog has been worked off.", "We are working off the backlog."),
    Phrase("resolution", "state", "~bring/~get/~put/~switch/~turn the/all/our/your/everything/it/them/every/services/service/everyone/things * back/online/live", "The resolvers brought the service back.", "We are trying to bring the service back."),
    Phrase("resolution", "state", "at/within/to its/their/the/our usual/normal/regular/full/old/typical/former pace/speed/level/levels/rate/rhythm/range/capacity/volume/performance/strength/state", "Mail moves at its usual pace.", "Mail does not move at its usual pace."),
    Phrase("resolution", "word", "clean bill of health", "Search has a clean bill of health.", "Search does not have a clean bill of health."),
    Phrase("resolution", "word", "full/complete/total recovery/restoration/resolution", "We can confirm full recovery.", "We are working towards full recovery."),
    Phrase("resolution", "word", "full/normal/regular service/functionality/access/operation/operations/processing/availability ~have/~be *? resumed/restored/returned/back", "Normal service has resumed.", "We will confirm when normal service has resumed."),
)

GUARANTEE = (
    Phrase("guarantee", "word", "~guarantee/guarantees", "We guarantee delivery.", "We cannot guarantee delivery."),
    Phrase("guarantee", "word", "~promise", "We promise a quick answer.", "This is not a promise."),
    Phrase("guarantee", "word", "~pledge/~vow/~swear/~vouch/~warrant/warranty/guaranty", "We pledge that it works.", "We do not pledge that it works."),
    Phrase("guarantee", "word", "~assure/~reassure/assurance/assurances/assuredly", "We assure you that it works.", "We cannot assure you that it works."),
    Phrase("guarantee", "always", "definitely/certainly/undoubtedly/unquestionably/doubtless/surely/unfailingly/indisputably/undeniably/inevitably/categorically/unconditionally/incontestably/indubitably/infallibly/positively/unequivocally", "It will definitely work.", "It will probably work."),
    Phrase("guarantee", "always", "without fail/question/exception/doubt", "We will write every day without fail.", "We will write every day."),
    Phrase("guarantee", "always", "without a/any/the shadow/slightest? of? a? doubt/question/fail", "It works without a doubt.", "There is doubt."),
    Phrase("guarantee", "always", "beyond a/any/all/reasonable? doubt/question/dispute/shadow", "It works beyond doubt.", "There is doubt."),
    Phrase("guarantee", "always", "no doubt/question that/about/it?", "There is no doubt that it works.", "There is doubt about it."),
    Phrase("guarantee", "always", "make no mistake", "Make no mistake: it works.", "Do not make that choice."),
    Phrase("guarantee", "word", "for sure/certain", "It works for sure.", "We do not know for sure."),
    Phrase("guarantee", "word", "~rest assured/easy", "Rest assured.", "We cannot tell you to rest assured."),
    Phrase("guarantee", "word", "be assured", "Please be assured that we act.", "You cannot be assured of it."),
    Phrase("guarantee", "word", "you/customers/everyone/guests/users can/may be/feel/stay sure/certain/confident/assured", "You can be sure it works.", "You cannot be sure it works."),
    Phrase("guarantee", "word", "you ~have our/my word/assurance/guarantee/promise/commitment", "You have our word.", "You do not have our word."),
    Phrase("guarantee", "word", "our/my word of? honour/honor?", "We give our word.", "We cannot give our word."),
    Phrase("guarantee", "word", "mark/take our/my/it words/word/from", "Take our word for it.", "Do not take our word for it."),
    Phrase("guarantee", "word", "100/hundred/completely/absolutely/totally/entirely/fully % /percent/per cent? certain/sure/confident/certainty/guaranteed/reliable", "We are 100% certain.", "We are not 100% certain."),
    Phrase("guarantee", "word", "100 certain/sure/confident/certainty/guaranteed/reliable", "We are 100 certain.", "We are not 100% certain."),
    Phrase("guarantee", "word", "completely/absolutely/totally/entirely/fully/quite/very/utterly certain/sure/confident", "We are absolutely certain.", "We are not absolutely certain."),
    Phrase("guarantee", "word", "we/i are/am/is/remain/feel certain/sure/confident/positive/convinced", "We are certain that it works.", "We are not certain that it works."),
    Phrase("guarantee", "word", "with certainty/confidence", "We say it with certainty.", "We cannot say it with certainty."),
    Phrase("guarantee", "word", "it is certain/sure/inevitable", "It is certain that it works.", "It is not certain that it works."),
    Phrase("guarantee", "word", "~be/feel bound/sure/certain/destined to", "It is bound to work.", "It is not certain to work."),
    Phrase("guarantee", "word", "count/bank/depend/rely on us/it/this/that/our", "You can count on us.", "Do not count on it."),
    Phrase("guarantee", "word", "trust us/me", "Trust us.", "You need not trust us."),
    Phrase("guarantee", "always", "come what may", "We will deliver, come what may.", "We will write when we know more."),
    Phrase("guarantee", "always", "no matter what/how/whatever", "We will deliver no matter what.", "It matters what we write."),
    Phrase("guarantee", "always", "whatever it takes", "We do whatever it takes.", "We are working on it."),
    Phrase("guarantee", "word", "hand on heart/our?", "Hand on heart, it works.", "We cannot say hand on heart that it works."),
    Phrase("guarantee", "word", "ironclad/watertight/bulletproof/foolproof/infallible/unbreakable/failsafe", "This is ironclad.", "This is not foolproof."),
    Phrase("guarantee", "always", "once and for all", "It ends once and for all.", "It ends for some."),
    Phrase("guarantee", "word", "for good", "It is gone for good.", "It is not gone for good."),
    Phrase("guarantee", "always", "never again", "Never again.", "It may come again."),
    Phrase("guarantee", "always", "no/zero chance/possibility/way/danger/prospect it/that/of/this", "There is no chance that it fails.", "There is a chance that it fails."),
    Phrase("guarantee", "word", "stake our/my reputation/name", "We stake our reputation on it.", "We do not stake our reputation on it."),
    Phrase("guarantee", "word", "one/a hundred percent/per cent?", "We are one hundred percent behind it.", "We are not one hundred percent there."),
    Phrase("guarantee", "word", "at the latest", "It works at the latest by then.", "It may work later."),
)

REASSURANCE = (
    Phrase("reassurance", "always", "nothing to worry/fear/panic/stress/fret", "There is nothing to worry about.", "We see why you worry."),
    Phrase("reassurance", "always", "nothing to be worried/concerned/alarmed/afraid about/of?", "There is nothing to be concerned about.", "We see why you are concerned."),
    Phrase("reassurance", "always", "no need/cause/reason/grounds to/for *? worry/panic/concern/alarm/fear/worried/alarmed/concerned", "There is no need to worry.", "There is a need to act."),
    Phrase("reassurance", "always", "not/never ~need? to? be? worry/panic/fret/fear/worried/alarmed/concerned/afraid", "Do not worry.", "We worry too."),
    Phrase("reassurance", "always", "not be a cause/reason for/of concern/alarm", "This should not be a cause for concern.", "This is a cause for concern."),
    Phrase("reassurance", "always", "without *? worry/worries/concern/fear", "Pay without worry.", "We worry too."),
    Phrase("reassurance", "word", "rest/breathe/sleep easy/soundly/well/easily", "You can rest easy.", "You cannot rest easy."),
    Phrase("reassurance", "word", "peace of mind", "This gives you peace of mind.", "This gives you no peace of mind."),
    Phrase("reassurance", "word", "in good/safe/capable hands", "Your account is in safe hands.", "We cannot say that it is in safe hands."),
    Phrase("reassurance", "word", "safe and sound", "All files are safe and sound.", "We cannot say that all files are safe and sound."),
    Phrase("reassurance", "word", "harmless/negligible/benign/innocuous", "The effect is harmless.", "The effect is not harmless."),
    Phrase("reassurance", "always", "no harm/damage ~be? done", "No harm done.", "We are checking what harm was done."),
    Phrase("reassurance", "always", "no/zero/nil impact/effect/consequences/repercussions/implications on/for/to/whatsoever", "There is zero impact on customers.", "There is an impact on customers."),
    Phrase("reassurance", "always", "zero/nil impact/loss/risk/harm/damage/exposure/effect", "Zero impact.", "Some impact."),
    Phrase("reassurance", "word", "~go unharmed/unscathed/unaffected/unnoticed", "Your data went unharmed.", "We do not know whether it went unnoticed."),
    Phrase("reassurance", "word", "data/records/figures/reports/numbers/statistics/files/backups/books/balances * ~be complete/correct/accurate/consistent/trustworthy/whole", "The figures are correct.", "We are checking whether the figures are correct."),
    Phrase("reassurance", "word", "can/may be trusted/relied", "Reports can be trusted.", "Reports cannot be trusted."),
    Phrase("reassurance", "word", "~set/~put your mind/minds at ease/rest", "Let us put your mind at ease.", "We cannot put your mind at ease."),
    Phrase("reassurance", "always", "nothing serious/major/critical/important/valuable/sensitive", "It is nothing serious.", "It is serious."),
    Phrase("reassurance", "word", "no one/customer else? ~be? at risk", "No customer is at risk.", "Customers may be at risk."),
)

LIABILITY = (
    Phrase("liability", "word", "our/my own? fault/mistake/error/negligence/failure/failing/failings/blunder/oversight/carelessness/shortcoming/shortcomings/doing/bad/wrongdoing/mistakes/errors/lapse/incompetence", "It was our fault.", "It was not our fault."),
    Phrase("liability", "word", "error/mistake/failure/fault/oversight/lapse/failing/shortcoming/slip on/by/from/of our/us part/side/end/behalf/team?", "It was a mistake on our part.", "We know of no mistake on our part."),
    Phrase("liability", "word", "we/company/i ~be * liable/responsible/accountable/culpable/negligent/guilty/careless", "We are liable for the loss.", "We are not liable for the loss."),
    Phrase("liability", "word", "we ~be/take *? at fault", "We are at fault.", "We are not at fault."),
    Phrase("liability", "word", "we/i ~be *? to blame", "We are to blame.", "We are not to blame."),
    Phrase("liability", "word", "~take/~accept/~assume/~bear/~own/~acknowledge/~admit/~claim/~shoulder full/complete/all/the/total/our/sole/entire? responsibility/accountability/blame/ownership/liability/fault", "We take full responsibility.", "We do not accept liability."),
    Phrase("liability", "word", "responsibility/blame/fault/liability * ~lie/~rest/~be/~sit/~fall with/on/ours squarely/entirely/solely? with/on? us", "The blame lies with us.", "The blame does not lie with us."),
    Phrase("liability", "word", "our/my own making/doing", "It was of our own making.", "It was not of our own making."),
    Phrase("liability", "word", "negligence/negligent/negligently/culpable/culpability/wrongdoing/malpractice", "It was negligence.", "It was not negligence."),
    Phrase("liability", "word", "liability/liable", "We accept liability.", "We accept no liability."),
    Phrase("liability", "word", "we ~have? ~fail you/our/customers/everyone/guests/users", "We failed you.", "We do not think that we failed you."),
    Phrase("liability", "word", "we/i ~have? ~let you/our/customers/everyone/guests/users * down", "We let you down.", "We will not let you down."),
    Phrase("liability", "word", "should/could/ought to? have *? prevented/caught/avoided/tested/foreseen/noticed/known/spotted/anticipated/detected/stopped/acted/done", "We should have prevented this.", "It may have been prevented."),
    Phrase("liability", "always", "should not/never have ~happen/been/occur/occurred/happened/let/allowed/shipped/released/deployed/done", "This should never have happened.", "This has happened."),
    Phrase("liability", "word", "~be preventable/avoidable/inexcusable/unacceptable/indefensible/unforgivable", "The outage was avoidable.", "The outage was not avoidable."),
    Phrase("liability", "word", "~drop/~fumble the ball", "We dropped the ball.", "We did not drop the ball."),
    Phrase("liability", "word", "~mess/~screw/~slip/~foul/~cock up/badly", "We messed up.", "We did not mess up."),
    Phrase("liability", "word", "we ~get it/this/that wrong", "We got it wrong.", "We did not get it wrong."),
    Phrase("liability", "word", "~fall short/below", "We fell short of your trust.", "We did not fall short."),
    Phrase("liability", "word", "this/it/that one? ~be *? on us", "This one is on us.", "This is not on us."),
    Phrase("liability", "word", "we ~own this/it/that/the/up", "We own this.", "We do not own this."),
    Phrase("liability", "word", "~hold ourselves responsible/accountable/liable", "We hold ourselves accountable.", "We do not hold ourselves liable."),
    Phrase("liability", "word", "we ~make a/the/an/several mistake/error/blunder/mistakes/errors/misstep", "We made a mistake.", "We made no mistake."),
    Phrase("liability", "word", "human/operator/staff/employee/engineer/engineering error/mistake", "It was human error.", "It was not human error."),
    Phrase("liability", "word", "mea culpa", "Mea culpa.", "We apologise."),
    Phrase("liability", "word", "~breach of? our/the/its contract/sla/duty/obligations/agreement", "We breached our SLA.", "We cannot say whether we breached our SLA."),
    Phrase("liability", "word", "~neglect", "We neglected the alerts.", "We did not neglect the alerts."),
)

COMMITMENT = (
    Phrase("commitment", "word", "~refund/refunds/refundable", "We will refund the fee.", "We cannot say whether we refund the fee."),
    Phrase("commitment", "word", "~reimburse/reimbursement/reimbursements", "You will be reimbursed.", "We cannot say whether you are reimbursed."),
    Phrase("commitment", "word", "~compensate/~recompense/~remunerate/compensation/compensatory/indemnity/~indemnify/damages/restitution/reparation", "We will compensate you.", "We do not know whether we compensate."),
    Phrase("commitment", "word", "~credit/credits back? your/the/their/all/every/each/affected/accounts/account/you/them/customers/any/a/an/bill/next", "We will credit your account.", "We have not said whether we credit your account."),
    Phrase("commitment", "word", "service/sla/account/bill/billing/store/loyalty/goodwill/statement/invoice/a/the/apology/courtesy credit/credits", "You get service credits.", "We cannot offer service credits."),
    Phrase("commitment", "word", "~issue/~receive/~give/~offer/~apply/~grant/~get/~add/~provide *? credit/credits", "You receive credits.", "You do not receive credits."),
    Phrase("commitment", "word", "~be credited/recredited", "The amount will be credited.", "The amount is not credited."),
    Phrase("commitment", "word", "~waive/waiver/waivers/~forgo/~forgive", "We will waive the fees.", "We cannot waive the fees."),
    Phrase("commitment", "word", "free of/from charge/cost/fee", "The month is free of charge.", "The month is not free of charge."),
    Phrase("commitment", "always", "no/without/zero charge/charges/fee/fees/cost for/to/will/apply/on?", "There is no charge for March.", "There is a charge for March."),
    Phrase("commitment", "always", "at/with/without no/additional/extra/any extra/additional? cost/charge/expense/fee", "You get it at no cost.", "You get it at a cost."),
    Phrase("commitment", "word", "free month/months/week/day/days/year/upgrade/delivery/shipping/night/nights/service/subscription/access/stay/trial", "You get a free month.", "You do not get a free month."),
    Phrase("commitment", "word", "complimentary/discount/discounts/discounted/rebate/rebates/voucher/vouchers/goodwill/cashback/coupon/coupons/payout/payouts/gratis/~discount", "You get a discount.", "You do not get a discount."),
    Phrase("commitment", "word", "gift card/cards/voucher", "You get a gift card.", "You do not get a gift card."),
    Phrase("commitment", "word", "~make *? it up to", "We will make it up to you.", "We cannot make it up to you."),
    Phrase("commitment", "word", "~make you/customers/them/everyone/everybody/users whole", "We will make you whole.", "We cannot make you whole."),
    Phrase("commitment", "word", "~make amends/good", "We will make amends.", "We cannot make amends."),
    Phrase("commitment", "word", "~cover/~absorb/~bear/~shoulder/~meet/~pay/~foot/~pick up? the/any/all/your/every/those/these *? cost/costs/fee/fees/charges/losses/bill/expense/expenses/loss/penalty/penalties", "We will cover the costs.", "We cannot cover the costs."),
    Phrase("commitment", "word", "~pay/~give/~send you/customers/them/guests back", "We will pay you back.", "We cannot pay you back."),
    Phrase("commitment", "word", "~repay/repayment/~return your/the/any/all money/payment/payments/fee/fees/funds/deposit/deposits", "We will return your money.", "We cannot return your money."),
    Phrase("commitment", "word", "money back", "You get your money back.", "We cannot say whether you get your money back."),
    Phrase("commitment", "always", "not/never be charged/billed/invoiced", "You will not be charged.", "You may be charged."),
    Phrase("commitment", "always", "not/never charge/bill/invoice you/customers/anyone/for/them/guests", "We will not charge you.", "We may charge you."),
    Phrase("commitment", "always", "out of pocket", "Nobody will be out of pocket.", "We cannot say."),
    Phrase("commitment", "word", "~deduct *? from your/the next? bill/invoice", "We will deduct it from your bill.", "We cannot deduct it from your bill."),
    Phrase("commitment", "word", "on the house", "Your next stay is on the house.", "Your next stay is not on the house."),
    Phrase("commitment", "word", "~extend your/the/all/every *? subscription/subscriptions/trial/plan/licence/license/membership/contract", "We will extend your subscription.", "We cannot extend your subscription."),
    Phrase("commitment", "word", "~offset your/the/any *? cost/costs/loss/losses", "We will offset your losses.", "We cannot offset your losses."),
)
PHRASES = (*RESOLUTION, *GUARANTEE, *REASSURANCE, *LIABILITY, *COMMITMENT)
