"""Phrases that leave no doubt about what is to come: a sure thing, our word on it, never again."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_sure = partial(Phrase, "guarantee", "word")
_said = partial(Phrase, "guarantee", "always")

_TELLING = (
    "update updates news note notes message messages mail email emails write post inform tell hear know "
    "answer answers reply information report notice confirmation call page estimate may might should could "
    "if when once until unless summary bulletin text texts late later longer delayed slow slowly error "
    "errors fail wrong old about around roughly approximately hope expect some queue manually hand desk only"
)
"""Words with which "you will get" promises word from us, or trouble, and no end of it."""

CERTAINTY = (
    _said(
        "not/never/no/without the/a/any/one slightest/least/faintest/single/shadow/trace/hint of? a? doubt/"
        "question",
        "There is not the slightest doubt that it works.",
        "There is a slight doubt.",
    ),
    _sure(
        "you/customers/everyone ~have/~get/~hold our/my *? word/assurance/guarantee/promise/pledge/"
        "commitment/oath/vow",
        "You have our solemn word.",
        "You do not have our word.",
    ),
    _sure(
        "~give/~pledge you/customers/everyone our *? word/assurance/guarantee/promise/pledge/commitment/"
        "oath/vow",
        "We give you our firm commitment.",
        "We cannot give you our word.",
    ),
    _sure("full stop $", "It arrives as planned, full stop.", "It comes to no full stop."),
    _sure("end of story", "It arrives as planned, end of story.", "It is not the end of the story."),
    _sure(
        "matter/question of minutes/moments/time/hours/seconds/formality",
        "It is only a matter of minutes.",
        "It is not a matter of minutes.",
    ),
    _sure(
        "the last you/anyone/we/customers will/'ll/shall *? hear/see/read/notice",
        "This is the last you will hear of it.",
        "This is not the last you will hear of it.",
    ),
    _said(
        "nothing/nobody/noone can/will/could/shall/would *? go/stop/prevent/stand/come/get/keep/happen/"
        "interrupt/fail/derail/break/disturb",
        "Nothing can go wrong from here.",
        "Nothing came in.",
        unless="until unless yet if without",
    ),
    _sure(
        "~make/~render it/this/that/such/a/another *? impossible/unthinkable",
        "We have made it unthinkable.",
        "The failure makes it impossible to pay.",
        unless="pay order book log sign see reach use open tell say send receive estimate know find print",
    ),
    _said(
        "whatever happens/comes/else/weather/befalls",
        "You get it, whatever happens.",
        "Tell us whatever you see.",
        unless="next",
    ),
    _sure(
        "~stake our/my *? name/reputation/honour/honor/jobs",
        "We stake our good name on it.",
        "We do not stake our good name on it.",
    ),
    _said("~cross our/my/your heart/hearts", "It is coming, cross our hearts.", "We cross our bridges."),
    _sure(
        "solemnly/hereby/formally/faithfully ~undertake/~swear/~commit/~promise/~pledge/~assure/~confirm/"
        "~declare",
        "We solemnly declare it.",
        "We do not solemnly declare it.",
    ),
    _sure(
        "we/i ~undertake to/that",
        "We undertake to have it running.",
        "We cannot undertake to have it running.",
    ),
    _sure(
        "as good as done/over/solved/there/fixed/resolved/finished/gone/sorted/certain",
        "It is as good as done.",
        "It is not as good as done.",
    ),
    _said(
        "no repeat/recurrence/repetition/encore/relapse/rerun/replay of/$",
        "There will be no repeat of this.",
        "There may be a repeat of this.",
        unless="promise guarantee cannot whether if say seen so",
    ),
    _said(
        "not/never be repeated/allowed $",
        "This will not be allowed.",
        "This may be repeated.",
        unless="can cannot whether if",
    ),
    _said(
        "will/'ll/shall/going/wo not/never *? ~let/~fail/~disappoint/~abandon/~leave you/customers/anyone/"
        "passengers/everyone/guests down/again/stranded/$/ever/alone",
        "The page will not let you down again.",
        "We hope that it does not let you down.",
        unless="hope try cannot whether if",
    ),
    _sure("~set your watch/watches/clock/clocks by", "Set your watch by it.", "Do not set your watch by it."),
    _sure(
        "foregone/sure/safe/done/dead/racing/absolute conclusion/thing/bet/deal/cert/certainty",
        "It's a sure thing.",
        "It is not a sure thing.",
    ),
    _sure(
        "in the bag",
        "The repair is in the bag.",
        "The repair is not in the bag.",
        unless="parcel item items goods",
    ),
    _sure(
        "a given/certainty/cert/foregone/surety/fact $",
        "That it works is a given.",
        "That it works is not a given.",
    ),
    _sure(
        "~take it/that/this as/for read/given/granted/gospel/fact",
        "You can take it as read.",
        "You cannot take it as read.",
    ),
    _sure("~set/~write/~carve/~cast in stone", "The time is set in stone.", "The time is not set in stone."),
    _said("~have no doubt/doubts/fear/fears", "Have no fear.", "We have doubts."),
    _said("no two ways about", "There are no two ways about it.", "There are two ways to pay."),
    _sure(
        "much is certain/sure/guaranteed/definite",
        "Sales open, that much is definite.",
        "Not much is certain.",
    ),
    _said("failure ~be not an option", "Failure is not an option.", "The failure is an outlier."),
    _sure(
        "we will/'ll/shall ~have/~get you/it/everything/this/things/service/all/them *? "
        "back/up/running/fixed/sorted/working/moving/online/done/ready/solved/through/in",
        "We'll have you back in the game in a moment.",
        "We hope to have you back in the game.",
        unless="hope try trying update information touch",
    ),
    _sure(
        "you/we ~can/may/might/could/will ~bet/~bank/~count/~rely/~depend/~trust on/that/in "
        "it/this/that/us/$",
        "You can bet on it.",
        "You cannot bet on it.",
        unless="know how much many status page feed backup",
    ),
    _sure(
        "@readers will/shall/'ll *? ^get/have/receive/keep/hold your/their/his/her/every",
        "You will get your pay.",
        "You may get your pay.",
        unless=f"{_TELLING} back credited refunded refund",
    ),
    _sure(
        "will/shall/'ll *? ^reach/arrive/land/be/get in/with/at/to? you/your/everyone/customers/their/its/"
        "recipients home/door/hands/inbox/account/wrist/$",
        "Every result will be in your hands.",
        "Results may be in your hands by then.",
        unless=_TELLING,
    ),
    _sure(
        "will/shall/'ll/going *? ^work/arrive/reach/land/connect/open/reopen/load/flow/run/go/come/be/return/"
        "start/show/complete/reappear/resume/function/respond & planned/promised/agreed/scheduled/hitch/"
        "shortly/soon/sale/schedule/time/whatever/right/moment/minute/minutes/now/dot/life/exception/exam/"
        "clockwork/attempt",
        "Salaries will arrive as planned.",
        "Salaries may arrive as planned.",
        unless=f"{_TELLING} we i team engineers engineer you not no newsletter hearing meeting sent notice "
        "page note updated",
    ),
    _said(
        "~plan your/the/a evening/day/night/week/trip/morning around/on it/this/that",
        "Plan your evening around it.",
        "Do you plan your evening around it? We cannot say.",
        unless="not cannot",
    ),
    _said(
        "to the bank $",
        "Take that to the bank.",
        "Take the slip to the desk of your bank.",
        unless="walk go visit card slip",
    ),
    _sure(
        "will/shall/'ll *? hold/last/stick/stay this/for time/good/long/ever/keeps",
        "It will hold this time.",
        "It may hold this time.",
        unless="hope whether",
    ),
    _said(
        "not a/one/single minute/second/hour/day/moment longer/later/more/beyond/past",
        "It ends then, not a second later.",
        "It takes a minute longer.",
        unless="know",
    ),
    _sure(
        "sharp $",
        "Trading resumes at the full hour sharp.",
        "The picture is not sharp.",
        unless="picture image pictures images video screen photo photos sound text",
    ),
    _said("on the dot", "It ends on the dot.", "A dot on the map shows it.", unless="not"),
    _sure(
        "we will/'ll/shall deliver on",
        "We will deliver on this.",
        "We cannot say that we deliver on it.",
        unless="monday tuesday wednesday thursday friday saturday sunday",
    ),
    _sure(
        "with *? certainty/confidence",
        "We say it with full confidence.",
        "We cannot say it with confidence.",
        unless="low little no some lack",
    ),
    _sure(
        "we/i ~know that? it/this/that/they/everything/all/things will/'ll/shall",
        "We know it will be over by then.",
        "We do not know that it will be over.",
        unless="if whether take hard",
    ),
    _sure(
        "estimate/time/date/deadline/figure/forecast/eta ~be *? rock/firm/final/binding/solid/certain/"
        "guaranteed/ironclad/safe",
        "Our estimate is rock solid.",
        "Our estimate is not firm.",
    ),
    _said(
        "estimate/time/date/deadline/eta will/shall/can not/never slip/move/change/budge/shift/grow/be",
        "The estimate will not slip.",
        "The estimate may slip.",
        unless="promise guarantee guaranteed promised relied",
    ),
    _sure(
        "count/bank on * minutes/hours/minute/hour/days/today/tonight",
        "Count on 45 minutes.",
        "Do not count on 45 minutes.",
        unless="know how much cannot",
    ),
    _said(
        "not/never/nobody/noone/one/none/no * will/shall/'ll *? have? to? wait/queue longer/past/beyond/"
        "for/any/more/$",
        "Nobody will have to wait past the estimate.",
        "Some will have to wait past the estimate.",
        unless="whether if long say know",
    ),
    _sure(
        "impossible for this/that/it/such/anything/another/you/the *? to? happen/fail/break/lose/recur/"
        "return/come/repeat",
        "It's impossible for this to happen to you.",
        "It is not impossible for this to happen.",
    ),
    _sure("our/my *? pledge/vow/oath", "Our oath to you stands.", "It is not our pledge."),
    _sure(
        "will/'ll/shall/going *? work/turn/come/end out/up fine/well/right/okay/ok/good/alright/all",
        "Everything will turn out fine.",
        "We cannot say that it will turn out fine.",
        unless="hope hopefully",
    ),
    _said(
        "not/no/none/nothing one/single/a? *? will/shall/'ll *? slip/miss/vanish/disappear/fall/go/be "
        "through/lost/missed/forgotten/left/missing/out/dropped/skipped/overlooked",
        "Not one booking will slip through.",
        "Some bookings will be missed.",
        unless="whether if when know cannot promise say tell go confirm",
    ),
    _sure(
        "dead/stone/cock/damn/pretty certain/sure/confident",
        "We are dead certain about the time.",
        "We are not dead certain.",
    ),
    _sure(
        "~bet/~stake/~wager our/my/the *? farm/boots/house/hats/shirts/shirt/life/lives/ranch/jobs",
        "We bet our boots on it.",
        "We do not bet our boots on it.",
    ),
    _sure(
        "as if/though nothing ~have? ~happen",
        "It will be as if nothing had happened.",
        "It is not as if nothing happened.",
    ),
    _sure("~be/~feel/~stay/~rest at ease/peace", "You can be at ease.", "We cannot be at ease."),
    _sure(
        "will/shall/must/'ll ~go/~carry on $",
        "The show will go on.",
        "The check may go on.",
        unless="search check investigation work",
    ),
    _said(
        "~make/~making sure that? it/this/that/they/nothing * never/not/no & again/longer/more/fails/fail/"
        "happen/happens/breaks/recur",
        "The new part makes sure that it never fails again.",
        "We want to make sure that it never fails again.",
        unless="want wants to how help helps aim hope try trying",
    ),
    _sure(
        "out of the question & repeat/relapse/recurrence/failure/delay/outage/second/another/loss/this/that",
        "A repeat is out of the question.",
        "We cannot say that a repeat is out of the question.",
        unless="cannot",
    ),
    _sure(
        "one/only thing ~be certain/sure/clear/guaranteed/definite",
        "One thing is certain: calls will connect.",
        "Not one thing is certain.",
    ),
    _sure("as sure/certain/safe as", "It's as safe as sunrise.", "We are not as sure as you."),
)
