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
        "A courtesy credit follows.",
        "We cannot offer service credits.",
    ),
    Phrase(
        "commitment",
        "word",
        "~issue/~receive/~give/~offer/~apply/~grant/~get/~add/~provide *? credit/credits",
        "We issue credits.",
        "You do not receive credits.",
    ),
    Phrase(
        "commitment",
        "word",
        "~credit *? amount/amounts/sum/sums/difference/overpayment",
        "We credit overestimated amounts.",
        "We do not credit overestimated amounts.",
    ),
    Phrase(
        "commitment",
        "word",
        "~waive/waiver/waivers/~forgo",
        "A waiver is coming.",
        "We cannot waive the fees.",
    ),
    Phrase(
        "commitment",
        "word",
        "~forgive the/your/any/all/every/these *? fee/fees/debt/debts/charge/charges/payment/bill/"
        "invoice/penalty",
        "We will forgive the payment.",
        "Please forgive the wait.",
    ),
    Phrase(
        "commitment",
        "word",
        "complimentary/discount/discounts/discounted/rebate/rebates/voucher/vouchers/goodwill/"
        "cashback/coupon/coupons/payout/payouts/gratis/~discount",
        "Entry is gratis.",
        "You do not get a discount.",
        unless="code codes work works accepted declined redeem redeemed enter",
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
        "~pay/~give/~send you/customers/them/guests back",
        "We will pay you back.",
        "We cannot pay you back.",
    ),
    Phrase(
        "commitment",
        "word",
        "is/are/be/being/been paid/repaid for/back",
        "You will be paid for the lost time.",
        "We cannot say whether you will be paid for it.",
    ),
    Phrase(
        "commitment",
        "word",
        "money back",
        "Ask for your money back.",
        "We cannot say whether you get your money back.",
    ),
    Phrase(
        "commitment",
        "always",
        "not/never charge/bill/invoice you/customers/anyone/for/them/guests",
        "We will not bill you.",
        "We may charge you.",
    ),
    Phrase(
        "commitment",
        "word",
        "on the house",
        "Your next stay is on the house.",
        "Your next stay is not on the house.",
    ),
)
