"""Phrases that give something away without naming a refund: a bed, a ride, a hot drink, a fee let go."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import UNDECIDED, Phrase

_given = partial(Phrase, "commitment", "word", kind="discount")
_free = partial(Phrase, "commitment", "word", kind="waiver")
_spared = partial(Phrase, "commitment", "always", kind="waiver")
_borne = partial(Phrase, "commitment", "word", kind="compensation")
_back = partial(Phrase, "commitment", "word", kind="refund")

_OPEN = f"{UNDECIDED} if may might could ask"
_IN_KIND = (
    "tanker/tankers/bottles/blankets/heaters/generators/laptops/tablets/hotspots/shuttle/shuttles/coaches/"
    "minibuses/minibus/taxis/refreshments/snacks/meals/drinks/sandwiches/hampers/toys/fans/lamps/torches/"
    "umbrellas/ponchos/warmers/chargers/hotel/hotels/beds/breakfast/lunch/dinner"
)

COMFORTS = (
    _spared(
        "at/for/with no *? cost/costs/charge/charges/fee/fees/expense/surcharge/penalty/deduction $/to/for/"
        "until/while/if/when/this/today/by/and/or/whatsoever/at/on/in",
        "Late parcels are sent again at no cost.",
        "It comes at a cost.",
        unless=f"{UNDECIDED} battery range electric cannot",
    ),
    _given(
        "a/an/the/some/another/every/each *? @perk card/cards? ~be *? coming/going/heading/headed/"
        "due/bound to/for/towards",
        "A gift card is coming to policyholders caught up in this.",
        "A gift card is not coming to policyholders.",
        unless=f"{_OPEN} late expire",
    ),
    _free(
        "@fee & will/'ll/shall be/get *? wiped/waived/scrapped/dropped/cancelled/canceled/erased/struck/"
        "forgiven/lifted/quashed/voided/refunded/reversed",
        "Roaming charges run up in that time will be wiped.",
        "It is open whether roaming charges will be wiped.",
        unless=f"{_OPEN} once",
    ),
    _free(
        "~wipe/~strike/~erase/~delete/~clear/~expunge/~scrub * from/off your/the/their/our bill/bills/record/"
        "records/account/invoice/statement/tab",
        "Late marks are wiped from the record.",
        "It is open whether late marks are wiped from the record.",
        unless=f"{_OPEN} please duplicate duplicates data error errors wrong accidentally",
    ),
    _borne(
        "~put you/them/everyone/everybody/@readers *? up in/at/for/overnight/$",
        "We will put you up in a hotel if you miss your ferry.",
        "We cannot put you up in a hotel.",
        unless=_OPEN.replace(" if", ""),
    ),
    _borne(
        "we/airline/company/hotel/staff *? ~book/~find/~arrange/~get/~pay/~offer you/them/everyone/@readers "
        "*? a/an/another/some *? hotel/room/bed/taxi/cab/meal/limousine/coach",
        "We will book you a room in a hotel.",
        "We cannot book you a room in a hotel.",
        unless=f"{_OPEN} link call",
    ),
    _borne(
        "your/their *? @expense ~be *? paid/met/settled/sponsored $/for/by/in",
        "Come early; your taxi is paid.",
        "Your taxi is not paid.",
        unless=f"{_OPEN} late once until unpaid",
    ),
    _borne(
        "@expense/room/rooms & ~be covered/borne/sponsored/footed by",
        "Rooms for stranded passengers are covered by the airline.",
        "Rooms for stranded passengers are not covered by the airline.",
        unless=f"{_OPEN} snow late dust",
    ),
    _given(
        "credit/coffee/tea/breakfast/lunch/dinner/supper/meal/meals/drink/drinks/taxi/cab/fare/postage/"
        "shipping/delivery/ride/trip/night/room/stay/ticket/entry/parking/popcorn/dessert ~be on us/ours",
        "We call you and emergency credit is on us.",
        "Emergency credit is not on us.",
    ),
    _borne(
        "~receive/~get/~collect/~claim/~draw/~pocket a/an/some/your/their/more? money/cash/payment/"
        "remuneration/allowance/sum for/at/from/by/as",
        "Drivers will receive money for loads that spoil.",
        "Drivers will not receive money for loads that spoil.",
        unless=f"{_OPEN} pay card "
        "bank machine atm transfer late delayed delay while cannot wage wages salary "
        "pension merchant sellers payout scheduled hours days",
    ),
    _borne(
        "~have/~get/~see the/their/your/all/any *? money/wages/loss/losses/pay/income/earnings/difference/"
        "shortfall/time made up/good",
        "Patients will have the money made up by us.",
        "Patients will not have the money made up.",
        unless=_OPEN,
    ),
    _borne(
        "~make up/good any/the/your/their/all/every/each/lost *? loss/losses/difference/shortfall/wages/pay/"
        "income/earnings/damage",
        "We post an update each hour and will make up any loss.",
        "We cannot make up any loss.",
        unless=_OPEN,
    ),
    _borne(
        "payment/sum/amount/money/compensation * due/owed/payable to you/them/@readers",
        "A payment falls due to you.",
        "A payment is not due to you.",
        unless=f"{_OPEN} late delayed",
    ),
    _back(
        "we/bank/company/airline/shop *? ~repay the/your/any/every/all/it/them/you/that/what/each/whatever",
        "If you have paid twice, we will repay the duplicate.",
        "We cannot repay the duplicate.",
        unless=UNDECIDED,
    ),
    _given(
        "we/company/brewery/shop ~be? *? ~fund/~finance/~sponsor/~subsidise/~subsidize/~underwrite $/it/this/"
        "that/them/the/your/any/all",
        "Resellers may pass on a lower price, which we fund.",
        "We do not fund a lower price.",
        unless=f"{UNDECIDED} late research account accounts transfer",
    ),
    _borne(
        "we/company/airline/bank/shop *? ~bear/~absorb/~shoulder/~defray/~stomach the/any/all/your/every/"
        "extra *? freight/haulage/carriage/courier/transport/travel/postage/handling/storage/rental/"
        "accommodation/burden",
        "We bear the extra freight.",
        "We cannot bear the extra freight.",
        unless=UNDECIDED,
    ),
    _back(
        "@money/deposits/deposit/stakes/ticket-money * ~be *? going/coming/returning/heading/flowing/"
        "travelling back? to",
        "Deposits for the visits are going back to patients.",
        "Deposits are not going back to patients.",
        unless=f"{_OPEN} queue late wrong",
    ),
    _given(
        "extra/bonus/loyalty/additional/free/more points/miles/credits/stars/coins/minutes/data ~land/"
        "~arrive/~appear/~drop/~be/~await/~wait *? in/on/for your/their/the/you",
        "Extra points land in your account shortly.",
        "Extra points do not land in your account.",
        unless=f"{_OPEN} missing late error duplicate",
    ),
    _free(
        "we/i *? ~knock/~strike/~shave/~slash/~lop/~chop a/an/the/your/any/all/every *? off",
        "We're knocking the line rental off for those concerned.",
        "We do not knock the line rental off.",
        unless=f"{_OPEN} power offline",
    ),
    _given(
        "~give/~send/~add/~get/~receive/~offer/~have/~include/~grant/~load & as a/an/our *? gift/present/"
        "treat/bonus/freebie/thank-you",
        "We are giving affected accounts storage as a gift.",
        "We do not send it as a gift.",
        unless=f"{_OPEN} bought ordered wrapped order orders",
    ),
    _given(
        "~set/~put/~lay aside a/an/some/something *? something/gift/treat/present/sum/fund/money/"
        "prize/surprise/for",
        "We have set aside a little something for shoppers.",
        "We cannot set aside a sum for shoppers.",
        unless=f"{_OPEN} time minutes hour",
    ),
    _given(
        f"~lay on * {_IN_KIND}",
        "We are laying on water tankers for your street.",
        "We cannot lay on tankers.",
        unless=_OPEN,
    ),
    _given(
        f"loan/loaner/spare? {_IN_KIND} & will/'ll ~be *? handed/given/lent/loaned/distributed/"
        "supplied/delivered",
        "Loan laptops will be handed to pupils.",
        "Loan laptops will not be handed to pupils.",
        unless=f"{_OPEN} late delayed later once order orders ordered",
    ),
    _given(
        "ours/us to ~give/~gift/~offer/~hand",
        "Blankets, ours to give, are at the kiosk.",
        "The seats are not ours to give.",
        unless=f"{_OPEN} ask allow allows wait",
    ),
    _given(
        "~extend/~lengthen/~stretch our/the *? hours/opening",
        "We have extended our opening hours to fit you in.",
        "We cannot extend our opening hours.",
        unless=_OPEN,
    ),
    _given(
        "~stay/~remain/~keep/~be open late/later/longer/overnight so/for/to/until/$",
        "Branches remain open late so that you can sign in.",
        "Branches do not remain open late.",
        unless=_OPEN,
    ),
    _borne(
        "we ~have got? it/them/that/you/this all? covered",
        "Printing costs? We've got them covered.",
        "We have not got them covered.",
        unless=_OPEN,
    ),
    _given(
        "sale/old/same/original/discounted/lower/advertised price/prices/rate/rates/fare/offer/deal * ~stay/"
        "~remain/~hold/~keep *? open/valid/good/yours/available/for",
        "The sale price stays open for you.",
        "The sale price does not stay open.",
        unless=f"{_OPEN} wrong error show shown",
    ),
    _back(
        "~have/~get/~see * part/half/share/some/price/fare/fee/cost * credited/refunded/returned/reimbursed",
        "Customers have part of the price credited.",
        "Customers do not have part of the price credited.",
        unless=f"{_OPEN} late error queue",
    ),
)
