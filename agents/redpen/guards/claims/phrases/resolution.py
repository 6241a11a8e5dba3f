"""Phrases that say that the trouble is over: gone, ended, sorted out, behind us."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_state = partial(Phrase, "resolution", "state")
_word = partial(Phrase, "resolution", "word")
_always = partial(Phrase, "resolution", "always")
_copula = partial(Phrase, "resolution", "copula")
_done = partial(Phrase, "resolution", "done")

RESOLUTION = (
    _state("behind us", "The outage is behind us.", "The outage is not behind us yet."),
    _copula("behind you", "The outage is behind you.", "Tell the person behind you."),
    _state(
        "~put/~bring an/a end/stop to",
        "We have put an end to the errors.",
        "We are trying to put an end to the errors.",
    ),
    _state(
        "~square/~clear away",
        "The problem has been squared away.",
        "The problem has not been squared away.",
    ),
    _state(
        "out of the? woods/wood/danger/tunnel/way",
        "We are out of the woods.",
        "We are not out of the woods.",
    ),
    _state(
        "in the clear",
        "The platform is in the clear.",
        "The platform is not in the clear yet.",
    ),
    _state(
        "~come/~draw/~bring to an/a end/close/conclusion",
        "The outage has come to an end.",
        "The outage has not come to an end.",
    ),
    _state(
        "@trouble * ~come/~draw/~bring to a/an? halt/stop/standstill",
        "The errors have come to a stop.",
        "The belt has come to a stop.",
        unless="belt lift line lines traffic train trains sorting loading deliveries work",
    ),
    _state(
        "~run/~take its/their course",
        "The incident has taken its course.",
        "The incident has not run its course.",
    ),
    _state(
        "at an/its end",
        "The disruption is at an end.",
        "The disruption is not at an end.",
    ),
    _state(
        "~iron/~sort/~straighten/~work/~stamp/~root out",
        "The wrinkles have been ironed out.",
        "We are still ironing out the wrinkles.",
    ),
    _state(
        "~die/~calm/~settle/~quiet/~quieten/~simmer down",
        "The errors have died down.",
        "The errors have not died down.",
    ),
    _state("~blow over/away", "The storm has blown over.", "It has not blown over yet."),
    _state(
        "~put *? right/straight/behind/bed/rest",
        "The fault has been put right.",
        "We are working to put the fault right.",
        unless="letting let chance",
    ),
    _state(
        "~set *? right/straight",
        "Everything has been set straight.",
        "We have not set everything right.",
    ),
    _state(
        "~take care of",
        "The fault has been taken care of.",
        "The fault is being taken care of.",
    ),
    _state(
        "~deal with",
        "The fault has been dealt with.",
        "The fault is being dealt with.",
    ),
    _state("sorted", "It is all sorted.", "It is not sorted yet."),
    _state(
        "~turn the/a corner",
        "We have turned the corner.",
        "We have not turned the corner.",
    ),
    _state(
        "~close the/this/our book/books/chapter/file/case/ticket/incident",
        "We have closed the book on this.",
        "We have not closed the book on this.",
    ),
    _state("dust ~have/~be? ~settle", "The dust has settled.", "The dust has not settled."),
    _word(
        "case/incident/matter/ticket/job/mission closed/done/accomplished/over",
        "Case closed.",
        "We will write when we call the case closed.",
    ),
    _word("the? all clear", "We can give the all-clear.", "We cannot give the all-clear."),
    _always(
        "~be/~have nothing/none more/left/further/else? to fix/do/repair/report/resolve $",
        "There is nothing left to report.",
        "There is something left to fix.",
    ),
    _always(
        "no further/more/additional work/action/actions/steps/intervention/measures",
        "No further action is needed.",
        "Further action is needed.",
    ),
    _always(
        "nothing further/more/else/left to do/fix/repair",
        "Nothing further to do here.",
        "We have more to do.",
    ),
    _always(
        "problem/issue/error/trouble/incident/glitch/fault/bug/hassle free",
        "Checkout runs error-free.",
        "Checkout runs with errors.",
    ),
    _always(
        "free of/from *? errors/error/problems/issues/faults/trouble/failures/interruptions/disruption",
        "Checkout is free of errors.",
        "Checkout shows errors.",
    ),
    _word(
        "light at the end",
        "There is light at the end of the tunnel.",
        "There is no light at the end of the tunnel.",
    ),
    _word(
        "plain/smooth sailing",
        "It is plain sailing from here.",
        "It is not plain sailing.",
    ),
    _word("the worst ~be over/past/behind", "The worst is over.", "The worst is not over."),
    _state(
        "thing of the past",
        "Failures are a thing of the past.",
        "Failures are not a thing of the past.",
    ),
    _state(
        "old/ancient news/history",
        "The outage is old news.",
        "The outage is not old news.",
    ),
    _done(
        "~work/~burn/~run/~clear off/through/down",
        "The backlog has been worked down.",
        "We are working off the backlog.",
    ),
    _copula("no more $", "The latency problem is no more.", "We know no more than that."),
    _state(
        "crystal clear",
        "The picture is crystal clear.",
        "The picture is not crystal clear.",
    ),
    _state(
        "~do the trick/job",
        "The change did the trick.",
        "The change did not do the trick.",
    ),
    _state(
        "~pay/~shake/~shrug off",
        "The change pays off.",
        "The change has not paid off.",
    ),
    _state(
        "~weather/~ride/~survive out? the/this storm/crisis/outage/incident",
        "We have weathered the storm.",
        "We have not weathered the storm.",
    ),
    _state(
        "~get/~move/~be past this/the/it/that",
        "We have moved past it.",
        "We are not past the worst.",
    ),
    _state(
        "~leave/~put the/this/it/that/everything * behind",
        "We have left the outage behind.",
        "We want to leave the outage behind.",
    ),
    _state(
        "~pull/~make it? through $",
        "The service pulled through.",
        "The service has not pulled through.",
    ),
    _always(
        "no more issues/errors/failures/problems/wrong/failed/late/stale/duplicate/delays/delayed/"
        "stuck/missing/timeouts/complaints/trouble",
        "There are no more wrong results.",
        "There is no more to say.",
    ),
    _always(
        "no wrong/failed/late/stale/duplicate/delayed/stuck/missing/waiting/pending/overdue/"
        "undelivered/unsent * remain/left/remaining",
        "No unsent jobs remain.",
        "Late jobs remain.",
    ),
    _word(
        "the? last of it/this/them/these",
        "This was the last of it.",
        "This was the last update.",
    ),
    _word(
        "clean bill of health",
        "Search has a clean bill of health.",
        "Search does not have a clean bill of health.",
    ),
)
