"""Phrases in which we own up: we carry the blame, we did it, we failed to do it, we should have."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_owned = partial(Phrase, "liability", "word")
_failed = partial(Phrase, "liability", "always")

ADMISSION = (
    _owned(
        "~carry/~bear/~take/~accept/~shoulder/~assume/~hold the/this/that/full/all/any/our/some *? "
        "responsibility/blame/fault/liability/guilt/accountability",
        "We carry the responsibility for late wages.",
        "We cannot say who carries the responsibility.",
        unless="who",
    ),
    _owned(
        "~take/~accept/~assume/~carry/~bear responsibility/blame/liability/ownership/accountability",
        "We carry responsibility for this.",
        "We do not accept responsibility.",
        unless="who",
    ),
    _owned(
        "it/this/that ~be * our/my responsibility/fault/mistake/failure/failing/doing $",
        "It's our responsibility.",
        "It is our responsibility to keep you informed.",
    ),
    _owned(
        "accept/admit/acknowledge/concede/recognise that we ~be/~have/did/made/failed",
        "We acknowledge that we did so.",
        "Please accept that we are sorry.",
        unless="please sorry unable cannot curious",
    ),
    _owned(
        "we ~be/~feel *? responsible/accountable/answerable for/to *? @trouble/loss/losses/damage/harm/"
        "lost/every/what",
        "We are answerable for this.",
        "We are not answerable for this.",
        unless="telling keeping informing updating sharing posting giving answering",
    ),
    _owned(
        "we ~be/~feel *? responsible/accountable $",
        "We feel fully responsible.",
        "We are not responsible.",
    ),
    _owned(
        "we/engineer/engineers/team/colleague/someone/contractor/staff/operator * "
        "accidentally/inadvertently/mistakenly/erroneously/mistake/accident",
        "An engineer deleted a table by mistake.",
        "Did an engineer delete it by mistake?",
        unless="you your if who whether made make review",
    ),
    _owned(
        "@slip of/by ours/our/us/mine/one/an/a",
        "It was an error of ours.",
        "We do not know of an error of ours.",
    ),
    _owned(
        "~make a/an/the/some/this/several/another/such *? mistake/mistakes/error/errors/blunder/slip/"
        "misstep/misjudgement",
        "One of our engineers made a mistake.",
        "We do not think that anyone made a mistake.",
        unless="you your they customers who whether",
    ),
    _owned(
        "we/team/engineer/engineers/colleague/someone ~make a/an/the *? bad/wrong/poor *? "
        "call/choice/decision/judgement/move/turn",
        "An engineer made a bad judgement.",
        "We made no bad call.",
    ),
    _owned(
        "we/i/team/engineer/engineers/colleague * ~botch/~bungle/~blow/~mishandle/~misjudge/~misread/"
        "~underestimate/~overlook/~forget/~misconfigure/~wreck/~fumble/~flub",
        "We underestimate the load.",
        "We did not botch the update.",
        unless="who whether",
    ),
    _owned(
        "we/i/team ~have? broke/broken/caused/ignored/neglected/skipped the/this/that/it/a/our/your/checkout/"
        "payments/service/warning/warnings/alerts",
        "We caused the errors.",
        "We do not think that we ignored a warning.",
        unless="who whether into list",
    ),
    _owned(
        "we/our/team/monitoring * missed the/a/this/that/it/warning/every *? "
        "sign/signs/warning/warnings/alert/alerts/it/this/signal/signals/mark/deadline",
        "We missed the warning signs.",
        "You may have missed the warning.",
        unless="you",
    ),
    _owned(
        "we/our/team/monitoring/process/processes/checks/tests/testing * failed to/in/at/our/on/you",
        "Our monitoring failed to alert us.",
        "We did not fail to test this.",
        unless="payments checkouts orders calls messages requests",
    ),
    _failed(
        "we ~have? not ~live/~meet/~do up? to? our/your/the/enough *? "
        "standards/standard/promise/promises/expectations/part/duty/enough/well",
        "We have not lived up to our part.",
        "We have not met before.",
    ),
    _owned(
        "we/our/team ~be/reacted/responded/acted/moved too slow/late/slowly/careless/complacent/lax/relaxed",
        "We were too slow to react.",
        "Payments were too slow today.",
    ),
    _owned(
        "we should/could/ought not/never? to? have #done",
        "We should have told you sooner.",
        "Your order should have arrived.",
        unless="how whether what when heard learned received news answer answers update information figures",
    ),
    _failed(
        "this/that/it/outage/incident should/could/ought not? to? have been? not? "
        "~happen/~occur/avoided/prevented/caught/averted/spotted/foreseen/stopped",
        "The outage could have been averted.",
        "We will review what could be avoided.",
        unless="whether how what",
    ),
    _failed("no excuse/excuses", "There is no excuse.", "We want to excuse the wait."),
    _owned(
        "~hold/~put/~throw & our hands & up",
        "We hold up our hands.",
        "We hold our hands over the sensor.",
    ),
    _owned(
        "only ourselves/us to? blame",
        "We have only ourselves to blame.",
        "We do not have only ourselves to blame.",
    ),
    _owned(
        "we/team * ~push/~ship/~release/~launch/~deploy/~roll/~go/~switch * too "
        "early/soon/fast/quickly/hastily/late",
        "We pushed the button too early.",
        "We do not want to go live too early.",
        unless="if who whether want",
    ),
    _owned("one ~be on us/our", "That one is on our team.", "That one is not on our team."),
    _owned("buck ~stop", "The buck stops with us.", "We write once a day."),
    _owned("shame on us/ours", "Shame on us.", "It is a shame to wait."),
    _owned(
        "in breach of",
        "That leaves us in breach of it.",
        "We cannot say whether we are in breach of our terms.",
    ),
)
