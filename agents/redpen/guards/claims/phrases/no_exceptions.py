"""Phrases that leave no way out: no way that it fails, nothing will change it, bet the bank, nothing to "
"fear."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_sworn = partial(Phrase, "guarantee", "always")
_sure = partial(Phrase, "guarantee", "word")
_calm = partial(Phrase, "reassurance", "always")

_OPEN = "whether if unless until once tell know knowing say hope expect could would may might"

NO_EXCEPTIONS = (
    _sworn(
        "no/zero/nil/little way/chance/danger/risk/possibility/likelihood/prospect/fear that? the/our/your/"
        "you/any/these/those/we/they/anyone/anything/a/an * will/'ll/wo/miss/~lose/~fail/ever/~disappear/"
        "~break/~slip/go astray/wrong/missing/ever/silent/not/by/be/through/down/out/your/the/a/$",
        "There is no way you can miss your ferry.",
        "There is no way to tell when the ferry sails.",
        unless=_OPEN,
    ),
    _sworn(
        "nothing/nobody/noone can/will/could/shall/would/'ll *? change/alter/shake/undo/touch/affect/spoil/"
        "upset/overturn/cancel/threaten/endanger/delay/shift/move/budge that/this/it/them/your/the/our",
        "Check-ups go ahead, and nothing will change that.",
        "We do not know what will change that.",
        unless="until unless yet if without",
    ),
    _sworn(
        "~bet/~wager/~gamble the/our/my/everything/anything/money *? "
        "jobs/bank/house/shop/firm/company/business/bottom/name/reputation/future/shirt",
        "We bet the shop on the new printer.",
        "We would not bet the shop on it.",
        unless="not never cannot account accounts card cards ban pressure load strain hold",
    ),
    _sure(
        "we/i ~stand/~vouch/~answer by/behind/for that/every $",
        "You get a seat, and we stand by that.",
        "We cannot stand by that.",
    ),
    _sworn(
        "~mean every/each single/last? time/word/minute/letter/one",
        "You hear from us daily, and we mean every single time.",
        "We do not know what it will mean every time.",
        unless="not",
    ),
    _sworn(
        "can/could not but ~find/~arrive/~work/~succeed/~reach/~recover/~return/~come/~improve/~solve/~fix/"
        "~get",
        "The search cannot but find the fault.",
        "We can only say that we search.",
    ),
    _sworn(
        "~arrive/~come/~work/~return/~reach/~open/~run/~sail/~fly/~happen/~recover/~get/~succeed/~be "
        "it/they/he/she/you/we/there will/shall/'ll $",
        "Your letter is late, but arrive it will.",
        "We cannot say when it will.",
        unless="when whether if how",
    ),
    _sure(
        "nothing/none is/are/'s/could/can be? surer/safer/plainer/simpler than",
        "Nothing is surer than the return of the sun.",
        "Something is surer than that.",
    ),
    _sure(
        "~be certain/sure/assured/guaranteed/safe/secured for/of/to @readers/a/your/the/all/each/any/every",
        "A seat is certain for anyone with a booking.",
        "A seat is not certain for anyone with a booking.",
        unless=f"{_OPEN} we i are not only make estimate",
    ),
    _sure(
        "failsafe/foolproof/surefire/sure-fire/bombproof/unfailing/infallible/watertight/airtight/cast-iron/"
        "never-failing/dead-certain/sure/certain way/ways/method/means/path/route/solution/fix/cure/remedy/"
        "road to/for/of/in/out/around/past/through/$",
        "E-mail is a foolproof way to reach us.",
        "E-mail is no foolproof way to reach us.",
        unless="not make",
    ),
    _calm(
        "nothing *? for * to ~worry/~fear/~panic/~stress/~fret/~dread/~lose about/over/sleep/in/here/from/$",
        "There is nothing here for guests to worry about.",
        "There is nothing new for guests to read about.",
        unless="if know say",
    ),
    _calm(
        "not ~be put/scared/frightened/alarmed/unsettled/fooled/worried/daunted/discouraged off? by/at the/"
        "its/this/what/that look/looks/appearance/colour/color/message/sound/sight/smell/of/screen/display/"
        "notice",
        "Do not be put off by the look of it.",
        "We will not be put off by the weather.",
    ),
    _calm(
        "~be/just/only/merely/purely *? nuisance/annoyance/inconvenience/irritation/hitch/blip/hiccup *? "
        "and/but/, nothing/no more/worse/else/harm",
        "Old times are a nuisance and nothing worse.",
        "Sorry for the annoyance and worse.",
    ),
    _calm(
        "~be no/not/hardly/nothing *? call/occasion/matter to/for/of ~worry/~fret/~panic/concern/alarm/~fear/"
        "anxiety/distress/~be",
        "That is no call for alarm.",
        "That is a cause for alarm.",
        unless="if know say",
    ),
)
"""Phrases that leave no way out, and that tell readers not to worry."""
