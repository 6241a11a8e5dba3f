"""Phrases in which we point at ourselves: the blame ends here, our own clumsy hands, warned and idle."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_ours = partial(Phrase, "liability", "word")
_said = partial(Phrase, "liability", "always")

_OPEN = "whether if who unknown"
_POOR = (
    "poor/bad/clumsy/careless/sloppy/rash/hasty/faulty/foolish/shoddy/lazy/lax/weak/muddled/reckless/wishful/"
    "slack/misplaced/shabby/cheap"
)

SELF_BLAME = (
    _ours(
        "we/i ~do *? wrong",
        "We do wrong by you.",
        "We did nothing wrong.",
        unless="what whether if nothing anything not",
    ),
    _said(
        "you/customers/guests ~do/~have nothing/no wrong/fault/blame * ,/;/–/: we/ours/us",
        "You did nothing wrong here; we overslept.",
        "You did nothing wrong here; please wait.",
        unless="check look write know",
    ),
    _ours(
        "blame/fault/responsibility/finger/fingers/accountability/guilt ~stop/~end/~land/~belong/~begin/"
        "~start/~point with/on/at/here/to us/ours/ourselves/here/$",
        "The blame stops with us.",
        "The blame does not stop with us.",
    ),
    _ours(
        "we/i ~hold/~put/~stick/~raise up? our/my/a/both hand/paw/arm",
        "We hold up our hand for this.",
        "Please hold up your hand.",
    ),
    _ours(
        "~point/~aim/~wag/~shake * finger/fingers/fist at/towards us/ourselves",
        "Point the finger at us.",
        "Do not point the finger at us.",
    ),
    _ours("egg ~be? on our/my face/faces", "The egg is on our face.", "There is no egg on our faces."),
    _ours(
        "only ourselves/us/myself to? reproach/thank/accuse/curse/fault/scold",
        "We have only ourselves to reproach.",
        "We do not have only ourselves to thank.",
    ),
    _ours(
        "you/customers/everyone ~have/~can/~may us/only to? *? thank/blame/curse",
        "You have us to thank for this mess.",
        "You do not have us to thank.",
    ),
    _ours(
        "~scold/~curse/~fault/~reproach/~rebuke us/ourselves",
        "Scold us, not the courier.",
        "Do not scold us.",
        unless="if whether some may many",
    ),
    _ours(
        "we/i ~deserve/~earn your/the/every/this/that/all *? anger/complaint/complaints/criticism/scorn/"
        "blame/telling-off/scolding/wrath/frustration",
        "We deserve your anger.",
        "We do not deserve your anger.",
    ),
    _ours(
        "we/i ~be/~feel/should/must/ought *? ashamed/embarrassed/culprits/culprit/red-faced/mortified",
        "We should be ashamed of this.",
        "We are not ashamed of it.",
    ),
    _ours(
        f"our/my own? {_POOR} work/judgement/judgment/planning/hands/fingers/handling/decision/decisions/"
        "choice/choices/preparation/housekeeping/care/thinking/workmanship/maintenance/upkeep/communication/"
        "eyes/arithmetic/sums/guess/guesswork/aim/habits",
        "You are paying for our poor judgement.",
        "It was not our poor judgement.",
    ),
    _ours(
        "our/my own? *? clumsiness/carelessness/sloppiness/stupidity/laziness/complacency/arrogance/"
        "inattention/thoughtlessness/shortsightedness/stinginess/greed/impatience/forgetfulness",
        "The mix-up came of our own forgetfulness.",
        "It was not our forgetfulness.",
    ),
    _ours(
        "carelessness/clumsiness/sloppiness/stupidity/laziness/complacency/arrogance/inattention/"
        "thoughtlessness/folly of/by ours/us/mine",
        "Sheer folly of ours shut the doors.",
        "It was no folly of ours.",
    ),
    _ours(
        "sat/sit/sitting/sits on our/my hands/it/them/this/that",
        "We sat on our hands.",
        "We are not sitting on our hands.",
    ),
    _ours(
        "we/i *? warned/told/alerted/cautioned * and/but/yet ~do/~shrug/~ignore/~look/~carry/~press/~go/"
        "~wait/~sleep/chose/sat/stood/laughed/nodded",
        "We were warned and looked on.",
        "We were told and wrote to you.",
    ),
    _ours(
        "we/i *? ~skimp/~scrimp/~stint/~economise/~shrug/~dally/~procrastinate on/off/over/$",
        "We skimped on upkeep.",
        "We do not skimp on upkeep.",
    ),
    _ours("~drag our/my feet/heels", "We dragged our feet.", "We will not drag our feet."),
    _ours(
        "we/i ~be/~have *? too stingy/greedy/cheap/mean/lazy/proud/confident/sure/busy/eager/hurried/hasty "
        "to/and/of",
        "We were too stingy to buy a spare.",
        "We were not too proud to ask.",
        unless="call calls phone line lines answer",
    ),
    _ours(
        "we ~bring * on/upon ourselves",
        "We brought this on ourselves.",
        "We did not bring this on ourselves.",
    ),
    _ours("~shame/~embarrass/~disgrace us/me", "It shames us.", "It does not shame us."),
    _said(
        "nobody/noone/none here/of/at/on us/our/here/duty/team/side? *? "
        "~check/~test/~read/~look/~notice/~watch/~spot/~think/~listen/~ask/~care",
        "Nobody here checked the form.",
        "Nobody has checked in.",
        unless="if whether know",
    ),
    _ours(
        "blame/fault/responsibility/onus/guilt * ~rest/~lie/~sit/~fall/~belong/~land with/on/at/to *? "
        "our/us/ourselves/ours",
        "The blame rests with all of our planners.",
        "The blame for this does not rest with us.",
        unless=_OPEN,
    ),
    _ours(
        "we/i have? ^failed to/in/at/with",
        "We failed to deliver your messages on time.",
        "Some calls failed to connect.",
        unless=_OPEN,
    ),
    _said(
        "~slip/~slide/~sail/~sneak/~get/~creep/~go/~fly past/by/under us/our",
        "The wrong times slipped past us.",
        "The wrong times did not get past us.",
        unless=f"{_OPEN} not nothing never",
    ),
    _said(
        "could/should/might/would and/or should/could/must have",
        "That is something we could and should have avoided.",
        "We could and should call you.",
        unless=_OPEN,
    ),
    _ours(
        "our/my own? mess/muddle/botch/screw-up/foul-up/bungle/gaffe/clanger/cock-up/howler/sin/sins/"
        "folly/neglect/slackness/haste/misdeed",
        "It is our mess, not yours.",
        "It is not our mess.",
        unless=f"{_OPEN} number",
    ),
    _ours(
        "~have/~bear/~carry/~wear our/my name/names/fingerprints/stamp/signature/logo/handwriting/"
        "fingerprint on/all/over/$",
        "This blunder has our name on it.",
        "The letter may bear our logo.",
        unless="letter mail email label box parcel form envelope may",
    ),
    _said(
        "not to? blame/fault/responsible/guilty * ;/,/–/:/. but? the? we/ours/company/college/school/bank/"
        "operator *? is/are/was/were/do/did $",
        "Students are not to blame for the stress; the college is.",
        "Students are not to blame for the stress; the noise is.",
        unless=_OPEN,
    ),
    _said(
        "when/that/which they/it/these never/not should/ought to? have $",
        "The wrong times went out when they never should have.",
        "The times went out when they should have.",
        unless=_OPEN,
    ),
    _ours(
        "it/this/that/all/delay/mess/failure/outage ~be *? on us/me/our $/team/side/desk/plate",
        "All of that is on our side.",
        "All of that is not on our side.",
        unless=f"{_OPEN} eyes",
    ),
    _ours(
        "we/i ~stand/~plead/~feel *? guilty/contrite",
        "We plead guilty.",
        "We do not feel guilty.",
        unless=_OPEN,
    ),
    _ours(
        "we/i ~have? *? ^wronged/shortchanged/short-changed/mistreated/disappointed you/our/your/everyone/"
        "customers/members",
        "We have disappointed you.",
        "We have not wronged you.",
        unless=f"{_OPEN} sorry apologise apologize",
    ),
)
