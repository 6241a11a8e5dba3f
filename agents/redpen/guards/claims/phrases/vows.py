"""Idioms with which a thing is sworn to be certain: come hell or high water, period, bet your boots."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_sworn = partial(Phrase, "guarantee", "always")
_sure = partial(Phrase, "guarantee", "word")

VOWS = (
    _sworn(
        "come/through/in hell/storm/wind/heaven/flood/snow/hail/wet or/and shine/high/hail/flood/weather/dry/"
        "snow/sleet",
        "Come hell or high water, you will ski.",
        "Hail or snow may slow the lifts.",
    ),
    _sworn(
        "not/nothing/nobody/none * on/in/under/this earth/world/sun/heaven/universe/planet will/can/could/"
        "shall/would/~keep/~stop",
        "Nothing on earth will stop us.",
        "Nothing on the map changes.",
    ),
    _sworn(
        "wild horses/herds/elephants",
        "Wild horses could not keep us from it.",
        "A herd of horses blocks the road.",
    ),
    _sworn(
        "over our/my dead body/bodies", "Over our dead body will it fail twice.", "The body text is blank."
    ),
    _sworn(
        ",/–/;/( period $", "You will leave with a charged battery, period.", "The test period ends in May."
    ),
    _sure(
        "~bet/~wager/~stake/~gamble your/their/his *? farm/boots/house/life/shirt/dollar/money/socks/hat/"
        "bottom/mortgage",
        "You can bet your boots that it opens.",
        "We cannot bet your house on it.",
        unless="card account wallet back",
    ),
    _sworn(
        "~bet/~wager/~stake/~gamble the/our/my *? farm/ranch/lot/mortgage/moon",
        "We would wager the lot on it.",
        "We would not wager the lot on it.",
        unless="not never",
    ),
    _sure(
        "surely/sure/certain as night/day/eggs/hell/sunrise/death/taxes/the/fate/rain/tomorrow/spring/"
        "tides/tide/clockwork",
        "As surely as night follows day, the code comes.",
        "We are not so sure as the weather office.",
    ),
    _sworn(
        "can not/never/hardly possibly? fail/miss to/$",
        "It cannot fail to open.",
        "The check can fail to open.",
        unless="if whether we you",
    ),
    _sworn(
        "~leave nothing to chance/luck/fate",
        "We leave nothing to chance.",
        "We leave the keys to the porter.",
    ),
    _sure(
        "cast-iron/cast/copper-bottomed/copper/gilt-edged iron/bottomed/edged fact/promise/guarantee/"
        "assurance/case/certainty/date",
        "That is a cast-iron fact.",
        "That is no cast-iron fact.",
    ),
    _sworn(
        "~put your/the/all/our *? shirt/money/house on/behind it/that/this/us",
        "You can put your shirt on it.",
        "Please put the money in the box.",
    ),
    _sworn(
        "not even * will/can/could/shall/would ~keep/~stop/~prevent/~hold/~spoil/~delay/~shake",
        "Not even a storm will keep you on the quay.",
        "The lift may keep you waiting.",
    ),
    _sworn(
        "~mark/~remember/~note our/my/these/this/the words/date/day :/,/–",
        "Mark this date: you will sail.",
        "Note the date of your booking.",
    ),
    _sworn(
        "~have/~get/~put/~give/~set it/this/that *? from? us/me? in writing/blood/ink",
        "You have it from us in writing: passes will be accepted.",
        "Please put it in writing.",
        unless="please ask if",
    ),
    _sworn(
        "will/shall/'ll/going surely/assuredly/absolutely/invariably/infallibly",
        "The messages will surely appear.",
        "The messages will hardly appear.",
        unless="if not",
    ),
    _sworn(
        "~swear/~vow/~promise on/by a/our/the/my/all *? stack/bible/bibles/grave/graves/mother/mothers/life/"
        "lives/heaven/head/heads/children",
        "We would swear on a stack of cookbooks that your box will come.",
        "We would not swear to it.",
    ),
    _sworn(
        "will/'ll/shall/going * ,/– whatever/whichever/however/wherever they/we/it/you/anyone/anybody/the/"
        "this/others",
        "Your attempt is going to count, whatever they find.",
        "We check your attempt, whatever you sent.",
        unless="tell write inform update post share report let know call say",
    ),
    _sworn(
        "that/this much we/i ~can/do? tell/say/promise/know",
        "You will see the show, that much we can tell you.",
        "We do not know that much.",
    ),
    _sworn(
        "or our/my/we/i *? mud/dutchman/dutchmen/hat/hats/boots/monkey/shirt",
        "You will hand in a complete paper or our name is mud.",
        "The path is ice or mud.",
    ),
    _sworn("by hook or", "By hook or by crook, you will sail.", "Hang the bag by the hook on the door."),
    _sworn(
        "one way or another/the/other",
        "One way or another, you will sail.",
        "The ferry goes one way.",
        unless="whether know tell let inform hear",
    ),
    _sworn(
        "if it/that ~be/'s the last thing we/i ~do",
        "You will sail if it is the last thing we do.",
        "It is the last thing on the list.",
    ),
    _sworn(
        "snowball/cat/dog/ghost 's? chance in/of",
        "There is not a snowball's chance in hell that it fails.",
        "There is a chance of rain.",
    ),
    _sure("sewn/nailed up/on/down", "The time is sewn up.", "The time is not sewn up."),
    _sure(
        "scout/scouts/pinky/pinkie 's? honour/honor/swear/finger",
        "Scout's honour, it opens.",
        "It is not pinky swear.",
    ),
)
