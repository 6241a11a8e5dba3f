"""Phrases that promise a present, credit, a longer term or a better price."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import UNDECIDED, Phrase

_given = partial(Phrase, "commitment", "word", kind="discount")
_credited = partial(Phrase, "commitment", "word", kind="credit")
_longer = partial(Phrase, "commitment", "word", kind="extension")
_covered = partial(Phrase, "commitment", "word", kind="compensation")

_NO_GIFT = (
    "late delay delayed later fail failing fails failed missing wrong declined slow rejected expired pending "
    "error errors problem problems issue trouble show shows shown appear appears display displayed lost "
    "unable stuck redeem redeemed code codes invalid whether decide decided deciding discuss discussing "
    "consider considering activate activated affected duplicate unavailable about"
)
"""Words that speak of trouble with a present, or of one not decided, and not of one that is given."""

GIVING = (
    _given(
        "~give/~put/~send/~offer/~grant/~issue/~load/~drop/~apply/~include/~throw/~earn/~receive/~get/~enjoy/"
        "~collect/~find/~pop/~place/~award/gifted/~slip/~treat/~hand/~extend/~prepare/~owe/~deposit/~provide/"
        "~deserve/~await/~reward/~have/~add/~expect/~spoil/~set/~ship/~mail/~claim & @perk/gift/coins/gems",
        "You will find a small gift in your account.",
        "We cannot offer a gift.",
        unless=f"{_NO_GIFT} orders order access queue thanks if apologies apology bought",
    ),
    _given(
        "~reward/~spoil/~treat/~thank/~recompense/~repay your/you/customers/everyone/every/all/patience * "
        "with/to/for",
        "We shall spoil you with a concert.",
        "We cannot reward your patience with points.",
        unless="thank thanks thanking bear bearing working",
    ),
    _given(
        "@perk/something/gift/present & ~await/waiting/way/coming/follows/headed/heading/bound/yours/"
        "automatic/loaded/added/applied/credited/sent/due/inbox/line/arranged/planned & you/your/yours/"
        "account/customers/everyone/members/guests/all/each/every/affected/inbox",
        "A little something is coming your way.",
        "The gift has not been sent to you.",
        unless=f"{_NO_GIFT} thank thanks orders order queue cards",
    ),
    _given(
        "free/complimentary/extra/bonus/additional month/months/week/weeks/day/days/year/upgrade/delivery/"
        "shipping/night/nights/subscription/access/stay/ride/rides/trip/trips/coffee/meal/meals/ticket/"
        "tickets/class/classes/session/sessions/minutes/data/credits/coins/storage/visit/lesson/lessons/"
        "parking/travel/postage/returns/return/film/movie/drink/skin/spin/item/gift & ~get/~receive/~give/"
        "~offer/~add/~enjoy/~have/~earn/~include/~send/~claim/~await/~provide/~grant/~throw/~see/~treat/~be",
        "You get a free month.",
        "The free month is affected as well.",
        unless=f"{_NO_GIFT} plan ask",
    ),
    _given(
        "~be/~come/~go/~ship/~travel/~ride/~run/~stay/~park *? free $",
        "Cancellation comes free.",
        "Cancellation is not free.",
        unless="room rooms seat seats seating slot slots line lines hands errors space spaces trouble",
    ),
    _given(
        "~be/~come/~ship/~travel/~ride/~go/~run/~stay/~park free this/for/until/through/on/today/while/all/"
        "meanwhile/during/in/as",
        "Delivery is free this week.",
        "Delivery is not free this week.",
        unless="room rooms seat seats slot slots error errors hands trouble problems issues call contact "
        "write",
    ),
    _given(
        "~get/~receive/~have/~make/~keep/~be * free $",
        "You get this month free.",
        "You do not get this month free.",
        unless="room rooms seat seats slot slots line lines hands space spaces errors trouble hold",
    ),
    _given(
        "on us $",
        "Skating is on us.",
        "All eyes are on us.",
        unless="eye eyes pressure responsibility blame count rely depend call focus delay delays slowness "
        "mess mistake mistakes error errors failure slip lapse oversight fault outage",
    ),
    _given(
        "off your/their/the/every/all/any next/first/following/coming? "
        "order/orders/bill/bills/invoice/invoices/trip/ride/purchase/stay/month/fee/fare/booking/"
        "delivery/plan/subscription/ticket/total/balance/renewal",
        "You get money off your next order.",
        "We cannot take anything off your next order.",
    ),
    _given(
        "next/following/coming *? bill/invoice/order/month/trip/stay/fare/payment/renewal & "
        "lower/cheaper/smaller/reduced/free/discounted/halved/less/adjusted/credited",
        "Your next bill will be lower.",
        "Your next bill may look odd.",
        unless="may might could",
    ),
    _given(
        "~get/~receive/~give/~hand/~offer/~send/~add/~grant/~collect * for the/your/this/all *? "
        "trouble/inconvenience/wait/patience/hassle/bother/disruption/waiting",
        "Everybody gets 500 coins for the trouble.",
        "You get a call for the next visit.",
        unless="thanks thank sorry apologise apologies apology",
    ),
    _given(
        "as/by/in a/an/way? way? of? thank/recompense/gesture/goodwill/compensation/amends/token",
        "As a thank-you, the class gets an outing.",
        "As an apology, we write to you.",
        unless="ask write",
    ),
    _given(
        "we/i/team * ~hand/~give out/away a/an/some/free * $",
        "We are giving away a skin.",
        "We cannot hand out a free skin.",
        unless="update updates note notes number line information",
    ),
    _given(
        "~knock/~slash/~shave/~take * off & @fee/order/month/plan/june/next/subscription/renewal/your",
        "We knock ten percent off June.",
        "We cannot knock anything off.",
        unless="offline log logs pages page hands your_hands systems system",
    ),
    _credited(
        "we/i/us/team * ~top/~boost/~raise up? the/your/their/every/each/all/whatever *? "
        "account/accounts/balance/balances/wallet/wallets/card/cards/allowance/quota/missing/pay",
        "We will top up your balance.",
        "We cannot top up your balance.",
    ),
    _credited(
        "account/accounts/balance/wallet/card/allowance * ~be topped up",
        "Your account has been topped up.",
        "Your account has not been topped up.",
    ),
    _credited(
        "we/i * ~add * to/into/onto your/their/every/each/the balance/account/wallet/card/subscription/"
        "plan/membership",
        "We have added ten to your balance.",
        "We have not added anything to your balance.",
        unless="message messages note notes",
    ),
    _credited(
        "~be/~get *? credited/recredited",
        "The amount will be credited.",
        "The amount is not credited.",
    ),
    _longer(
        "@term & ~extend/~prolong/~lengthen/~renew",
        "We will extend your subscription.",
        "We cannot extend your subscription.",
        unless=f"{UNDECIDED} monitoring",
    ),
    _longer(
        "@term & ~run/~last/~be/~stay/~hold/~continue & longer/extra/extended/beyond",
        "Your membership will run longer.",
        "Your membership will not run longer.",
        unless="load take takes loading",
    ),
    _longer(
        "extra/additional/free/bonus/lost/missed/more month/months/week/weeks/day/days/time/year/hours/"
        "minutes/season & ~add/~get/~receive/~give/~tack/~append/~credit/~put/~grant/~return/~tag & to/onto/"
        "every/your/all/each/members/customers",
        "We are appending additional weeks to every plan.",
        "We need more time.",
        unless="need needs take takes taking ask update updates news",
    ),
    _longer(
        "~upgrade you/your/customers/every/all/everyone",
        "We upgrade you today.",
        "We cannot upgrade you.",
        unless="version app browser",
    ),
    _longer(
        "~pause/~stop/~suspend/~skip/~halt your/all/every/any/the *? billing/subscription/subscriptions/"
        "membership/renewal/payments/instalment/instalments",
        "We will pause your subscription.",
        "You may pause the page.",
        unless="job jobs",
    ),
    Phrase(
        "commitment",
        "word",
        "~match/~keep/~hold/~lock/~get/~give the/that/this/your/you/old/sale/same *? "
        "price/prices/rate/rates/fare/offer/deal/tariff",
        "We'll match the old price.",
        "We cannot match the old price.",
        unless="error failure fail fails failing update updates receipt",
        kind="price",
    ),
    Phrase(
        "commitment",
        "word",
        "~honour/~honor",
        "We will honour passes that lapsed.",
        "We cannot honour passes that lapsed.",
        unless="word",
        kind="price",
    ),
    _covered(
        "~send/~ship/~give/~provide/~dispatch/~deliver/~get/~receive/~offer/~swap/~exchange * "
        "replacement/replacements/substitute",
        "We will ship a replacement.",
        "We cannot ship a replacement.",
        unless=f"{UNDECIDED} ask",
    ),
    _covered(
        "we/i/us/company * ~cover/~pay/~bear/~absorb/~shoulder/~foot/~settle/~meet/~take/~pick "
        "for/on/up/care/of? your/the/any/all/their/every/extra/those/these/each/whatever *? @expense/@fee",
        "We cover your taxi home.",
        "We cannot cover your taxi home.",
        unless="mind account serious seriously",
    ),
    _covered(
        "will/'ll/shall/and/gladly/to/can ~cover/~foot/~absorb/~shoulder/~reimburse/~defray/~stomach "
        "the/your/any/all/their/extra/every *? @expense/@fee",
        "Our office is glad to cover the taxi.",
        "We cannot cover the taxi.",
        unless="mind ground grounds",
    ),
    _covered(
        "@expense/@fee ~be/~get *? covered/borne/met/absorbed/ours/reimbursed/compensated/settled",
        "Any calls are covered.",
        "We cannot say that costs are covered.",
        unless=f"{UNDECIDED} late not if",
    ),
    _covered(
        "~make up for your/their/the/any/all/lost/every/each/this/it *? "
        "loss/losses/time/cost/costs/trouble/damage/inconvenience/wait/missed/disruption/$",
        "We will make up for your losses.",
        "We cannot make up for your losses.",
    ),
    _covered(
        "will/'ll/going/to/promise ~make/~put/~set it/this/that/things/everything/matters/all right/good/"
        "straight",
        "We will make it right.",
        "We cannot say when we will make it right.",
        unless="try trying work working hope aim help",
    ),
    Phrase(
        "commitment",
        "always",
        "not/never/nobody/no/none * ~lose *? a/any/one/out/money/single cent/penny/dime/euro/dollar/pound/"
        "money/$",
        "You will not lose a cent.",
        "You may lose money.",
        kind="compensation",
        unless="whether yet know cannot",
    ),
    _covered(
        "we ~owe you/our/customers/them",
        "We owe you one.",
        "We cannot say what we owe you.",
        unless="answer answers explanation update clarity honesty thanks apology it truth news call calls "
        "reply message letter word line note visit hearing reason reasons facts",
    ),
    _covered(
        "~entitle/eligible/~qualify to/for",
        "You are entitled to your money.",
        "We cannot say whether you are entitled to it.",
        unless="priority",
    ),
    _covered(
        "~honour/~honor/~match/~accept/~settle/~pay all/every/each/any/your/the *? claims/claim",
        "We will accept all claims.",
        "We cannot settle all claims.",
    ),
    Phrase(
        "commitment",
        "word",
        "~give/~hand/~award/~grant/~offer/~treat/~send/~gift you/every/each/all/everyone/everybody/customers/"
        "players/members/guests/affected/subscribers/users *? to? a/an/some/extra/free *",
        "We are handing every player a skin.",
        "We give you an estimate.",
        unless=f"{_NO_GIFT} update updates note notes number estimate message answer call hint list link "
        "view idea explanation overview summary time date choice chance option receipt report notice reply "
        "reminder confirmation mail email text shout ring buzz bell room way sense better hand reference "
        "word alert form guidance advice help support instructions news scare fright headache hard trouble "
        "false wrong",
        kind="gift",
    ),
    _given(
        "you/customers/members/everyone & ~find/~get/~have/~receive/~see/~enjoy & month/months/week/weeks/"
        "year/days of & premium/plus/pro/access/free/membership/account/storage/service/credit/subscription/"
        "data/play/streaming",
        "You'll find three months of premium in your account.",
        "You may see gaps.",
        unless="late missing old history",
    ),
    _given(
        "~throw in a/an/some/the/another/extra",
        "We'll throw in a dessert.",
        "We cannot throw in a dessert.",
        unless="error exception towel",
    ),
    _given(
        "~accept a/an/our/this *? @perk",
        "Please accept a small gift card.",
        "Shops do not accept a gift card.",
        unless=_NO_GIFT,
    ),
    _given(
        "with our/the compliments", "Enjoy the next film with our compliments.", "We give no compliments."
    ),
    _given(
        "~double/~triple * points/miles/rewards/reward/credit/credits/bonus/storage/allowance",
        "We will double your storage.",
        "We have not doubled the points.",
        unless="charged error wrong show shown",
    ),
    _given(
        "unlimited redelivery/returns/rebooking/cancellation/exchange/exchanges/rides/calls/minutes/data",
        "Unlimited redelivery is yours.",
        "Unlimited redelivery is not possible.",
        unless=f"{_NO_GIFT} plan plans",
    ),
    _covered(
        "~get/~receive/~give/~offer/~pay/~send an advance",
        "Staff whose pay is late get an advance.",
        "Staff do not get an advance.",
    ),
    _given(
        "on us while/for/today/tonight/this/until/if/as/when/tomorrow",
        "Have dinner on us while you wait.",
        "Please do not wait on us for news.",
        unless="count rely depend call focus eyes blame",
    ),
    _given(
        "~buy/~order/~stand/~get/~treat you/them/everyone/customers/guests *? a/an/another/new/to",
        "We'll stand you a coffee.",
        "We cannot get you a seat.",
        unless=f"{_NO_GIFT} update answer call message estimate link list date note back person",
    ),
    _covered(
        "we * ~replace any/your/every/all/each/spoiled/lost/damaged/whatever/broken",
        "We will replace any order that spoiled.",
        "We cannot replace any order.",
        unless="part parts server file files page password version certificate",
    ),
)
