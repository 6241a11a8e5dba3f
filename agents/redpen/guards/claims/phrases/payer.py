"""Phrases that say who pays, or that nobody does: at our cost, free, a fee dropped, nobody is charged."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import UNDECIDED, Phrase

_borne = partial(Phrase, "commitment", "word", kind="compensation")
_free = partial(Phrase, "commitment", "word", kind="waiver")
_spared = partial(Phrase, "commitment", "always", kind="waiver")

_UNABLE = "cannot can could able unable please whether if yet until again twice fail fails failed failing"
"""Words with which "do not pay" is trouble or advice and no gift."""

PAYER = (
    _borne(
        "at/on/for/from/by/through our own? cost/costs/expense/expenses/charge/account/dime/tab/bill/"
        "purse/pocket/budget & ~book/~rebook/~ship/~send/~be/~repair/~replace/~call/~arrange/~stay/~travel/"
        "~ride/~run/~extend/~deliver/~come/~go/~use/~get/~have/~take/~provide/~offer/~give/~order/~drive/"
        "~fly/~do",
        "We will rebook you at our own cost.",
        "The cost is at our limit.",
        unless=UNDECIDED,
    ),
    _borne(
        "paid/borne/covered/funded/sponsored/financed/shouldered/met/settled/footed by us/our",
        "A locksmith is paid by us.",
        "No locksmith is paid by us.",
        unless=UNDECIDED,
    ),
    _borne(
        "out of/from our own/company? pocket/pockets/purse/budget/funds",
        "It comes out of our own pocket.",
        "It does not come out of our own pocket.",
    ),
    _borne("our treat/gift/tab/shout/dime", "Lunch is our treat.", "Lunch is not our treat."),
    _borne(
        "~pick/~foot/~settle/~take/~grab/~carry up? the/your/any/every/all tab/bill/bills/tabs/check/invoice",
        "We will carry any bills.",
        "We cannot pick up the tab.",
        unless="serious",
    ),
    _borne(
        "~send/~forward/~mail/~give/~hand/~pass/~keep *? bill/bills/receipt/receipts/invoice/invoices & we "
        "& ~pay/~cover/~settle/~reimburse/~take/~sort/~square/~see",
        "Send us the bill and we take care of it.",
        "Send us the bill and we look at the date.",
    ),
    _free(
        "for/at/with/without no/any/zero/nothing *? cost/costs/charge/charges/fee/fees/payment/expense/"
        "surcharge/penalty/penalties/deduction/deductions/forfeit",
        "Late parcels are sent again at zero cost.",
        "Late parcels are not sent again at zero cost.",
    ),
    _free(
        "for nothing/gratis/free",
        "Late parcels will be sent again for nothing.",
        "Late parcels will not be sent again for nothing.",
        unless="count counts good",
    ),
    _free(
        "we/us/i/company/they * ^@drops * @fee",
        "We will drop every late fee.",
        "We cannot drop any late fee.",
        unless=UNDECIDED,
    ),
    _free(
        "@fee * ~be/~get/~have *? ^waived/dropped/scrapped/cancelled/canceled/wiped/erased/lifted/suspended/"
        "removed/struck/voided/annulled/forgiven/forgotten/forgone/reversed/undone/halved/reduced/lowered/"
        "cut/absorbed/covered/borne/shouldered/swallowed/settled/offset/deducted/frozen/ditched/nullified/"
        "quashed",
        "All overdue fines are wiped.",
        "We do not know whether fines are wiped.",
        unless=UNDECIDED,
    ),
    _free(
        "@fee/ticket/tickets & ~tear/~rip up",
        "Parking tickets will be torn up.",
        "Parking tickets will not be torn up.",
    ),
    _free(
        "@fee/it/them/this/that & ~write/~knock/~let/~sign off",
        "We write off today's charge.",
        "We cannot write off today's charge.",
    ),
    _free(
        "@fee & ~let go/slide/lapse/drop",
        "Booking fees are a thing we will let go of.",
        "We cannot let go of the booking fees.",
    ),
    _free(
        "~have/~be/~make our/the/a/no? fee/fees/charge/charges/toll/tolls/fare/fares ^disappear/vanish/"
        "gone/history",
        "We make the charges disappear.",
        "We cannot make the charges disappear.",
    ),
    _spared(
        "not/never/nobody/none/nothing/no/without *? pay/pays/paying/owe/owes/owing/cost/costs/charged/"
        "billed/invoiced/debited/charge *? for/from/anything/extra/a/any/us/more/this/that/these/the/because/"
        "penny/cent/$",
        "Drivers do not owe us anything.",
        "Drivers cannot pay for anything.",
        unless=f"{_UNABLE} by with online card cards double yet free",
    ),
    _spared(
        "not/never/nobody/none/no *? ~ask/~want/~expect/~need/~require/~let/~make you/anyone/customers/them/"
        "anybody? to? pay/settle for/the/this/it/any/anything/a",
        "We will not ask you to settle for the repeat test.",
        "We ask you to pay for the repeat test.",
        unless=f"{_UNABLE} by with",
    ),
    _spared(
        "not/never/nobody/nothing/no/none & on/in your/their/the next? bill/bills/invoice/invoices/statement",
        "You won't see this call on your bill.",
        "Some calls appear on your bill.",
        unless=f"{_UNABLE} error errors wrong total appear appears shown show missing",
    ),
    _spared(
        "not/never/nobody/nothing/no/none * worse off/for",
        "No customer will be left worse off.",
        "We know who is worse off.",
    ),
    _spared(
        "not/never/nobody/no/none * penalised/penalized/fined/disadvantaged/towed/punished/downgraded",
        "Nobody will be fined.",
        "Some drivers may be fined.",
        unless="whether if yet know",
    ),
    _spared(
        "not/never/nobody/no/none * ~bear/~carry/~shoulder/~suffer the/any/a/this *? cost/costs/loss/"
        "losses/expense",
        "You will not bear the expense of it.",
        "You may bear the cost of it.",
    ),
    _spared(
        "~cost/~charge/~bill/~set you/customers/them/anyone/members/drivers/everyone/guests back? nothing",
        "Your next session costs you nothing.",
        "It costs you time.",
    ),
    _spared("~cost/~costing nothing", "Shipping costs nothing.", "Shipping costs more."),
    _free(
        "we will/'ll/shall/gladly/can ~cover/~settle/~reimburse/~foot/~absorb/~refund/~shoulder it/that/them/"
        "this/all/everything/every/whatever",
        "Whatever it cost you, we'll cover it.",
        "We cannot say that we will cover it.",
        unless="update note report next page case ticket",
    ),
    _free(
        "you/customers/members/everyone/guests pay/pays half/less/nothing/zero/nil",
        "You pay half for your next order.",
        "You pay with a card.",
        unless="now",
    ),
    _free(
        "consider it/the/your/that/this/any/all *? gone/paid/settled/waived/dropped/cancelled/covered/"
        "forgotten/refunded",
        "Consider the fee gone.",
        "We consider whether the fee is paid late.",
        unless="whether we team",
    ),
    _spared(
        "without any/a/an/the? extra/further/additional? fee/fees/charge/charges/penalty/surcharge/cost",
        "You may rebook without a fee.",
        "We do not know whether you may rebook without a fee.",
        unless="whether not never",
    ),
    _spared(
        "~carry/~incur/~attract/~face/~bear/~draw/~see/~come no/zero/not with? *? @fee",
        "Your late payment will carry no penalty.",
        "Your late payment may carry a penalty.",
        unless="whether",
    ),
    _borne(
        "~bill/~charge/~send/~invoice/~book/~put * to/on us/our/ours $/account/tab/bill/cost",
        "Bill the overtime to us.",
        "Send it to us.",
        unless="photo photos file files message messages screenshot screenshots report reports question "
        "questions it",
    ),
    _borne(
        "~cut/~write/~send you/them/everyone/customers a check/cheque",
        "We'll cut you a check.",
        "We cannot cut you a check.",
    ),
    _borne(
        "for what/everything/all/whatever you/they ~spend/~pay/~lose",
        "You get a check for what you spent.",
        "We do not know what you spent.",
    ),
    _free(
        "free of/from charge/cost/fee/payment", "The month is free of charge.", "It is not free of charge."
    ),
    _borne(
        "~see your/you/their * home/paid/covered/through",
        "We'll see your cab fare home.",
        "We see your claim.",
        unless="can may message messages if",
    ),
    _free(
        "~let * @fee go/slide/lapse/drop/pass",
        "We will let the reconnection fee slide.",
        "We cannot let the fee slide.",
    ),
    _free(
        "@fee ~be off/from the table/books/list",
        "The late fine is off the table.",
        "The fine is not off the table.",
    ),
    _spared(
        "not/nobody/noone/none/never * out a/any/of/one penny/cent/pocket/money/dime/euro/dollar/pound",
        "You won't be out a penny.",
        "Some may owe a penny.",
        unless="whether if know",
    ),
    _borne(
        "check/cheque/money/payment/refund/credit ~be * in/on the/its/their post/mail/way",
        "A cheque is in the post.",
        "A cheque is not in the post.",
        unless="late delayed not stuck",
    ),
    _borne(
        "your/all/every/each/any claim/claims * ~be *? paid/settled/honoured/met/covered/accepted/approved",
        "Your claim will be paid.",
        "Your claim cannot be paid.",
        unless="whether if once until late",
    ),
    _spared(
        "will/shall/'ll/wo not/never *? appear/show/stand/be/come/land on/in your/the/their next? bill/"
        "bills/statement/invoice",
        "The fee will not appear on your statement.",
        "The fee may appear on your statement.",
        unless="whether if yet until",
    ),
    _spared(
        "not/never/nobody * ~collect/~claim/~demand/~pursue/~chase/~recover it/them/this/these/fee/fees/any",
        "As for late fees, we are not going to collect them.",
        "We are going to collect them.",
        unless="cannot can could parcel parcels pick card cards order orders points whether if yet samples",
    ),
    _borne(
        "bill/cost/costs/loss/losses/damage/damages/burden/tab/expense * ~land/~fall/~end/~stop/~come/~lie/"
        "~rest on/at/with/up our/us/ours",
        "The bill for the damage lands on our desk.",
        "We do not know where the bill lands.",
        unless="whether if not",
    ),
)
