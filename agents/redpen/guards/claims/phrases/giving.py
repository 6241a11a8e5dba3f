"""Phrases that promise money, fees, credit or a present: someone gives, returns, covers or drops it."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_back = partial(Phrase, "commitment", "word", kind="refund")
_waived = partial(Phrase, "commitment", "word", kind="waiver")
_spared = partial(Phrase, "commitment", "always", kind="waiver")
_given = partial(Phrase, "commitment", "word", kind="discount")
_covered = partial(Phrase, "commitment", "word", kind="compensation")

_BROKEN_PERK = "late delay delayed later fail failing missing wrong declined slow"
"""Words that speak of trouble with a present and not of one that is given."""

GIVING = (
    _back(
        "~get/~receive/~have/~see/~want/~claim/~ask/~demand/~take * @money back",
        "Anyone who misses out gets their booking fee back.",
        "We will get back to you about the fee.",
    ),
    _back(
        "~get/~receive/~have/~claim back what/your/their/the/every/all/each/any/half *? paid/spent/@money",
        "You will get back what you paid.",
        "We will get back to you about the payment.",
    ),
    _back(
        "~give/~hand/~pay/~send/~put/~transfer/~return/~wire/~bring/~move/~credit * @money back/~return",
        "We give that duplicate charge back.",
        "We give you an estimate of the charge.",
    ),
    _back(
        "~give/~hand/~pay/~send/~transfer/~wire back the/your/their/all/any/every/each/that/this/what",
        "We will hand back the fee.",
        "Please write back to us.",
    ),
    _back(
        "@money * ~be returned/reversed/refunded/repaid/reimbursed/voided",
        "Your fee will be returned.",
        "Your fee has not been returned.",
    ),
    _back(
        "~return/~reverse/~repay/~void/~undo the/your/any/all/every/each/that/these/those/duplicate *? "
        "fee/fees/charge/charges/money/deposit/deposits/amount/amounts/cost/costs",
        "We will reverse every charge.",
        "We cannot reverse every charge.",
    ),
    _back(
        "amount/amounts/money/sum/deposit/fee/charge ~be back in/on/at",
        "The amount is back in your account.",
        "The amount is not back in your account.",
    ),
    _waived(
        "~cancel/~drop/~scrap/~lift/~suspend/~write/~remove/~cut/~reduce/~lower/~halve/~forget/~skip/~strike "
        "off? the/your/any/all/every/each/these/their/that *? fee/fees/charge/charges/cost/costs/bill/bills/"
        "price/fare/fares/penalty/penalties/interest/surcharge/surcharges/invoice/rent/premium",
        "We will drop the late fee.",
        "We cannot drop the late fee.",
    ),
    _waived(
        "fee/fees/penalty/penalties/surcharge/surcharges/interest/fine/fines ~be *? "
        "cancelled/canceled/dropped/scrapped/lifted/suspended/removed/cut/reduced/lowered/halved/written/"
        "forgotten/covered/ours/paused",
        "All fees are suspended.",
        "The fees have not been suspended.",
    ),
    _spared(
        "no/zero/without late/extra/additional/any/a/an/the/booking/cancellation/further? "
        "fee/fees/penalty/penalties/surcharge/surcharges/fine/fines/interest",
        "There will be no late fees.",
        "There will be late fees.",
    ),
    _spared(
        "not/never ~issue/~impose/~levy/~raise/~collect any? late? "
        "fee/fees/penalty/penalties/fine/fines/surcharges",
        "We do not issue fines for such sessions.",
        "We issue fines for such sessions.",
    ),
    _spared(
        "fee/fees/penalty/penalties/fine/fines/surcharge/surcharges ~be/will/shall not be? "
        "issued/imposed/levied/raised/collected/charged",
        "Fines are not issued.",
        "Fines are issued.",
    ),
    _spared(
        "fee/fees/charge/charges/penalty/penalties/surcharge/interest/cost/costs ~do/will/shall/would not "
        "apply/accrue/arise/be",
        "Late fees do not apply.",
        "Late fees apply.",
    ),
    _spared(
        "not/never pay a/the/any/for/this/that/more/late/extra *? "
        "@fee/month/week/day/year/it/time/service/this",
        "You won't pay a late fee.",
        "You may pay a late fee.",
    ),
    _spared(
        "~pay/~owe nothing for/this/to/at/$", "You pay nothing for this month.", "You pay with another card."
    ),
    _spared(
        "~cost/~charge/~bill you/customers/them nothing", "This month costs you nothing.", "It costs time."
    ),
    _spared(
        "not going to be charged/billed/invoiced",
        "You are not going to be charged.",
        "You are going to be charged.",
    ),
    _given(
        "~be/~come/~go on us $",
        "Postage is on us.",
        "All eyes are on us.",
        unless="eye eyes pressure responsibility blame it that this",
    ),
    _given(
        "postage/delivery/shipping/lunch/dinner/coffee/drinks/ride/rides/trip/trips/month/week/year/order/"
        "orders/fee/fees/cost/costs/meal/taxi/stay/night/ticket/tickets/upgrade/one * on us",
        "The next trip is on us.",
        "The next trip is not on us.",
    ),
    _given("for free", "Your next order ships for free.", "Your next order does not ship for free."),
    _given(
        "~be *? free $",
        "Cancellation is free.",
        "Cancellation is not free.",
        unless="room rooms seat seats seating slot slots line lines hands errors",
    ),
    _given(
        "~be/~come/~ship/~travel/~ride/~go free this/for/until/through/on/to/today/of",
        "Delivery is free this week.",
        "Delivery is not free this week.",
        unless="room rooms seat seats slot slots error errors hands trouble problems issues",
    ),
    _given(
        "off your/their/the/every/all/any next/first/following? "
        "order/orders/bill/bills/invoice/invoices/trip/ride/purchase/stay/month/fee/fare/booking/"
        "delivery/plan/"
        "subscription/ticket",
        "Take ten percent off your next order.",
        "We cannot take anything off your next order.",
    ),
    _given(
        "next/following *? bill/invoice/order/month/trip/stay/fare/payment * ~be *? "
        "lower/cheaper/smaller/reduced/free/discounted/halved",
        "Your next bill will be lower.",
        "Your next bill may look odd.",
    ),
    _given(
        "@gives * bonus/bonuses/perk/perks/freebie/freebies/presents/goodies/token/gesture/reward/rewards",
        "We'll add a little bonus to your card.",
        "We cannot add a bonus to your card.",
        unless=_BROKEN_PERK,
    ),
    _given(
        "~give/~add/~put/~send/~offer/~grant/~drop/~throw/~earn/~find/~enjoy/~pop/~slip/~award/~prepare "
        "* gift/gifts/points/voucher/vouchers/coupon/coupons/upgrade/extras/miles/discount/rebate",
        "You will find a small gift in your account.",
        "We cannot offer a gift.",
        unless=_BROKEN_PERK,
    ),
    _given(
        "each/every/all/affected/you/anyone * ~get/~receive/~collect * "
        "gift/gifts/goodwill/voucher/vouchers/coupon/discount/free",
        "Each affected customer receives a gift.",
        "Some customers do not receive a gift.",
        unless=f"{_BROKEN_PERK} access card",
    ),
    _given(
        "bonus/gift/voucher/vouchers/coupon/points/perk/reward/compensation/surprise/treat/credit/refund "
        "* ~await/waiting/added/way/applied/credited/sent/coming/follows/due/yours/automatic/paid/loaded",
        "A small gift awaits you.",
        "The gift has not been sent.",
        unless=f"{_BROKEN_PERK} order orders queue cards",
    ),
    _given(
        "~get/~receive/~give/~hand/~offer/~send/~add/~grant/~collect * for the/your/this/all *? "
        "trouble/inconvenience/wait/patience/hassle/bother/disruption",
        "Everybody gets 500 coins for the trouble.",
        "You get a call for the next visit.",
        unless="thanks thank sorry apologise apologies apology",
    ),
    _given(
        "we/i/team * ~hand/~give out/away a/an/some/free * $",
        "We are handing out a free skin.",
        "We cannot hand out a free skin.",
        unless="update updates note notes number line",
    ),
    _back(
        "~be given/handed/paid/sent/put/returned/transferred/credited back to/on/into "
        "you/your/their/customers/"
        "players/the",
        "Lost boosters will be given back to you.",
        "Lost boosters cannot be given back to you.",
    ),
    _back(
        "amount/amounts/money/sum/fee/fees/payment/payments/charge/charges/cent * "
        "~come/~go/~flow/~find back to",
        "Any amount you paid too much comes back to you.",
        "Some payments go to another bank.",
    ),
    _given(
        "~knock/~slash/~shave * off",
        "We knock ten percent off June.",
        "We cannot knock anything off.",
        unless="offline",
    ),
    Phrase(
        "commitment",
        "always",
        "we/i will/'ll/do/shall not/never bill/charge/invoice/debit",
        "We will not bill today's visits.",
        "We may bill today's visits later.",
        kind="waiver",
    ),
    Phrase(
        "commitment",
        "word",
        "~put/~add/~load/~place/~pay/~drop/~pop * credit/credits into/to/on/onto/in",
        "We'll put ride credit into your account.",
        "We cannot put credit into your account.",
        kind="credit",
    ),
    Phrase(
        "commitment",
        "word",
        "we/i/us/team * ~top/~boost/~raise up? the/your/their/every/each/all *? "
        "account/accounts/balance/balances/wallet/wallets/card/cards/allowance/quota",
        "We will top up your balance.",
        "We cannot top up your balance.",
        kind="credit",
    ),
    Phrase(
        "commitment",
        "word",
        "account/accounts/balance/wallet/card * ~be topped up",
        "Your account has been topped up.",
        "Your account has not been topped up.",
        kind="credit",
    ),
    Phrase(
        "commitment",
        "word",
        "we/i * ~add * to/into/onto your/their/every/each/the balance/account/wallet/card",
        "We have added ten to your balance.",
        "We have not added anything to your balance.",
        unless="message messages note notes",
        kind="credit",
    ),
    _covered(
        "we/i/us/company * ~cover/~pay/~bear/~absorb/~shoulder/~foot/~settle/~meet/~take/~pick "
        "for/on/up? your/the/any/all/their/every/extra/those/these/each *? @expense",
        "We cover your taxi home.",
        "We cannot cover your taxi home.",
        unless="mind account serious seriously",
    ),
    _covered(
        "will/'ll/and/gladly/to ~cover/~foot/~absorb/~shoulder/~reimburse "
        "the/your/any/all/their/extra/every *? @expense",
        "We will offer you another room and cover the taxi.",
        "We cannot cover the taxi.",
        unless="mind ground grounds",
    ),
    _covered(
        "cost/costs/fee/fees/expense/expenses/loss/losses/damage/damages/charges/bill * ~be *? "
        "covered/borne/met/absorbed/ours/reimbursed/compensated",
        "Any costs you had are covered.",
        "We cannot say that costs are covered.",
    ),
    _covered(
        "~make up for your/their/the/any/all/lost/every/each *? "
        "loss/losses/time/cost/costs/trouble/damage/inconvenience/wait/missed",
        "We will make up for your losses.",
        "We cannot make up for your losses.",
    ),
    _covered(
        "will/'ll/going ~make/~put/~set it/this/that/things/everything/matters/all right/good/straight",
        "We will make it right.",
        "We cannot say when we will make it right.",
    ),
    Phrase(
        "commitment",
        "always",
        "not ~lose *? a/any/one cent/penny/dime/euro/dollar/pound/money",
        "You will not lose a cent.",
        "We cannot say that you lose no money.",
        kind="compensation",
    ),
    _covered(
        "we ~owe you/our/customers/them",
        "We owe you one.",
        "We cannot say what we owe you.",
        unless="answer answers explanation update clarity honesty thanks apology it truth",
    ),
    _covered(
        "~entitle to",
        "You are entitled to your money.",
        "We cannot say whether you are entitled to it.",
    ),
    _covered(
        "~honour/~honor/~match/~accept/~settle all/every/each/any/your/the claims/claim",
        "We will honour all claims.",
        "We cannot honour all claims.",
    ),
    Phrase(
        "commitment",
        "word",
        "~honour/~honor/~match/~keep/~hold/~lock/~get/~give the/that/this/your/you/old/sale/same *? "
        "price/prices/rate/rates/fare/offer/deal",
        "We'll honour the old price.",
        "We cannot honour the old price.",
        unless="error failure",
        kind="price",
    ),
    Phrase(
        "commitment",
        "word",
        "subscription/subscriptions/plan/plans/trial/licence/license/membership/contract/contracts "
        "~be/~run/~last "
        "*? extended/prolonged/longer",
        "Your subscription is extended.",
        "Your subscription has not been extended.",
        kind="extension",
    ),
    Phrase(
        "commitment",
        "word",
        "~upgrade you/your/customers/every/all/everyone",
        "We upgrade you today.",
        "We cannot upgrade you.",
        unless="version app browser",
        kind="extension",
    ),
    _back(
        "~go/~come/~flow/~travel straight/right/directly? back to/onto/into your/you/the "
        "card/cards/account/accounts/wallet/you/$",
        "The booking fee goes straight back to your card.",
        "We do not know whether the fee goes back to your card.",
    ),
    _spared(
        "~cost/costing you/drivers/customers/members/users? nothing",
        "Shipping costs nothing.",
        "Shipping costs more.",
    ),
    _spared(
        "will/shall/do/does not cost you/drivers/customers/anyone/them a/any/anything/extra/more",
        "Late orders will not cost you a delivery fee.",
        "Late orders may cost you a delivery fee.",
    ),
    _given(
        "~add/~top/~give/~grant/~get/~receive/~earn/topping * bonus points/miles/stars/minutes/days",
        "We add bonus points to your balance.",
        "Your bonus points may show late.",
    ),
)
