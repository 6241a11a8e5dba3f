"""Phrases that name who pays for something, or what comes off a bill, from whichever side it is told."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import UNDECIDED, Phrase

_borne = partial(Phrase, "commitment", "word", kind="compensation")
_free = partial(Phrase, "commitment", "word", kind="waiver")
_spared = partial(Phrase, "commitment", "always", kind="waiver")
_back = partial(Phrase, "commitment", "word", kind="refund")
_given = partial(Phrase, "commitment", "word", kind="discount")

_TOPICS = (
    "topic topics story news details detail question questions point points case ground update page meeting "
    "shift shifts area areas session cable pipe name names face"
)
"""What is covered or met without anybody paying for it."""
_HOUSES = (
    "farm/trust/club/school/shop/store/hotel/museum/company/bank/council/insurer/operator/reception/office/"
    "airline/clinic/lab/landlord/university/gym/restaurant/college/board/library/desk/firm/studio/theatre/"
    "cinema/resort/practice/agency/brand/provider/charity/kitchen/workshop/garage/co-op/house"
)
_OPEN = "whether if yet cannot can may might could"

PAYING = (
    _free(",/– free $", "Ask for a printed copy, free.", "The line is not free."),
    _borne(
        "we/i will/shall/'ll/gladly/happily *? cover/foot/absorb/bear/shoulder/fund/sponsor/subsidise/"
        "subsidize/defray the/your/any/every/all/each/a/both",
        "We will cover the stamp.",
        "We will cover the next topic.",
        unless=_TOPICS,
    ),
    _borne(
        f"{_HOUSES} will/shall/'ll/gladly/happily *? cover/foot/absorb/bear/shoulder/fund/sponsor/subsidise/"
        "reimburse/settle/pay the/your/any/every/all/each/that/this/it/what/whatever/for",
        "The school will pay for the bus.",
        "The school will cover another topic.",
        unless=f"{_TOPICS} staff wages salaries late",
    ),
    _borne(
        "~settle/~square/~clear *? the/your/any/every/all *? @fee/@expense with/for you/customers/guests/"
        "members",
        "Reception settles the fare with you.",
        "Reception does not settle the fare with you.",
    ),
    _borne(
        "~let us/our *? foot/cover/bear/shoulder/absorb/settle/buy/pay/treat/stand/spring",
        "Let us foot that.",
        "Let us know what you paid.",
        unless="know note",
    ),
    _borne(
        "and/then/or we? ~bear/~carry/~meet/~foot/~absorb *? the/your/any/all/every/its *? @expense/@fee",
        "We send a fresh box by express and bear the cost.",
        "We send a box and say who bears the cost.",
        unless="you your have may must who",
    ),
    _borne(
        "something/one/thing/cost/expense we/which/that we? will/shall/'ll/gladly *? "
        "pay/cover/bear/foot/meet/settle/absorb/shoulder/reimburse/refund",
        "A taxi is something we will pay for.",
        "A taxi is something we cannot pay for.",
    ),
    _back(
        "we/i/" + _HOUSES + " * ~return/~wire/~remit/~transfer/~release the/your/any/all/every/their/each *? "
        "money/cash/balance/deposit/deposits/payment/payments/fare/fares/fee/fees/amount/amounts/sum/sums/"
        "difference/stake/stakes/price/rent/remainder",
        "Cancel now and we return the balance.",
        "We cannot return the balance.",
        unless="late later delayed once",
    ),
    _back(
        "~swap/~exchange/~trade/~change/~return/~cash/~hand * for/against what/whatever/all you "
        "paid/spent/gave",
        "Keep your ticket for another date, or swap it at the till for what you paid.",
        "You cannot swap the ticket for what you paid.",
    ),
    _spared(
        "without *? paying/charge/charged again/twice/anew/extra/more/anything/another/for/a/$",
        "Come back on the same ticket without paying again.",
        "We do not know if you may leave without paying again.",
        unless=f"{_OPEN} left leave",
    ),
    _spared(
        "not something/anything/one/what/a you/customers/members/guests/anyone * "
        "pay/charged/billed/owe/invoiced",
        "The storage fee is not something you will be asked to pay.",
        "The storage fee is something you will be asked to pay.",
    ),
    _free(
        "~leave/~keep/~strip/~take the/any/your/all/every/this/that/each *? @fee off/out/away",
        "We leave the priority fee off.",
        "We cannot leave the priority fee off.",
        unless="whether",
    ),
    _free(
        "@fee/charges/charge/amount * ~come/~go/~fall *? off $/as/too/your/in/for/next/the/again",
        "The charge for the lost book is coming off.",
        "The charge for the lost book is not coming off.",
    ),
    _spared(
        "bill/bills/invoice/invoices/statement/tab/account/receipt ,? which/that? will/shall/'ll not/never "
        "*? show/include/list/carry/contain/feature/mention/bear/hold",
        "Your bill will not show the room service.",
        "Your bill will show the room service.",
        unless="yet until app online page",
    ),
    _given(
        "limit/limits/allowance/allowances/cap/caps/quota/quotas/overdraft/ceiling/ceilings * ~be/~get *? "
        "raised/lifted/increased/doubled/relaxed/removed/upped/higher/widened",
        "Withdrawal limits are raised for everyone who waits.",
        "Withdrawal limits are not raised.",
        unless="whether may might could before once",
    ),
    _given(
        "we/i/bank/team * ~raise/~lift/~increase/~double/~relax/~widen the/your/all/every/any *? "
        "limit/limits/allowance/allowances/cap/caps/quota/quotas/ceiling",
        "We are raising your daily limit.",
        "We cannot raise your daily limit.",
        unless="whether",
    ),
    _given(
        "your/the/their/every/next *? bill/bills/rent/fee/fees/fare/premium/invoice/dues/tuition "
        "will/shall/'ll *? shrink/drop/fall/sink/go/come down/$",
        "Your rent will come down.",
        "Your rent may come down.",
        unless=f"{UNDECIDED} late",
    ),
    _given(
        "off/from your/their/the/every/each *? rent/rents/premium/premiums/tuition/dues/instalment/rate/"
        "rates/tariff/charge/charges/costs/price",
        "Something comes off your rent.",
        "Nothing comes off your rent.",
        unless="ask email letter mail message call error code differ deducted",
    ),
    _free(
        "~forget/~lose the/your/this/any/every/all *? @fee",
        "Forget the late fee.",
        "Please do not forget the late fee.",
        unless="pay track code item items",
    ),
)
