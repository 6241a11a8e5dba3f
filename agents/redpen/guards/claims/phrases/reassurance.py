"""Phrases that say that nobody needs to worry."""

from __future__ import annotations

from redpen.guards.claims.phrases.row import Phrase

REASSURANCE = (
    Phrase(
        "reassurance",
        "always",
        "nothing to worry/fear/panic/stress/fret",
        "There is nothing to worry about.",
        "We see why you worry.",
    ),
    Phrase(
        "reassurance",
        "always",
        "nothing to be worried/concerned/alarmed/afraid about/of?",
        "There is nothing to be concerned about.",
        "We see why you are concerned.",
    ),
    Phrase(
        "reassurance",
        "always",
        "no cause/reason/grounds to/for *? worry/panic/concern/alarm/fear/worried/alarmed/concerned",
        "There is no cause for alarm.",
        "There is no need to panic.",
    ),
    Phrase(
        "reassurance",
        "always",
        "not be a cause/reason for/of concern/alarm",
        "This should not be a cause for concern.",
        "This is a cause for concern.",
    ),
    Phrase(
        "reassurance",
        "always",
        "without *? worry/worries/concern/fear",
        "Pay without worry.",
        "We worry too.",
    ),
    Phrase(
        "reassurance",
        "always",
        "customers/users/guests/nobody/noone/everyone/one * ~need not/to? be? "
        "concerned/worried/worry/alarmed/"
        "afraid/fear/panic",
        "Customers need not be concerned.",
        "Please do not be alarmed.",
    ),
    Phrase(
        "reassurance",
        "word",
        "rest/breathe/sleep easy/soundly/well/easily",
        "You can rest easy.",
        "You cannot rest easy.",
    ),
    Phrase(
        "reassurance",
        "word",
        "peace of mind",
        "This gives you peace of mind.",
        "This gives you no peace of mind.",
    ),
    Phrase(
        "reassurance",
        "word",
        "@private & ^in good/safe/capable hands",
        "Your account is in capable hands.",
        "You are in good hands.",
    ),
    Phrase(
        "reassurance",
        "word",
        "harmless/negligible/benign/innocuous",
        "The effect is harmless.",
        "The effect is not harmless.",
    ),
    Phrase(
        "reassurance",
        "always",
        "no/zero/nil impact/effect/consequences/repercussions/implications on/for/to/whatsoever",
        "There are no repercussions for guests.",
        "There is an impact on customers.",
    ),
    Phrase(
        "reassurance",
        "always",
        "zero/nil impact/loss/risk/harm/damage/exposure/effect",
        "Nil impact.",
        "Some impact.",
    ),
    Phrase(
        "reassurance",
        "word",
        "~go unharmed/unscathed/unaffected/unnoticed",
        "Your data went unnoticed.",
        "We do not know whether it went unnoticed.",
    ),
    Phrase(
        "reassurance",
        "word",
        "data/records/figures/reports/numbers/statistics/files/backups/books/balances * ~be complete/"
        "correct/accurate/consistent/trustworthy/whole",
        "The figures are correct.",
        "We are checking whether the figures are correct.",
    ),
    Phrase(
        "reassurance",
        "word",
        "can/may be trusted/relied",
        "Reports can be trusted.",
        "Reports cannot be trusted.",
    ),
    Phrase(
        "reassurance",
        "word",
        "~set/~put your mind/minds at ease/rest",
        "Let us put your mind at ease.",
        "We cannot put your mind at ease.",
    ),
    Phrase(
        "reassurance",
        "always",
        "nothing serious/major/critical/important/valuable/sensitive",
        "It is nothing serious.",
        "It is serious.",
    ),
    Phrase(
        "reassurance",
        "denied",
        "~leave our/the system/systems/network/platform/servers/control/hands",
        "No card number left our systems.",
        "We are checking whether a card number left our systems.",
    ),
    Phrase(
        "reassurance",
        "denied",
        "~be? shared/seen/read/viewed/accessed/taken/copied/touched by/with",
        "No page was read by them.",
        "We do not know whether a file was seen by strangers.",
    ),
    Phrase(
        "reassurance",
        "denied",
        "~fall/~get into * hands",
        "Nothing fell into the wrong hands.",
        "We are checking whether it fell into the wrong hands.",
    ),
    Phrase(
        "reassurance",
        "denied",
        "visible/readable/accessible/open to/by strangers/others/anyone/third/outsiders/unauthorised/"
        "unauthorized/other",
        "None of your files were visible to strangers.",
        "We do not know whether files were visible to strangers.",
    ),
    Phrase(
        "reassurance",
        "denied",
        "at risk/stake",
        "Your files were never at risk.",
        "Your files may be at risk.",
    ),
    Phrase(
        "reassurance",
        "denied",
        "~be dropped/removed/altered/skipped/omitted/duplicated/readable/passed",
        "No rows were dropped.",
        "We do not know whether rows were dropped.",
        unless="back fee fees charge charges fine fines",
    ),
    Phrase("reassurance", "word", "can/may safely", "You can safely leave.", "You cannot safely leave."),
)
