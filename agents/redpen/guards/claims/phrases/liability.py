"""Phrases that say that we are at fault."""

from __future__ import annotations

from redpen.guards.claims.phrases.row import Phrase

LIABILITY = (
    Phrase(
        "liability",
        "word",
        "our/my own? fault/mistake/error/negligence/failure/failing/failings/blunder/oversight/"
        "carelessness/shortcoming/shortcomings/doing/bad/wrongdoing/mistakes/errors/lapse/"
        "incompetence",
        "The crash was our doing.",
        "It was not our fault.",
    ),
    Phrase(
        "liability",
        "word",
        "error/mistake/mistakes/failure/fault/oversight/lapse/failing/shortcoming/slip * on/by/at/"
        "from our/us part/side/end/behalf",
        "The lapse was from our side.",
        "We know of no mistake on our part.",
    ),
    Phrase(
        "liability",
        "word",
        "we/company/i ~be * liable/culpable/negligent/guilty/careless",
        "We are liable to our guests.",
        "We are not liable for the loss.",
    ),
    Phrase(
        "liability",
        "word",
        "~take/~accept/~assume/~bear/~own/~acknowledge/~admit/~claim/~shoulder full/complete/all/the/"
        "total/our/sole/entire? responsibility/accountability/blame/ownership/liability/fault",
        "We acknowledge full responsibility.",
        "We do not accept liability.",
    ),
    Phrase(
        "liability",
        "word",
        "our/my own making/doing",
        "It was of our own making.",
        "It was not of our own making.",
    ),
    Phrase(
        "liability",
        "word",
        "of our/my making",
        "It was of our making.",
        "It was not of our making.",
    ),
    Phrase(
        "liability",
        "word",
        "negligence/negligent/negligently/culpable/culpability/wrongdoing/malpractice",
        "It was negligence.",
        "It was not negligence.",
    ),
    Phrase(
        "liability",
        "word",
        "liability/liable for/in/under/and/$",
        "We take on liability in full.",
        "Estimates are liable to change.",
        unless="construed read interpreted taken nothing",
    ),
    Phrase(
        "liability",
        "word",
        "we ~have? ~fail you/our/customers/everyone/guests/users",
        "We fail our guests.",
        "We do not think that we failed you.",
    ),
    Phrase(
        "liability",
        "word",
        "we/i ~have? ~let you/our/customers/everyone/guests/users * down",
        "We let our guests down when it mattered.",
        "Did we let you down?",
    ),
    Phrase(
        "liability",
        "word",
        "~be preventable/avoidable/inexcusable/unacceptable/indefensible/unforgivable",
        "The outage was avoidable.",
        "The outage was not avoidable.",
    ),
    Phrase(
        "liability", "word", "~drop/~fumble the ball", "We dropped the ball.", "We did not drop the ball."
    ),
    Phrase(
        "liability",
        "word",
        "~mess/~screw/~slip/~foul/~cock up/badly",
        "It was a slip up.",
        "We did not mess up.",
    ),
    Phrase(
        "liability", "word", "~fall short/below", "We fell short of your trust.", "We did not fall short."
    ),
    Phrase(
        "liability",
        "word",
        "we ~own this/it/that/up $/mistake/failure/outage/problem/one/error/fault/alone/entirely/fully",
        "We own this.",
        "We do not own this.",
    ),
    Phrase(
        "liability",
        "word",
        "~hold ourselves responsible/accountable/liable",
        "We hold ourselves accountable.",
        "We do not hold ourselves liable.",
    ),
    Phrase(
        "liability",
        "word",
        "human/operator/staff/employee/engineer/engineering error/mistake",
        "It was human error.",
        "It was not human error.",
    ),
    Phrase(
        "liability", "word", "~make/made * mistakes", "We have made mistakes.", "We have made no mistakes."
    ),
    Phrase(
        "liability",
        "always",
        "not ~do our/my job/part/duty/homework/best",
        "We do not do our best.",
        "We did our part.",
    ),
    Phrase(
        "liability",
        "word",
        "our duty/responsibility/job to have? prevent/prevented/avoid/stop/catch/caught",
        "It was our duty to prevent this.",
        "It is our duty to tell you.",
    ),
    Phrase("liability", "word", "mea culpa", "Mea culpa.", "We apologise."),
    Phrase(
        "liability",
        "word",
        "~breach of? our/the/its contract/sla/duty/obligations/agreement",
        "The cut breached our SLA.",
        "We cannot say whether we breached our SLA.",
    ),
    Phrase("liability", "word", "~neglect", "Upkeep was neglected.", "We did not neglect the alerts."),
    Phrase(
        "liability",
        "word",
        "we/i ~make/made/caused/created this/the mess",
        "We made this mess.",
        "We have not made this mess.",
    ),
    Phrase(
        "liability",
        "word",
        "ours/us to answer for",
        "This is ours to answer for.",
        "This is not ours to answer for.",
    ),
    Phrase(
        "liability",
        "word",
        "~fail in our/its/their duty/duties/obligations",
        "We fail in our duty of care.",
        "We have not failed in our duty of care.",
    ),
)
