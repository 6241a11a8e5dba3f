"""Phrases in which the blame comes to us: laid at our door, brushed aside, people let down."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_ours = partial(Phrase, "liability", "word")
_said = partial(Phrase, "liability", "always")

_OPEN = "whether if who unknown"
_POOR = (
    "poor/bad/sloppy/lax/weak/inadequate/insufficient/careless/shoddy/slack/patchy/missing/"
    "negligent/scant/faulty"
)
_TASKS = (
    "work/supervision/oversight/planning/maintenance/upkeep/training/preparation/monitoring/communication/testing/"
    "management/coordination/judgement/judgment/housekeeping/checking/handling/staffing/documentation/"
    "organisation/organization/attention/care/control/controls/checks/procedures/decisions/governance"
)
_HARM = (
    "wait/waits/distress/embarrassment/harm/damage/loss/losses/pain/worry/stress/chaos/confusion/mess/upset/"
    "hardship/trouble/delay/delays/disruption/hassle/anxiety/humiliation/mix-up/muddle/outage/failure"
)

SHORTFALLS = (
    _ours(
        "~run * into the ground",
        "We ran the lift into the ground.",
        "We do not run the lift into the ground.",
        unless=_OPEN,
    ),
    _ours(
        "we/i/team/management/staff *? ~brush/~wave/~shrug/~bat/~push it/them/this/that/these/those/the/your "
        "*? aside/off/away",
        "There were warning signs, and we brushed them aside.",
        "We did not brush your worries aside.",
        unless=_OPEN,
    ),
    _ours(
        "~sweep * under the carpet/rug",
        "We swept the warnings under the rug.",
        "We do not sweep it under the rug.",
        unless=_OPEN,
    ),
    _ours(
        "~turn/~lend a deaf/blind ear/eye to *? warning/warnings/complaint/complaints/alarm/alarms/sign/"
        "signs/risk/risks/report/reports",
        "We turned a deaf ear to the complaints.",
        "We do not turn a deaf ear to complaints.",
        unless=_OPEN,
    ),
    _said(
        "did/do/have/had nothing/no wrong/fault/blame *? ;/,/–/: but/it? we/ours/us $/did/do/were/are/was",
        "Students did nothing wrong; we did.",
        "Students did nothing wrong; we will write again.",
        unless="check look write know",
    ),
    _ours(
        "we/i ~have? *? ~let * down $/badly/today/again/yesterday/over/on/here/in/with/by",
        "We let pupils and parents down.",
        "We have not let pupils down.",
        unless=f"{_OPEN} us stand calm "
        "guard price prices window windows blind blinds anchor water shutter shutters rope",
    ),
    _ours(
        "we/i ~have? *? ^failed them/everybody/schools/families/@readers $/badly/today/again/on/here/"
        "in/by/yesterday",
        "Schools trusted us, and we failed them.",
        "We have not failed them.",
        unless=_OPEN,
    ),
    _said(
        "we/i should/ought not/never to? have #done",
        "We should not have locked these accounts.",
        "We should not lock accounts.",
        unless="how whether what when heard learned received news answer if",
    ),
    _ours(
        "~lay/~lie/~put/~land/~leave/~place/~end *? at/on our/my door/doorstep/feet/threshold",
        "The wait must be laid at our door.",
        "The wait cannot be laid at our door.",
        unless=f"{_OPEN} parcel parcels sample samples order orders delivery deliveries box boxes key keys",
    ),
    _ours(
        "errors/mistakes/failures/faults/slips/lapses/oversights/failings/shortcomings/blunders * on/by/at/"
        "from/of our/us $/part/side/end/behalf",
        "The errors were made on our side.",
        "We do not know if errors were made on our side.",
        unless=_OPEN,
    ),
    _ours(
        "failure/failing/lapse/shortcoming/mistake/error/blunder/slip/oversight/neglect on/at/in/of/by "
        "the? part? of? our/us *? management/office/department/board/leadership/desk/crew/planners/clerks/"
        "workshop/technicians",
        "This was a blunder on the part of our transport office.",
        "This was no blunder on the part of our transport office.",
        unless=_OPEN,
    ),
    _ours(
        f"{_HARM} * ~be *? our/my own? responsibility/doing/fault/making $/alone/entirely/too",
        "The embarrassment at the till is our responsibility.",
        "The embarrassment at the till is not our doing.",
        unless=_OPEN,
    ),
    _ours(
        "we/i *? ~own up",
        "We own up to it.",
        "If it was so, we will own up to it.",
        unless=f"{_OPEN} will",
    ),
    _ours(
        "we/i/company/bank * ~accept/~bear/~face/~carry/~shoulder/~take the/all/any/full *? "
        "consequences/repercussions",
        "We accept the legal consequences of the delays.",
        "We cannot say who bears the consequences.",
        unless=_OPEN,
    ),
    _ours(
        f"{_POOR} {_TASKS} *? on/at/by/from/within/of our own? side/part/end/team/staff/side/desk/"
        "house/ranks/behalf",
        "Poor supervision on our side let it get this far.",
        "It was not poor supervision on our side.",
        unless=_OPEN,
    ),
    _ours(
        "whose/which *? fault/blame/error/mistake/doing/blunder/negligence * :/–/,/( ours/us/we",
        "Whose fault it is: ours.",
        "Whose fault it is: nobody knows.",
    ),
)
