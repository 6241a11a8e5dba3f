"""Idioms with which a thing is sworn to be certain: come hell or high water, period, bet your boots."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_sworn = partial(Phrase, "guarantee", "always")
_sure = partial(Phrase, "guarantee", "word")

VOWS = (
    _sworn(
        "come/through/in hell/storm/wind/heaven/flood/snow/hail/wet or/and shine/high/hail/flood/"
        "weather/dry/snow/"
        "sleet",
        "Come hell or high water, you will ski.",
        "Hail or snow may slow the lifts.",
    ),
    _sworn(
        "not/nothing/nobody/none * on/in/under/this earth/world/sun/heaven/universe/planet will/can/could/"
        "shall/would/"
        "~keep/~stop",
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
        "~bet/~wager/~stake/~gamble your/their/his *? boots/house/life/shirt/dollar/money/farm/socks/"
        "hat/bottom/"
        "mortgage",
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
        "assurance/case/"
        "certainty/date",
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
)
