"""Phrases that say that customers are given something."""

from __future__ import annotations

from redpen.guards.claims.phrases.row import Phrase

COMMITMENT = (
    Phrase(
        "commitment",
        "word",
        "~refund/refunds/refundable",
        "We will refund the fee.",
        "We cannot say whether we refund the fee.",
    ),
    Phrase(
        "commitment",
        "word",
        "~reimburse/reimbursement/reimbursements",
        "You will be reimbursed.",
        "We cannot say whether you are reimbursed.",
    ),
    Phrase(
        "commitment",
        "word",
        "~compensate/~recompense/~remunerate/compensation/compensatory/indemnity/~indemnify/damages/"
        "restitution/reparation",
        "We will compensate you.",
        "We do not know whether we compensate.",
    ),
    Phrase(
        "commitment",
        "word",
        "~credit/credits back? your/the/their/all/every/each/affected/accounts/account/you/them/"
        "customers/any/a/an/bill/next",
        "We will credit your account.",
        "We have not said whether we credit your account.",
    ),
    Phrase(
        "commitment",
        "word",
        "service/sla/account/bill/billing/store/loyalty/goodwill/statement/invoice/a/the/apology/"
        "courtesy credit/credits",
        "You get service credits.",
        "We cannot offer service credits.",
    ),
    Phrase(
        "commitment",
        "word",
        "~issue/~receive/~give/~offer/~apply/~grant/~get/~add/~provide *? credit/credits",
        "You receive credits.",
        "You do not receive credits.",
    ),
    Phrase(
        "commitment",
        "word",
        "~be credited/recredited",
        "The amount will be credited.",
        "The amount is not credited.",
    ),
    Phrase(
        "commitment",
        "word",
        "~waive/waiver/waivers/~forgo/~forgive",
        "We will waive the fees.",
        "We cannot waive the fees.",
    ),
    Phrase(
        "commitment",
        "word",
        "free of/from charge/cost/fee",
        "The month is free of charge.",
        "The month is not free of charge.",
    ),
    Phrase(
        "commitment",
        "always",
        "no/without/zero charge/charges/fee/fees/cost for/to/will/apply/on?",
        "There is no charge for March.",
        "There is a charge for March.",
    ),
    Phrase(
        "commitment",
        "always",
        "at/with/without no/additional/extra/any extra/additional? cost/charge/expense/fee",
        "You get it at no cost.",
        "You get it at a cost.",
    ),
    Phrase(
        "commitment",
        "word",
        "free month/months/week/day/days/year/upgrade/delivery/shipping/night/nights/service/"
        "subscription/access/stay/trial",
        "You get a free month.",
        "You do not get a free month.",
    ),
    Phrase(
        "commitment",
        "word",
        "complimentary/discount/discounts/discounted/rebate/rebates/voucher/vouchers/goodwill/"
        "cashback/coupon/coupons/payout/payouts/gratis/~discount",
        "You get a discount.",
        "You do not get a discount.",
    ),
    Phrase(
        "commitment", "word", "gift card/cards/voucher", "You get a gift card.", "You do not get a gift card."
    ),
    Phrase(
        "commitment",
        "word",
        "~make *? it up to",
        "We will make it up to you.",
        "We cannot make it up to you.",
    ),
    Phrase(
        "commitment",
        "word",
        "~make you/customers/them/everyone/everybody/users whole",
        "We will make you whole.",
        "We cannot make you whole.",
    ),
    Phrase("commitment", "word", "~make amends/good", "We will make amends.", "We cannot make amends."),
    Phrase(
        "commitment",
        "word",
        "~cover/~absorb/~bear/~shoulder/~meet/~pay/~foot/~pick up? the/any/all/your/every/those/"
        "these *? cost/costs/fee/fees/charges/losses/bill/expense/expenses/loss/penalty/penalties",
        "We will cover the costs.",
        "We cannot cover the costs.",
    ),
    Phrase(
        "commitment",
        "word",
        "~pay/~give/~send you/customers/them/guests back",
        "We will pay you back.",
        "We cannot pay you back.",
    ),
    Phrase(
        "commitment",
        "word",
        "~repay/repayment/~return your/the/any/all money/payment/payments/fee/fees/funds/deposit/deposits",
        "We will return your money.",
        "We cannot return your money.",
    ),
    Phrase(
        "commitment",
        "word",
        "~go/~send/~return/~pay back to your/customers/guests/their",
        "The amount goes back to your card.",
        "We will go back to our notes.",
    ),
    Phrase(
        "commitment",
        "word",
        "~be paid/repaid for/back",
        "You will be paid for the lost time.",
        "We cannot say whether you will be paid for it.",
    ),
    Phrase(
        "commitment",
        "word",
        "money back",
        "You get your money back.",
        "We cannot say whether you get your money back.",
    ),
    Phrase(
        "commitment",
        "always",
        "not/never be charged/billed/invoiced",
        "You will not be charged.",
        "You may be charged.",
    ),
    Phrase(
        "commitment",
        "always",
        "not/never charge/bill/invoice you/customers/anyone/for/them/guests",
        "We will not charge you.",
        "We may charge you.",
    ),
    Phrase("commitment", "always", "out of pocket", "Nobody will be out of pocket.", "We cannot say."),
    Phrase(
        "commitment",
        "word",
        "~deduct *? from your/the next? bill/invoice",
        "We will deduct it from your bill.",
        "We cannot deduct it from your bill.",
    ),
    Phrase(
        "commitment",
        "word",
        "~knock/~take * off/from your/the/their next? bill/invoice/subscription/total/balance/fee",
        "We will knock ten off your bill.",
        "We cannot knock anything off your bill.",
    ),
    Phrase(
        "commitment",
        "always",
        "not ~have/~need to? pay the/this/your/for/these/any/that/anything",
        "You do not have to pay this invoice.",
        "You do not need to pay again.",
    ),
    Phrase(
        "commitment",
        "word",
        "~get/~receive/~have/~be * free",
        "You get this month free.",
        "You do not get this month free.",
    ),
    Phrase(
        "commitment",
        "word",
        "on the house",
        "Your next stay is on the house.",
        "Your next stay is not on the house.",
    ),
    Phrase(
        "commitment",
        "word",
        "~extend your/the/all/every *? subscription/subscriptions/trial/plan/licence/license/"
        "membership/contract",
        "We will extend your subscription.",
        "We cannot extend your subscription.",
    ),
    Phrase(
        "commitment",
        "word",
        "~offset your/the/any *? cost/costs/loss/losses",
        "We will offset your losses.",
        "We cannot offset your losses.",
    ),
)
