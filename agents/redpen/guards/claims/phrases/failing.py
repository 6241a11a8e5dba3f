"""Phrases in which we did badly: botched it, were not careful enough, did not do what we should, erred."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_failed = partial(Phrase, "liability", "word")
_omitted = partial(Phrase, "liability", "always")

_OPEN = "whether if who determine checking check asking ask"

FAILING = (
    _failed(
        "@we/@crew * ^@bungles",
        "Our staff mixed up the samples.",
        "Our staff did not mix up the samples.",
        unless=f"{_OPEN} you your",
    ),
    _failed(
        "@we/@crew * ^~make/~made a/the/of hash/mess/meal/pig's/muddle/botch/hames of/$",
        "We made a hash of the migration.",
        "We did not make a hash of the migration.",
    ),
    _failed(
        "@we/@crew & ~get/~do/~handle/~manage/~judge/~plan/~read/~treat/~run it/this/that/the/things/you/our "
        "*? wrong/badly/poorly/carelessly/clumsily/sloppily",
        "Our team handled this poorly.",
        "We do not handle this badly.",
        unless=f"{_OPEN}",
    ),
    _failed(
        "@we/@crew * ^~pull/~press/~push/~hit/~click/~flip/~cut/~use/~choose/~pick/~run/~load/~take/~enter/"
        "~type/~deploy/~send/~upload/~install the/a wrong",
        "One of our technicians pulled the wrong plug.",
        "We do not know who pulled the wrong plug.",
        unless="you your who whether if",
    ),
    _failed(
        "~take our eye/eyes/foot off",
        "We took our eye off the ball.",
        "We do not take our eyes off it.",
    ),
    _failed(
        "asleep/sleeping/napping/dozing at/on the? wheel/job/switch/watch",
        "We were asleep at the wheel.",
        "We were not asleep at the wheel.",
    ),
    _failed(
        "caught ~us/us/we *? napping/cold/unprepared/off/flat/unaware/sleeping",
        "This caught us napping.",
        "Staff caught the train.",
    ),
    _failed("own goal", "It was an own goal.", "It was no own goal."),
    _failed(
        "on/under our/my watch", "This happened on our watch.", "It is on our watch list.", unless="list"
    ),
    _failed(
        "~let this/it/that/them/these/errors/mistakes/faults/you/customers/warnings/alarms *? "
        "slip/through/down/happen/pass/fall/go/slide",
        "Our monitoring let this slip through.",
        "Our monitoring does not let this slip through.",
        unless="know let_us them_know cannot",
    ),
    _failed(
        "@we/@crew/@process * ~be/~prove/~feel/~look *? ^careless/sloppy/negligent/complacent/reckless/"
        "remiss/lax/unprepared/inadequate/insufficient/lacking/wanting/hasty/shortsighted/neglectful/"
        "inattentive/thoughtless/unready/overconfident/amateurish/slapdash/deficient/substandard/poor/naive/"
        "rash/flawed/weak",
        "Our preparation was poor.",
        "Our preparation is not poor.",
        unless=f"{_OPEN} you responses answers",
    ),
    _failed(
        "careless/sloppy/negligent/wrong/remiss/thoughtless/reckless/foolish/rash/short-sighted/lax/wrongly/"
        "naive/hasty/clumsy/silly/stupid/lazy/slack of us/our",
        "It was careless of us not to warn you.",
        "It would be careless of us to promise more.",
        unless=f"{_OPEN} would could might",
    ),
    _failed(
        "we ~be wrong to/not/in/about",
        "We were wrong to wait.",
        "We were not wrong to wait.",
        unless="if whether",
    ),
    _omitted(
        "@we/@crew/@process & not/never/nowhere/hardly & good/careful/quick/fast/thorough/ready/prepared/"
        "clear/early/attentive/strict/robust/strong/vigilant/well/diligent/adequate/enough/hard/sufficient/"
        "open enough",
        "Our preparation was not good enough.",
        "Our preparation is good enough.",
        unless="cannot thank say know if whether you",
    ),
    _omitted(
        "not/never/far/nowhere/hardly & up/down/equal to our/the/any/its? scratch/standard/standards/par/"
        "snuff/expectations/job/task & our/we/us/ours/team/this",
        "Our safeguards were not up to scratch.",
        "We serve the standard lunch to pupils who are not on the list.",
        unless="if whether cannot",
    ),
    _omitted(
        "below/beneath/under our/any/your/all? own/usual/normal? scratch/standard/standards/par/"
        "expectations & our/we/us/ours/team/this",
        "Our checks were below par.",
        "Our checks are under way.",
        unless="if whether cannot",
    ),
    _omitted(
        "we/team/staff did/had not/never ~act/~test/~react/~plan/~notice/~spot/~prepare/~monitor/"
        "~communicate/~catch/~handle/~listen/~pay/~warn/~deliver/~live/~meet/~follow/~renew/~maintain/"
        "~rehearse/~heed/~respond/~look/~think/~keep/~take/~treat/~do/~anticipate/~foresee/~check/~verify/"
        "~stop/~prevent/~tell/~answer/~watch/~secure/~train/~double",
        "We did not act when the alarms came in.",
        "We did not receive your message.",
        unless="know find see yet change touch cause receive",
    ),
    _omitted(
        "was/were/had/been not/never/insufficiently/inadequately/poorly/barely/hardly *? ^tested/rehearsed/"
        "heeded/monitored/vetted/anticipated/foreseen/maintained/documented/planned/trained/communicated/"
        "prepared/supervised/audited/thought/reviewed",
        "The change was not tested.",
        "The change is tested.",
        unless="yet whether if",
    ),
    _failed(
        "warning/warnings/alarm/alarms/alert/alerts/sign/signs/complaints/reports/corners/steps/rules/check/"
        "checks & ~be/~go/~get/~have *? ^ignored/unheeded/overlooked/missed/cut/skipped/disregarded/"
        "neglected/dismissed/bypassed",
        "Warnings went unheeded.",
        "No warning was ignored.",
        unless=f"{_OPEN} you",
    ),
    _failed(
        "should/could/ought/might & have *? ^been/known/seen/done/acted/tested/caught/prevented/avoided/"
        "warned/told/noticed/foreseen/planned/spotted/checked/reacted/stopped/listened/taken/paid/kept/had/"
        "handled/started/moved/looked/thought/anticipated/detected/communicated/prepared/informed/said & we/"
        "our/us/team/this/it/that/staff/engineers",
        "Our team should have reacted.",
        "Your order should have been on its way.",
        unless="how whether what you your if reached arrived received",
    ),
    _omitted(
        "should/could/would/might/ought/need not/never/hardly to? have *? "
        "happen/happened/been/occurred/come/gone/let/allowed/shipped/released/deployed/done/taken/passed/"
        "slipped/got/gotten/escaped/reached/left/started",
        "This need not have happened.",
        "This has happened.",
        unless="whether if you your until",
    ),
    _failed(
        "had/if we only? been/done/tested/acted/checked/listened/reacted/had/known/seen/planned",
        "Had we been quicker, it would not have come to this.",
        "We had known of it.",
        unless="will",
    ),
    _failed(
        "what we/it/they/our *? should/could/ought/must to? have & missed/overlooked/ignored/forgot/"
        "neglected/failed/skipped",
        "Our tests missed what they should have seen.",
        "We missed the bus.",
    ),
    _failed(
        "@slips in/within/by/of/on/from/at our own? *? team/staff/colleague/colleagues/engineers/engineer/"
        "planning/process/processes/procedure/procedures/checks/check/testing/tests/monitoring/review/"
        "rollout/preparation/judgement/judgment/part/side/making/safeguards/controls/operations/crew/desk/"
        "department/office/people/own/ours",
        "There was a lapse in our procedures.",
        "There was no lapse in our procedures.",
        unless=_OPEN,
    ),
    _failed(
        "@slips/delay/slowness/wait/mess/decision/call/choice/doing/blame/fault/responsibility/loss/failure/"
        "failing *? ~be/~lie/~rest/~sit/~remain *? ours/us/ourselves",
        "The slip was ours.",
        "The slip was not ours.",
        unless=f"{_OPEN} between yours unknown unclear",
    ),
    _omitted(
        "nobody/noone/one/none/no one's?/nobody's? *? fault?/blame? but/except/other/save than? us/"
        "ourselves/ours/our/we",
        "We have nobody but ourselves to blame.",
        "Nobody but us has keys.",
        unless="access seen see keys key read touch",
    ),
    _omitted(
        "not ~blame/~fault anyone/anybody/someone/anything else/but/other",
        "We cannot blame anyone else.",
        "We do not blame anyone.",
    ),
    _failed(
        "@slips on/in/by/of/from/at our/my *? part/side/end/behalf/own/making/doing",
        "It was a blunder on my part.",
        "It was no blunder on our part.",
        unless=_OPEN,
    ),
    _failed(
        "@we/@crew * ^~rush/~hurry *? the/a/this/our/it/into/through",
        "We rushed the release.",
        "We do not want to rush the release.",
        unless=f"{_OPEN} want",
    ),
    _failed(
        "@slips/blame/fault/responsibility ~sit/~lie/~rest/~fall/~be *? with/on/at our/us/ourselves",
        "The mistake sits with our release team.",
        "The mistake does not sit with our team.",
        unless=f"{_OPEN} network line lines system systems server servers",
    ),
    _failed("~cut corners", "We cut corners on testing.", "We do not cut corners."),
    _failed(
        "we/team/management ~know/~knew/~see/~saw/~have * risk/risks/danger/flaw/weakness/problem/warning * "
        "and & nothing/ignored/waited/little/not/still",
        "We knew about the risk and did nothing.",
        "We know of the problem and are on it.",
        unless="working investigating yet",
    ),
    _omitted(
        "we ~be/were/had *? been? warned/told/alerted/advised *? and & not/ignored/nothing/anyway/still",
        "We were warned and did not listen.",
        "We were told of it.",
    ),
    _failed("blame us/me/our", "Blame us.", "Do not blame us."),
    _failed(
        "we/us ~be? to answer for/to",
        "We are to answer for your lost time.",
        "We are here to answer your calls.",
    ),
    _failed(
        "we/team ~get/~grow/~become *? complacent/careless/sloppy/lazy/greedy/cocky/overconfident/distracted",
        "We got complacent.",
        "We do not get complacent.",
        unless=_OPEN,
    ),
    _failed(
        "~hold us to/responsible/accountable/liable",
        "You have every right to hold us to account.",
        "Storms hold us back.",
    ),
    _failed(
        "within/in our power/gift/hands to prevent/avoid/stop/catch/avert",
        "It was within our power to prevent this.",
        "It was not in our power to prevent it.",
    ),
    _failed(
        "~drop/~lay a/an/the clanger/brick/egg/catch/bollock",
        "The team dropped a clanger.",
        "The team did not drop a clanger.",
    ),
    _failed(
        "we/team/staff ~make/made/placed/took a/the *? wrong/bad/poor/rash bet/call/choice/decision/turn/"
        "move/step/gamble",
        "We made the wrong bet.",
        "We do not know who made the wrong bet.",
        unless=_OPEN,
    ),
    _failed(
        "~be down to us/our/me", "This one is down to us.", "Nobody knows if it is down to us.", unless=_OPEN
    ),
    _failed("our guard down", "We were caught with our guard down.", "We do not let our guard down."),
    _failed(
        "~do/~make/~have a/an *? poor/bad/shoddy/sloppy/terrible/lousy/half work/job/showing/fist",
        "We did a poor job of testing this.",
        "We did a first check.",
    ),
    _failed(
        "we/team ~let a/the/this/that/known/old * ^lie/fester/linger/slide/rot/slip/sit",
        "We let a known fault lie.",
        "We do not let a fault lie.",
    ),
    _failed(
        "~hold/~think/~find ourselves to? blame/wanting/responsible/guilty",
        "We hold ourselves to blame.",
        "We do not hold ourselves to blame.",
    ),
    _failed(
        "we ~put/~place/~value speed/cost/money/growth/profit/savings/haste * before/over/above/ahead",
        "We put speed before care.",
        "We do not put speed before care.",
    ),
    _omitted(
        "nowhere/nothing/not *? near/like enough/adequate/good/ready & our/we",
        "Our checks were nowhere near enough.",
        "Our estimate is near.",
    ),
    _failed("we ~have it coming", "We had it coming.", "We saw it coming."),
    _failed(
        "~be us/ours/we who/that & failed/erred/broke/did/missed/caused/slipped/let/forgot/goofed/blundered/"
        "bungled/botched/messed/misread/dropped/stumbled/fumbled/lost/muddled",
        "It is us who failed.",
        "It is not us who failed.",
    ),
    _failed(
        "we ~be the cause/reason/culprit/culprits/problem/ones",
        "We are the cause of your lost day.",
        "We are not the cause of it.",
    ),
    _omitted(
        "no good? reason/excuse/justification for us/our/it/this/that",
        "There was no good reason for us to skip the test.",
        "There is no reason to call.",
        unless="worry concern alarm believe panic fear",
    ),
    _failed(
        "~pay/~ask for? *? better from/than/of",
        "You paid for better than this.",
        "You pay from the app.",
    ),
    _failed("we ~gamble/~gambled", "We gambled and lost.", "We do not gamble."),
    _failed(
        "what happens when/if we/you/corners",
        "This is what happens when we cut corners.",
        "Tell us what happens when you tap it.",
        unless="tell see show you know",
    ),
    _failed(
        "one of ours/us",
        "One of ours deleted the table.",
        "We do not know if it was one of us.",
        unless="call ask see speak reach",
    ),
    _failed(
        "our/of *? ~get it/this/that/them wrong",
        "Our planners got it wrong.",
        "Our displays got it wrong.",
        unless="display displays screen screens board boards sign signs label labels map maps clock clocks "
        "sensor sensors meter meters page pages app apps stop stops stops",
    ),
    _failed("self inflicted/made", "This was a self-inflicted wound.", "This was not self-inflicted."),
    _failed(
        "~fall down on/in",
        "We fell down on the job.",
        "Some fall down on ice.",
        unless="ice stairs snow page pages",
    ),
)
