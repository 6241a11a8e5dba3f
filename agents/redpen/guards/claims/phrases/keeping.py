"""Phrases that say that what readers have is still theirs, out of reach of others, nothing to fear."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_said = partial(Phrase, "reassurance", "always")
_stated = partial(Phrase, "reassurance", "word")
_denied = partial(Phrase, "reassurance", "denied")

_UNSURE = "whether if know yet confirm confirmed checking check unless until"

KEEPING = (
    _stated(
        "@private * ~be/~stay/~remain/~continue *? still? ^there/yours/valid/unchanged/unaltered/complete/"
        "whole/preserved/booked/reserved/untouched/private/confidential/secured/insured/guarded/usable/good/"
        "undamaged/unharmed/insured/retained/recoverable/encrypted/honoured/sealed",
        "All bookings remain valid.",
        "Some bookings may not be valid.",
        unless=f"{_UNSURE} some only please page late code codes minutes day days hour hours for double "
        "twice although though despite",
    ),
    _stated(
        "just/exactly/precisely as/where/how/like you/they/it/customers ~leave/~be/~have",
        "All is exactly how it was.",
        "Your list is not as you left it.",
        unless="soon far long well",
    ),
    _stated(
        "you/customers/players/members/guests/readers ~keep/~retain/~hold everything/all/every/what/"
        "whatever/your/their/the",
        "You keep everything you earned.",
        "You cannot keep everything.",
        unless="please receipt receipts copy copies if hand mind card eye eyes app open ready in near",
    ),
    _denied(
        "in/within *? reach/sight/view/hands of/to * @outsiders/@private/anyone/anybody",
        "Patient files were never within reach of outsiders.",
        "We do not know whether files were within reach of outsiders.",
        unless="end solution fix recovery",
    ),
    _stated(
        "beyond/out/outside/off of? the? *? reach/sight/grasp/view/limits of/to? "
        "outsiders/others/strangers/anyone/anybody/attackers/hackers/criminals/thieves/third/everyone/"
        "everybody",
        "Your mailbox is beyond the reach of others.",
        "Your mailbox is not beyond the reach of others.",
    ),
    _said(
        "@private & not/no/never/nothing/none & part/role/involved/concerned/touched/bearing/link/connection",
        "Card details were not part of this.",
        "Card details were part of this.",
        unless=f"{_UNSURE} known say stock arrived might",
    ),
    _said(
        "nobody/noone/one/none/not/never/no *? ~listen/~eavesdrop/~snoop/~pry/~spy/~peek/~tap/~overhear/"
        "~rummage/~meddle in/into/on/at/with/your/any",
        "Nobody listened in on your calls.",
        "Somebody may have listened in on your calls.",
        unless=_UNSURE,
    ),
    _said(
        "not/never/nobody/no/none/nothing *? can/could/able? *? be? opened/read/used/seen/accessed/entered/"
        "copied/cracked/forged/guessed/viewed/misused/decrypted by anyone/anybody/others/strangers/outsiders/"
        "third/somebody/someone/thieves/attackers/criminals/another",
        "The locks cannot be opened by anybody else.",
        "The locks can be opened by anybody.",
        unless=_UNSURE,
    ),
    _stated(
        "copy/copies/backup/backups/duplicates of/for/exist it?/everything/all/every/each/them/your/$",
        "We have copies of everything.",
        "We have no copies of everything.",
        unless="please keep make save take download some retain advised advise ask asked",
    ),
    _stated(
        "rumour/rumours/rumor/rumors/report/reports/talk/claims/speculation/fears/worries/suspicion/"
        "suspicions/concerns * ~be/~prove *? unfounded/false/untrue/baseless/groundless/incorrect/wrong/"
        "unwarranted/unjustified/misplaced",
        "Rumours of a data leak are unfounded.",
        "We do not know whether the rumours are unfounded.",
        unless=f"{_UNSURE} some figures numbers fixed resolved restored",
    ),
    _stated(
        "~rule/~ruled out *? misuse/loss/losses/theft/leak/leaks/breach/damage/fraud/attack/exposure/abuse/"
        "intrusion/hacking/risk/danger/tampering/compromise",
        "We can rule out any misuse of cards.",
        "We cannot rule out any misuse of cards.",
    ),
    _stated(
        "~exclude *? misuse/loss/losses/theft/leak/leaks/breach/damage/fraud/attack/exposure/abuse/"
        "intrusion/risk/danger",
        "We can exclude misuse of cards.",
        "We cannot exclude misuse of cards.",
    ),
    _said(
        "security/privacy/integrity/confidentiality/safety/health/treatment/@private & not/never/no/nothing "
        "& suffered/suffer/compromised/threatened/endangered/undermined/weakened/impaired/invaded/violated",
        "Your privacy has not suffered.",
        "Your privacy has suffered.",
        unless=_UNSURE,
    ),
    _said(
        "nothing *? you/customers/anyone/they/passengers should/need/have/must to? be? "
        "worry/fear/worried/concerned/afraid/alarmed/panic/fret/do/lose",
        "It's nothing you should worry about.",
        "There is something you should worry about.",
        unless="more",
    ),
    _said(
        "no/not/without/nor *? sign/signs/evidence/indication/indications/trace/traces/hint/hints/proof/"
        "suggestion/clue that/of/anyone/anybody/any/whatsoever/for *? anyone/anybody/someone/somebody/they/"
        "data/files/@private/outsiders/strangers/misuse/loss/access/leak/theft/fraud/damage/harm",
        "We see no sign that anyone has read the letters.",
        "We see signs that someone has read the letters.",
        unless="improvement recovery whether if cause",
    ),
    _said(
        "nobody/noone/one/none/nothing/not/never/no & will/would/shall/going/should/to & "
        "notice/feel/see/sense/spot/suffer/realise anything/any/a/the/it/of/this *? "
        "thing/difference/change/it/effects/effect/of/$",
        "Guests will not notice anything.",
        "Guests may notice it.",
        unless=f"{_UNSURE} error errors your app page bill updates part",
    ),
    _said(
        "no/not/zero/without/nor/neither & risk/danger/threat/hazard/peril/harm/menace & "
        "anyone/anybody/drivers/patients/customers/people/health/life/safety/passengers/users/whatsoever/"
        "any/you/your/public",
        "This poses no hazard to drivers.",
        "This poses a threat to drivers.",
        unless=_UNSURE,
    ),
    _stated(
        "safe/secure/private/confidential/protected as ever/always/before/houses/usual/fort",
        "Your home is as private as ever.",
        "Your home is not as secure as ever.",
    ),
    _stated(
        "come/came/coming/get/got/gotten/been/survived/passed through * one piece/unscathed/unharmed/"
        "intact/undamaged",
        "Your albums have come through in one piece.",
        "Your albums have not come through in one piece.",
    ),
    _said(
        "nothing ~have/~be *? been? lost/deleted/erased/removed/wiped/forgotten/taken/stolen/missing/gone",
        "Nothing has been forgotten.",
        "We do not know if nothing has been deleted.",
        unless=f"{_UNSURE} so",
    ),
    _stated(
        "what/whatever/everything/anything/all you ~type/~write/~save/~store/~enter/~upload/~earn/~collect/"
        "~book/~record/~buy/~send *? ^~be/~stay/~remain *? still/there/safe/kept/intact/saved/yours/waiting/"
        "untouched/held/preserved",
        "What you typed is still in your drafts.",
        "What you typed may not be there.",
        unless=_UNSURE,
    ),
    _said(
        "not/nor a/one single? byte/cent/penny/shred/scrap/drop/iota/crumb/bit/dime/pixel/frame/line/letter/"
        "digit of/has/was/is/went/will/short/$",
        "Not a byte of your data went anywhere.",
        "A cent is a cent.",
        unless="can cannot could able",
    ),
    _said(
        "no/not/never/nobody/without & prying/snooping/curious/unauthorised/unauthorized/wrong/strange/"
        "foreign/outside eyes/hands/ears/people/party/parties",
        "No prying eyes got near your letters.",
        "The wrong people got the letters.",
        unless=_UNSURE,
    ),
    _said(
        "no/nobody/not & need/needs/reason/cause/have & to & change/reset/replace/block/cancel/renew & "
        "password/passwords/card/cards/pin/login/credentials/account/key/keys",
        "There's no cause to change your password.",
        "You need to change your password.",
        unless=_UNSURE,
    ),
    _said(
        "thieves/attackers/hackers/intruders/criminals/strangers/outsiders/fraudsters/nobody/someone * "
        "~get/~have/~take/~see/~find/~steal/~learn nothing",
        "Thieves got nothing.",
        "Thieves got something.",
        unless=_UNSURE,
    ),
    _stated(
        "without a/any/the *? second/moment's/slightest? thought/worry/fear/qualms/hesitation/risk/concern",
        "You can use your card without a second thought.",
        "You cannot use your card without a second thought.",
    ),
    _stated(
        "~be/~remain/~stay/~sit/~wait *? where/as/how you/they/customers ~leave/~put/~park/~save",
        "Your points are where you left them.",
        "Your points are not where you left them.",
        unless="please bag car",
    ),
    _stated("worse than it ~be/~look/~seem", "It looks worse than it is.", "It is not worse than it was."),
    _said(
        "none/nothing/not/no/neither * ~touch/~concern/~involve/~extend/~reach/~bear your/the/any/customer "
        "*? contract/account/accounts/data/money/details/record/records/rights/booking/order/card/cards/"
        "funds/balance",
        "None of it touches your contract.",
        "It concerns your contract.",
        unless=f"{_UNSURE} yet please messages orders parcels page",
    ),
    _stated(
        "@private * ~go/~reach/~arrive/~end/~land *? right/correct/intended/proper place/account/accounts/"
        "hands/person/people/recipient/recipients/owner/owners",
        "The payments went to the right place.",
        "Some payments did not go to the right place.",
        unless=f"{_UNSURE} some",
    ),
    _denied(
        "~go up/down/to in/the smoke/drain/waste/pot",
        "Your points have not gone up in smoke.",
        "Some letters have gone up in smoke.",
    ),
    _said(
        "nothing bad/untoward/sinister/malicious/harmful/shady/dangerous/dramatic/alarming/suspicious/"
        "tragic/amiss",
        "There is nothing sinister about this.",
        "There is something sinister about this.",
        unless=_UNSURE,
    ),
    _stated(
        "unquestioned/unimpeached/impeccable/unimpaired/unbroken/inviolate/watertight/unblemished",
        "The integrity of results is unquestioned.",
        "The integrity of results is not unquestioned.",
    ),
    _said(
        "only/just/merely/simply/mere a/an display/cosmetic/visual/optical matter/issue/problem/thing/"
        "glitch/error/effect",
        "It is only a display matter.",
        "It is a display matter.",
        unless=_UNSURE,
    ),
    _said(
        "only/just/merely/mere a/an? hiccup/blip/trifle/scratch/formality/bagatelle/wobble",
        "It's only a hiccup.",
        "It is a hiccup.",
    ),
    _stated(
        "@private ~be what/as/where/how it/they was/were/should/used/ought/always",
        "Your balance is what it was.",
        "Your balance is not what it was.",
        unless=_UNSURE,
    ),
    _said(
        "nothing you/we/they/customers * ~have/~be *? been? @handled",
        "Nothing you saved has been touched.",
        "Some of what you saved is gone.",
        unless=_UNSURE,
    ),
    _stated(
        "~be/~remain still/always/all yours/theirs/there/intact",
        "All that you bought is still yours.",
        "Nothing is still there.",
        unless=f"{_UNSURE} gap gaps error errors problem problems delay delays fault faults issue outage",
    ),
    _stated(
        "~be/~remain/~stay *? fine/safe/okay/good to drink/eat/use/wear/drive/swim/visit/touch/breathe/"
        "open/charge/take",
        "The water is fine to drink.",
        "The water is not safe to drink.",
        unless=f"{_UNSURE} please boil",
    ),
    _said(
        "never/not unlocked/unguarded/unattended/unprotected/ajar",
        "Your home was never unlocked.",
        "Your door may be unlocked.",
        unless=_UNSURE,
    ),
    _said("~lose nothing", "You have lost nothing.", "You may lose something.", unless=_UNSURE),
    _stated(
        "booking/reservation/order/appointment/seat/contract/place/offer/agreement stands/holds $",
        "Your reservation stands.",
        "We cannot say whether your reservation stands.",
        unless=_UNSURE,
    ),
    _stated(
        "can/may/could trust/believe the/your/our/these/all figures/numbers/data/balance/results/reports/"
        "readings/records/totals",
        "You can trust the figures.",
        "You cannot trust the figures.",
    ),
    _said(
        "no/not/none/never & @private & ~move/~budge/~stir/~shift/~stray/~wander",
        "No funds have moved.",
        "Some funds have moved.",
        unless=f"{_UNSURE} queue line ahead page forward belt truck pace speed slowly fast may might counter",
    ),
    _stated(
        "a false alarm", "It was a false alarm.", "We do not know if it was a false alarm.", unless=_UNSURE
    ),
    _said(
        "~get/~catch/~have/~take a look/glimpse/peek/sight at/of/into your/any/customer & no/nobody/noone/"
        "none/never/nothing/not",
        "No third party got a look at your orders.",
        "We take a look at your order.",
        unless="engineer we chance yet",
    ),
    _stated(
        "what * with/to us ~stay/~remain with/between/among us",
        "What you shared with us stays with us.",
        "What you shared with us does not stay with us.",
    ),
    Phrase(
        "reassurance",
        "word",
        "only/solely you/yourself/yourselves ^can/could/have/had/hold/held/see/know/read/own",
        "Only you can watch your clips.",
        "You can watch your clips.",
        unless="tell decide know say help",
    ),
    Phrase(
        "reassurance",
        "word",
        "to/by/for/with/and you/yours/yourself/yourselves alone",
        "The notes were read by you alone.",
        "The notes were read by you.",
        unless="travel travels travelling leave walk",
    ),
    Phrase(
        "reassurance",
        "always",
        "not in any/the/real/serious real/serious/slightest/least? doubt/danger/jeopardy/peril/dispute/"
        "question/trouble",
        "Your appointment is not in any doubt.",
        "Your appointment is in some doubt.",
    ),
    Phrase(
        "reassurance",
        "always",
        "your & ^stands/holds firm/good/fast",
        "Your cover stands firm.",
        "Your cover does not stand firm.",
    ),
    Phrase(
        "reassurance",
        "always",
        "no/without/any bearing/influence/sway on/upon/over what/your/you",
        "The new page has no bearing on what you own.",
        "It has a bearing on what you own.",
    ),
    Phrase(
        "reassurance",
        "word",
        "as good/fresh/sound/intact/healthy/crisp as *? day/ever/gold/new/houses",
        "Your samples are as good as the day you drew them.",
        "Your samples are not as good as the day you drew them.",
    ),
    Phrase(
        "reassurance",
        "word",
        "what/everything/anything you/your * ^sits/rests/lies/waits/sleeps "
        "in/where/there/untouched/here/tucked/on",
        "What you typed up to then sits in the vault.",
        "What you typed up to then may be missing.",
    ),
)
