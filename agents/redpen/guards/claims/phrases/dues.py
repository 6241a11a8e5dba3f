"""Phrases that say, from the reader's side, that nothing is to be paid, or that a benefit is on its way."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import UNDECIDED, Phrase

_spared = partial(Phrase, "commitment", "always", kind="waiver")
_free = partial(Phrase, "commitment", "word", kind="waiver")
_borne = partial(Phrase, "commitment", "word", kind="compensation")
_back = partial(Phrase, "commitment", "word", kind="refund")
_given = partial(Phrase, "commitment", "word", kind="discount")

_NO_NEWS = "app page screen online portal while yet until whether if cannot know may might could"
"""Words with which a bill that is not seen is trouble, or the matter is open."""
_MESSAGES = (
    "code codes update updates message messages note notes mail email emails letter notice reply answer text "
    "receipt report confirmation link form summary photo file files missing duplicate wrong old error"
)
"""What else may wait in an inbox."""

DUES = (
    _spared(
        "@readers will/shall/'ll/to not/never ~see/~get/~receive/~find/~have/~face/~open a/an/any/another/"
        "one *? @fee",
        "You will not see a bill.",
        "You will not see a bill in the app while it is down.",
        unless=_NO_NEWS,
    ),
    _spared(
        "no/zero *? @fee will/shall/'ll ~reach/~follow/~come/~arrive/~apply/~accrue/~arise/~be/~fall/~hit/"
        "~land",
        "No bill will reach you.",
        "Bills will reach you late.",
        unless=_NO_NEWS,
    ),
    _spared(
        "no/zero *? @fee apply/applies/accrue/accrues/arise/arises/follow/follows/fall/falls/attach/attaches",
        "No storage fee applies.",
        "A storage fee applies.",
        unless=_NO_NEWS,
    ),
    _spared(
        "~owe us/me? *? nothing/zilch/nil/naught/zero",
        "You owe us nothing.",
        "You owe us an answer.",
    ),
    _spared(
        "we/us/nobody/i * not/never charging/billing/invoicing/debiting",
        "We are not charging for those days.",
        "The posts are not charging.",
        unless="if whether yet decided",
    ),
    _spared(
        "we/us/nobody/i * not/never *? ~collect/~chase/~claim/~demand/~levy/~impose/~enforce/~pursue "
        "the/any/a/your/these/those *? @fee",
        "We are not going to collect the storage fee.",
        "We do not collect your names.",
        unless="name names data details photos if whether yet",
    ),
    _spared(
        "nothing will/shall/'ll *? ~be/~get added/put/charged/billed/deducted/debited/taken",
        "Nothing will be added to your bill.",
        "Nothing was added to the list.",
    ),
    _spared(
        "~put/~throw/~toss/~chuck/~drop/~fling *? @fee in/into/away/out the/your? "
        "bin/trash/fire/basket/rubbish/fireplace/shredder/recycling/$",
        "You may put the bill in the bin.",
        "Please put the bill in an envelope.",
        unless="not never if whether",
    ),
    _spared(
        "@fee ,/–? *? ~cross/~strike/~scrub/~rub/~tick them/it/that/this/these off/out",
        "As for late fees, you may cross them off.",
        "The fee is shown, and you may cross the street.",
        unless="not cannot never if whether",
    ),
    _free(
        "what/whatever/anything/all/everything *? ran/accrued/built/added/ticked/clocked/mounted/piled & "
        "wiped/cancelled/canceled/scrapped/erased/dropped/forgiven/waived/void/deleted/struck/cleared",
        "What ran up in that time is wiped.",
        "What ran up in that time is listed.",
        unless="whether queue queued messages jobs files",
    ),
    _free(
        "~turn a blind eye",
        "We turn a blind eye to late returns.",
        "We did not turn a blind eye.",
        unless="alert alerts warning warnings sign signs",
    ),
    _spared(
        "your/their wallet/wallets/purse/purses & ~stay/~remain/~keep shut/closed/zipped/away/put",
        "Your wallet stays shut for this one.",
        "Your wallet stays on your phone.",
        unless="not never app phone",
    ),
    _free(
        "~reach/~dig/~pay * for/into a/your/their/our/any *? wallet/purse/pocket/pockets/purses/till",
        "We dig into our own till for the cab.",
        "We cannot reach into our pockets.",
    ),
    _back(
        "@money/@fee & ~come/~find/~make/~head/~go/~wing/~travel *? home/way back? to/into/onto you/your/"
        "their",
        "The money is coming home to you.",
        "The money has not come home to you.",
        unless=f"{UNDECIDED} late astray",
    ),
    _borne(
        "ours/us to ~replace/~bear/~cover/~settle/~refund/~foot/~carry/~shoulder/~absorb/~reimburse/~buy",
        "The spoiled food is ours to replace.",
        "It is not for us to replace it.",
        unless="ask want asked allow allows help helps",
    ),
    _borne(
        "we/i will/shall/'ll/gladly ~pay for? the/your/any/every/their/whatever/each",
        "Should you run flat, we will pay the tow truck.",
        "We will pay the staff late.",
        unless="wage wages salary salaries staff supplier suppliers attention heed visit late close",
    ),
    _borne("we/i ~be buying/paying/treating $", "Order a pizza: we are buying.", "We are not buying."),
    _given(
        "~be/~go/~come on the/our management/house/company/firm/club/boss/captain/kitchen/bar/proprietor/"
        "owner/chef/hotel/theatre",
        "The drinks are on the management.",
        "The drinks are not on the management.",
        unless="blame fault pressure onus eyes house",
    ),
    _given(
        "a/an/some/another * will/shall/'ll *? ~wait/~sit/~lie/~be *? in/at/on your/their "
        "inbox/mailbox/account/wallet/garage/basket/door/room/pillow/balance/purse/profile/stash",
        "A painted chest will sit in your garage.",
        "A painted chest is not going to sit in your garage.",
        unless=f"{_MESSAGES} may might",
    ),
    _given(
        "something/token/gesture/present/thing/treat/trifle & for/from your/their/the/us/our *? "
        "trouble/troubles/patience/bother/inconvenience/pains/pain/grief/nerves",
        "A small treat for your nerves follows.",
        "There is no treat for your nerves.",
        unless="sorry apologise apologies thank thanks bear bearing",
    ),
    _given(
        "peace offering/offerings",
        "We send a peace offering.",
        "We send no peace offering.",
    ),
    _given(
        "your/the/every/each next/following/coming stay/visit/trip/ride/meal/box/parcel/crossing/ticket/"
        "session/lesson/class/show/month/season/wash/night/course/game/purchase/rental ~include/~bring/"
        "~feature/~carry/~come with? a/an/some/two/three/one",
        "Your next stay includes a sea view.",
        "Your next stay does not include a sea view.",
        unless=f"{_MESSAGES} label ice charge line",
    ),
    _given(
        "at/for the price/cost/rate of a/an/one/the",
        "You get a suite at the price of a cabin.",
        "We do not sell a suite at the price of a cabin.",
    ),
    _given(
        "lighter/slimmer/leaner/kinder/softer/gentler *? bill/bills/invoice/fare/fares/fee/fees/rent/premium/"
        "statement/instalment",
        "The delay will be reflected in a lighter bill.",
        "We do not promise a lighter bill.",
        unless="may might could show shows",
    ),
    _given(
        "in it for you/them/everyone/customers/guests/members",
        "There is a pass in it for you.",
        "There is nothing in it for you.",
    ),
    _given(
        "your name on it",
        "There is a seat with your name on it.",
        "The list does not have your name on it.",
        unless="label list letter form card",
    ),
    _given(
        "month/months/week/weeks/day/days/hour/hours/time & stuck/bolted/glued/stitched/grafted/tacked/"
        "tagged/hung on to/at/$",
        "Three days are stuck on to your rental.",
        "The days on your rental are counted.",
        unless="trip journey wait delay",
    ),
    _spared(
        "we/us/nobody/i * not/never *? ~send/~issue/~raise/~post/~write/~present a/an/any/another *? @fee",
        "We will not be sending a bill for today.",
        "We do not send a letter.",
        unless="if whether yet until",
    ),
    _given(
        "~consider/~call/~regard * a/an/our/as *? gift/present/treat/freebie/favour",
        "Consider the parking a present.",
        "We do not consider it a present.",
    ),
    _given(
        "gift/present/treat/round from/of/on us/ours/me",
        "The crossing is a gift from us.",
        "It is not a gift from us.",
    ),
    _given(
        "a/an *? ^~wait/~await for? you/each/everyone/all/every/them",
        "A hot meal waits for each of you.",
        "A long night may await you.",
        unless=f"{_MESSAGES} may might long queue wait",
    ),
    _spared(
        "not/never/nobody/none * poorer/short-changed/shortchanged/losers",
        "You will not be a cent poorer.",
        "Some are poorer for it.",
        unless="if whether yet know",
    ),
    _borne(
        "~have/~take/~grab/~order/~buy/~get/~book/~eat/~drink * and ~send/~forward/~give/~pass/~show us/me "
        "the/your/any/a *? slip/bill/receipt/receipts/invoice/check/stub",
        "Have a coffee and send us the slip.",
        "Have the slip at hand and show us the pass.",
    ),
)
