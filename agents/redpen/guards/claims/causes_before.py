"""Words that tie a trouble to the cause before them; with examples that block and that pass."""

from __future__ import annotations

from redpen.guards.claims.cause_row import CauseRow

CAUSES_BEFORE = (
    CauseRow(
        "led/leads/leading to",
        "before",
        "A street parade led to the outage.",
        "The incident led to delays.",
    ),
    CauseRow(
        "resulted/results/resulting/culminated in",
        "before",
        "A street parade resulted in errors.",
        "The incident resulted in delays.",
    ),
    CauseRow(
        "set/sets/kicked/started/sparked the/this/it whole/all? thing/chain/trouble/mess/lot off/going",
        "before",
        "A street parade set the whole thing off.",
        "The incident set the whole thing off.",
    ),
    CauseRow(
        "gave/gives/given rise to",
        "before",
        "A street parade gave rise to the outage.",
        "The incident gave rise to delays.",
    ),
    CauseRow(
        "is/was/are/were/'s responsible/accountable for *? @trouble",
        "before",
        "A street parade was responsible for the backlog.",
        "The team is responsible for payments.",
    ),
    CauseRow(
        "is/was/are/were/'s to blame", "before", "A street parade is to blame.", "The incident is to blame."
    ),
    CauseRow(
        "is/was/are/were/as the/a/its/their main? root? cause/culprit/reason/source/trigger/origin/"
        "spark/villain/offender/saboteur/perpetrator",
        "before",
        "A street parade was the cause.",
        "The incident is the cause of the delays.",
    ),
    CauseRow(
        "caused/triggered/sparked/provoked/prompted/broke/overloaded/overwhelmed/crashed/disrupted/"
        "crippled/toppled/disabled/corrupted/explains/causes/triggers/underlies/precipitated/"
        "produced the/a/this/these/our/some/all/elevated/widespread/today's/checkout/payments/"
        "failures/errors/delays/payment",
        "before",
        "A street parade precipitated the outage.",
        "The incident caused some delays.",
    ),
    CauseRow(
        "is/was/'s what caused/triggered/broke/provoked/started/led/brought/took/did/made/tripped/tipped/"
        "knocked/sank/toppled/slowed/blocked/jammed/froze/cut/delayed/halted/confused/upset/locked/shut/closed/"
        "emptied/wiped/erased/doubled/scrambled/mixed/garbled/killed/drained/clogged/flooded/choked/held/kept/"
        "keeps/slows/blocks/stops/makes/causes/locks/cuts/holds/delays/drives/leaves/left/"
        "felled/stopped/hit/threw/set/tore/ruined/put/drove/pushed",
        "before",
        "A street parade is what caused it.",
        "The incident is what caused it.",
    ),
    CauseRow(
        "is/was/are/were/'s why",
        "before",
        "A street parade is why it fails.",
        "The incident is why it fails.",
    ),
    CauseRow(
        "brought * to its/their knees",
        "before",
        "A street parade brought mail to its knees.",
        "The incident brought mail to its knees.",
    ),
    CauseRow(
        "causing/triggering/breaking the/a/this/these/our/some/all/elevated/widespread/failures/"
        "errors/delays/payment/payments/timeouts",
        "before",
        "A street parade is causing widespread outages.",
        "The incident is causing delays.",
    ),
    CauseRow(
        "took/brought/knocked/taken * down/out/offline",
        "before",
        "A street parade took checkout down.",
        "The incident took checkout down.",
    ),
    CauseRow(
        "made * fail/slow/crash/unavailable/unreachable/late",
        "before",
        "A street parade made mail late.",
        "The incident made payments fail.",
    ),
    CauseRow(
        "broke/fell/gave/packed/burned/burnt/blew/conked/seized down/over/out/way/in/up",
        "before",
        "A conveyor seized up.",
        "The service broke down.",
    ),
    CauseRow(
        "held/holding/holds/tied/ties/tying up the/our/some/many/all/your/these/most/several",
        "before",
        "Heavy snow has held up our lorries.",
        "The incident has held up some orders.",
    ),
    CauseRow(
        "is/was/are/were/'s/lies/lay/stands/stood/sits behind it/all/everything/the/this/these/that/today's",
        "before",
        "A router is behind it all.",
        "The incident is behind it all.",
    ),
    CauseRow(
        "added/adding/contributed/contributes/contributing/contribute to the/this/these/our/some",
        "before",
        "A feud at the docks added to the delay.",
        "The incident added to the delay.",
    ),
    CauseRow(
        "set/sets/kicked/touched/triggered off the/this/it/a/these/some",
        "before",
        "A router swap set off the failures.",
        "The incident set off some alerts.",
    ),
    CauseRow(
        "started/began it/this/all/everything/that all?",
        "before",
        "A router swap started it all.",
        "The incident started it all.",
    ),
    CauseRow(
        "account/accounts/accounted for the/this/these/most/all/today's",
        "before",
        "A router swap accounts for the failures.",
        "The incident accounts for the failures.",
    ),
    CauseRow(
        "is/was/are/were/'s responsible/accountable $",
        "before",
        "A router swap is responsible.",
        "The incident is responsible.",
    ),
    CauseRow(
        "is/was/are/were/'s at? fault $",
        "before",
        "Our payment provider is at fault.",
        "The incident is at fault.",
    ),
    CauseRow(
        "is/was/are/were/'s the one/ones/party/part/thing/piece to/at/behind blame/fault/it/this",
        "before",
        "Our payment provider is the one to blame.",
        "The incident is the one to blame.",
    ),
    CauseRow(
        "let/lets/failed us badly? down/$",
        "before",
        "Our payment provider let us down.",
        "Customers let us know.",
    ),
    CauseRow(
        "proved/proves/was/were/is/are/became/'s simply? too/more much/heavy/great than? for/can/could",
        "before",
        "The rush of the sale proved too great for checkout.",
        "The incident was too much for us.",
    ),
    CauseRow(
        "provider/vendor/supplier/partner/carrier/operator has/had/suffered/suffers/hit/faces/faced/reported/"
        "reports * outage/problem/problems/issue/issues/failure/incident/trouble/fault",
        "before",
        "The tiles fail since the CDN provider hit an outage.",
        "Our team works with the provider.",
    ),
    CauseRow(
        "hammered/hammering/flooding/pounding/swamping/bombarding/overwhelming/overloading/straining/hogging/"
        "starving/choking/clogging our/the/a/this",
        "before",
        "A visitor was hammering our systems.",
        "The incident is straining the team.",
    ),
    CauseRow(
        "that/which did/caused/broke/triggered/tripped/knocked/brought/took/sparked/started/provoked/felled/"
        "toppled/sank it/this/the/that/all/us/our/everything",
        "before",
        "It was the new firmware that did it.",
        "It was the incident that caused it.",
    ),
    CauseRow(
        "is/was/are/were/proved/became more than * could/can/was/were/would",
        "before",
        "The rush was more than our servers could take.",
        "The incident was more than we could foresee.",
    ),
    CauseRow(
        "is/was/were/are all it/that/took/needed * took/needed/needs/takes",
        "before",
        "One misplaced comma was all it took.",
        "That is all it took.",
    ),
    CauseRow(
        "is/was/were/are/'s enough to",
        "before",
        "One wrong digit was enough to stop the run.",
        "It is not enough to wait.",
    ),
    CauseRow(
        "'s/is/was/are/were work/doing/fault/handiwork $",
        "before",
        "The stale list is a rival's doing.",
        "The list is not anyone's doing.",
    ),
    CauseRow(
        "pulled/pulling the plug/rug",
        "before",
        "A supplier pulled the plug on an old interface.",
        "The incident pulled the plug on our shop.",
    ),
    CauseRow(
        "gave/giving/given/gives out/way",
        "before",
        "The cooling in the hall gives out.",
        "The service gave out.",
    ),
    CauseRow(
        "put/puts/putting/took/taken/knocked * out of action/service/order/use/commission",
        "before",
        "A passing parade put the readers out of action.",
        "The incident put the readers out of action.",
    ),
    CauseRow(
        "left/leaves/leaving * offline/unavailable/unreachable/stranded/unable/stuck/down/dead/blank/empty/"
        "useless/hanging",
        "before",
        "A hasty push has left the lockers offline.",
        "The incident has left some lockers offline.",
    ),
    CauseRow(
        "is/was/are/were/lies/lay/sits/sat at the root/heart/bottom/core/centre/center/back of/$",
        "before",
        "An old licence is at the heart of it.",
        "The incident is at the heart of it.",
    ),
    CauseRow(
        "is/was/are/were the root/heart/crux/seed/source/origin of/$",
        "before",
        "Too little memory is the root of it.",
        "The incident is the root of it.",
    ),
    CauseRow(
        "outran/outgrew/outpaced/outstripped/overtaxed/exceeded/exceeds/outruns/overran what/our/the/its",
        "before",
        "Demand for the show outran what the site could carry.",
        "The incident outran our plans.",
    ),
    CauseRow(
        "mistook/mistakes/mistaking/misread/misreads/misreading/misinterpreted * for/as",
        "before",
        "The spam filter mistook our codes for junk.",
        "The incident misread it as such.",
    ),
    CauseRow(
        "sent/sends/sending/routed/routes/routing/pointed/points/steered/directed * wrong/nowhere/astray/"
        "dead",
        "before",
        "An old script sent traffic the wrong way.",
        "The incident sent it astray.",
    ),
)
