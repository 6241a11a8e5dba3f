"""Words that decide how a statement is meant: tense, negation, condition, hedge, who speaks."""

from __future__ import annotations

from redpen.guards.claims import tags as t

_CLOSED = {
    "is are am 're was were": t.BE,
    "be": t.BEEN,
    "been": t.BEEN,
    "being": t.BEING,
    "have has had having 've": t.HAVE,
    "do does did": t.DO,
    "will shall 'll gonna": t.WILL,
    "may might could should would 'd ought": t.MAY,
    "can": t.CAN,
    "must need needs": t.MAY,
    "to": t.TO,
    "not never hardly scarcely barely nowhere": t.NOT,
    "no none nothing neither nobody nor zero without few": t.NO,
    "now already fully completely successfully finally just since also both again largely mostly entirely "
    "totally wholly quite very so still yet currently today really truly indeed once all basically "
    "essentially effectively simply absolutely perfectly properly even soon then well long ever more pretty "
    "much almost nearly perhaps maybe probably possibly likely reportedly apparently seemingly too only too "
    "as far everywhere here there 100 % officially altogether back up practically virtually thankfully "
    "happily hereby always later": t.ADVERB,
    "perhaps maybe probably possibly likely potentially hopefully presumably tentatively provisionally "
    "conceivably supposedly allegedly luck ideally fingers": t.HEDGE,
    "and or plus & /": t.AND,
    "but however though although whereas nevertheless nonetheless instead meanwhile": t.BUT,
    "once when whenever after before while": t.CONDITION,
    "until till unless if whether assuming provided providing pending lest": t.HARD_CONDITION,
    "that whether how what why where": t.COMPLEMENT,
    "the a an this that these those our your their its any some each every all both another his her "
    "my": t.DETERMINER,
    "it this that these those they we i you he she everything everyone everybody all things which who what "
    "there": t.PRONOUN,
    "all every each everything everyone everybody both": t.UNIVERSAL,
    "of for in on at from with by about across into over under within during per against through towards "
    "toward between since between upon via as than like": t.PREPOSITION,
    "we i team teams engineer engineers staff vendor provider specialists specialist technicians technician "
    "developers operators colleagues experts people responders crew crews someone nobody": t.AGENT,
    "workaround workarounds update updates support team teams page pages information details macro macros "
    "guidance option options alternative alternatives phone report reports staff engineers engineer help "
    "helpdesk chat documentation instructions we you estimate eta timeline template templates summary "
    "article guide steps advice notice notices banner form forms guide guides contact channel channels "
    "notes": t.REMOTE,
    "some many several most few portion subset part partly partially other others certain": t.PARTIAL,
    "unconfirmed unclear unknown unverified uncertain doubtful undetermined premature impossible unable "
    "wrong false incorrect inaccurate untrue misleading unsure unlikely far cannot short undecided unsettled "
    "unproven unwise foolish rash reckless dishonest misguided presumptuous": t.NOT,
    "estimate estimates estimated expectation expected target aim goal forecast hope hopes plan plans plan "
    "eta projection projected assumption likelihood chance intention": t.HEDGE,
    "happy pleased glad delighted relieved proud thrilled able like want writing excited good great can "
    "confirm managed": t.GLAD,
    "deployment deployments release releases rollout upgrade upgrades migration bug bugs misconfiguration "
    "misconfigurations configuration failover crash attack overload surge update change changes maintenance "
    "vulnerability flaw defect glitch regression error typo leak outage-provider certificate vendor provider "
    "hardware disk network database cache server servers patch": t.CAUSER,
}

_VERBS = {
    "get become go turn come stay remain look appear seem feel stand keep sound prove sit": t.COPULAR,
    "bring make put set return move swing snap bounce ease head restore render leave hold take "
    "have": t.CARRIES,
    "mark declare consider deem call treat regard announce pronounce label class report": t.MARK,
    "say claim declare call think believe know confirm suggest mean indicate state assert conclude assume "
    "promise guarantee announce tell report see find verify check determine show imply pretend consider "
    "understand hear establish rule deny feel doubt describe deem mark treat regard": t.COMPLEMENT,
    "confirm verify check determine ensure test validate assess investigate monitor watch see tell notify "
    "inform announce share decide learn examine review track evaluate establish judge wait prove update "
    "demonstrate": t.OPENER,
    "expect anticipate estimate hope aim plan target intend forecast predict foresee project assume try "
    "attempt seek strive want wish schedule suspect": t.HEDGE,
    "update apologise thank try retry check contact post review remind note stress share inform notify "
    "report write publish communicate ask read follow subscribe refresh find expect attempt": t.COMMUNICATES,
    "fail slow degrade drop rise happen affect error crash spike climb increase worsen occur lose stall "
    "break decline reject": t.HINDERS,
    "break crash overload disrupt overwhelm cripple topple trigger cause disable corrupt block slow delay "
    "flood exhaust saturate choke clog jam interrupt hamper trip starve sever cut prevent interfere knock "
    "wreck derail throttle stall freeze halt destabilise stop swamp bring take throw make hit poison confuse "
    "upset unsettle disturb foil garble scramble mangle swallow eat hog drain drag starve bog burden strain "
    "drown smother bury trample fool puzzle": t.CAUSER,
}
CLOSED_WORDS = tuple((word, tag) for words, tag in _CLOSED.items() for word in words.split())
GRAMMAR_VERBS = tuple((word, tag) for words, tag in _VERBS.items() for word in words.split())

ATTRIBUTIVE_FIXED = frozenset(
    "estimate figure figures interval intervals schedule rate rates price prices fee fees time times cadence "
    "term terms amount number window point set cost costs income line lines size".split()
)
"""What "fixed" stands before when it means unchanging."""
