"""Words that link a trouble to the cause after them: due to, because of, after, grew out of."""

from __future__ import annotations

from redpen.guards.claims.cause_row import CauseRow

CAUSES_LINKED = (
    CauseRow(
        "brought on/about by",
        "after",
        "The outage was brought about by a street parade.",
        "This was brought on by the incident.",
    ),
    CauseRow("set off by", "after", "The outage was set off by a parade.", "It was set off by the incident."),
    CauseRow(
        "knocked/taken out/down/offline by",
        "after",
        "Checkout was knocked out by a parade.",
        "Checkout was knocked out by the incident.",
    ),
    CauseRow(
        "overwhelmed/overloaded/disrupted/broken/crippled/toppled/swamped/flooded/saturated/hit by",
        "after",
        "Checkout was overwhelmed by a rival.",
        "Checkout is disrupted by the incident.",
    ),
    CauseRow(
        "due to", "after", "Mail is late due to parades.", "The next update is due to be published soon."
    ),
    CauseRow("owing to", "after", "Mail is late owing to a parade.", "Mail is late owing to the incident."),
    CauseRow("thanks to", "after", "Mail is late thanks to a parade.", "Thanks to everyone for waiting."),
    CauseRow(
        "on account of",
        "after",
        "Mail is late on account of a parade.",
        "Mail is late on account of the incident.",
    ),
    CauseRow(
        "in the wake of",
        "after",
        "Mail is late in the wake of a parade.",
        "We write in the wake of the incident.",
    ),
    CauseRow(
        "courtesy of", "after", "Mail is late courtesy of a parade.", "Mail is late courtesy of the incident."
    ),
    CauseRow(
        "as a/the? direct? result/consequence of",
        "after",
        "Mail is late as the result of a parade.",
        "As a result, mail is late.",
    ),
    CauseRow(
        "is/was/are/were/be the/a? direct? result/consequence/outcome/product/effect of",
        "after",
        "The outage was the result of a parade.",
        "This is the result of the incident.",
    ),
    CauseRow(
        "resulted/resulting/results/result from",
        "after",
        "The outage resulted from a parade.",
        "The delays resulted from the incident.",
    ),
    CauseRow(
        "stems/stemmed/stemming/stem from",
        "after",
        "The outage stems from a parade.",
        "The delays stem from the incident.",
    ),
    CauseRow(
        "arose/arises/arising/arise/arisen from/out",
        "after",
        "The outage arose from a parade.",
        "The delays arise from the incident.",
    ),
    CauseRow(
        "comes/came/come/coming from",
        "after",
        "The outage comes from a router.",
        "The update comes from our press office.",
        trouble=True,
    ),
    CauseRow(
        "is/was/are/were/'s/put down to",
        "after",
        "The outage is down to parades.",
        "The rate is down to 3%.",
    ),
    CauseRow(
        "boils/boiled/boil down to", "after", "It boils down to rivals.", "It boils down to the incident."
    ),
    CauseRow(
        "following a/an/the/yesterday's/our/recent/last/this/some/routine/scheduled/planned",
        "after",
        "Checkout fails following a router swap.",
        "We write following the incident.",
    ),
    CauseRow(
        "after a/an/our/last/yesterday's",
        "after",
        "Checkout fails after a rollout.",
        "We will write after a short check.",
    ),
    CauseRow(
        "since a/an/our/last/yesterday's",
        "after",
        "Checkout fails since a rollout.",
        "We have been working since our last update.",
    ),
    CauseRow(
        "it/this/that/everything/all comes/came/come down to",
        "after",
        "It comes down to rivals.",
        "It comes down to 3%.",
    ),
    CauseRow(
        "owed/down/due entirely/solely/mainly/largely/partly? to a/an/our/the/one",
        "after",
        "This is owed to a router.",
        "The rate is down to 3%.",
        trouble=True,
    ),
    CauseRow(
        ",/–/(/: the direct? result/consequence/fallout/effect/product/outcome of",
        "after",
        "Closures are stale, the result of an old feud.",
        "The result of the investigation will follow.",
    ),
    CauseRow(
        "a direct? result/consequence/effect/product/symptom/case of",
        "after",
        "Mail is late, a consequence of the parade.",
        "It is a consequence of the incident.",
    ),
    CauseRow(
        "on the back/heels of",
        "after",
        "Payments are slow on the back of the sale.",
        "We write on the back of the incident.",
        trouble=True,
    ),
    CauseRow(
        "in consequence/light of a/an/the/our",
        "after",
        "Payments are slow in consequence of the sale.",
        "We write in light of the incident.",
    ),
    CauseRow(
        "under the? weight/load/strain/pressure/burden/stress/force of",
        "after",
        "Checkout groans under the weight of the sale.",
        "The team is under the pressure of the incident.",
    ),
    CauseRow(
        "buckled/buckling/collapsed/crumbled/creaked/caved/groaned/broke/folded under/beneath",
        "after",
        "Checkout buckled under the sale.",
        "Checkout buckled under the incident.",
    ),
    CauseRow(
        "laid at the door of",
        "after",
        "The failures can be laid at the door of a router.",
        "The failures cannot be laid at the door of a router.",
    ),
    CauseRow(
        "fell/fallen/fall victim/prey to",
        "after",
        "The entries fell victim to a router swap.",
        "Some entries fell victim to the incident.",
    ),
    CauseRow(
        "owe/owes/owed the/this/it/these/that * to",
        "after",
        "We owe the delay to a router swap.",
        "We owe it to you.",
    ),
    CauseRow(
        "too many/much",
        "after",
        "Too many visitors came at once.",
        "There are too many failures.",
    ),
    CauseRow(
        "has/have/had to do with",
        "after",
        "This has to do with a router.",
        "This has to do with the incident.",
    ),
    CauseRow(
        "set/put in motion by",
        "after",
        "This was set in motion by a router.",
        "This was set in motion by the incident.",
    ),
    CauseRow(
        "behind the/this/it/these/all/today's *? is/was/are/lies/stands/sits",
        "after",
        "Behind the failures is a router.",
        "Behind this is the incident.",
    ),
    CauseRow(
        "grew/grow/grown/growing/sprang/spring/born out/from of?",
        "after",
        "The failures grew out of a router swap.",
        "Our team has grown out of one person.",
        trouble=True,
    ),
    CauseRow(
        "started/began/start/begin/kicked/starts/begins off? when/with/as a/an/the/our/one/someone/we",
        "after",
        "It all began as a router swap.",
        "We started with the first check.",
        trouble=True,
    ),
    CauseRow(
        "followed a/an/the/our/last/yesterday's/this",
        "after",
        "The failures followed a router swap.",
        "We followed the steps.",
        trouble=True,
    ),
    CauseRow(
        "not cope/keep/handle/deal/withstand/absorb/stand/manage/sustain with/up? with? "
        "the/a/an/all/so/this/such",
        "after",
        "Checkout could not cope with the rush of the sale.",
        "We cannot keep up with the incident.",
    ),
    CauseRow(
        "ran/run out/short/low of/on",
        "after",
        "We ran short of disk space.",
        "We ran out of time.",
    ),
    CauseRow(
        "the/an upshot/consequence/aftermath of",
        "after",
        "Mail is slow, the upshot of a key swap.",
        "Mail is late, a consequence of the incident.",
    ),
    CauseRow(
        "knock-on/ripple/side/after/domino effect/effects of/from",
        "after",
        "This is a side effect of the feud.",
        "This is a side effect of the incident.",
    ),
    CauseRow(
        "started/began/begin/start/starts/begins the minute/moment/day/second/instant/hour/night/morning "
        "that?",
        "after",
        "The trouble started the minute the new tariff went live.",
        "The trouble started the moment the incident began.",
    ),
    CauseRow(
        "follows/followed/following/stem/flows directly? from",
        "after",
        "All this follows from a botched merge.",
        "All this follows from the incident.",
        trouble=True,
    ),
    CauseRow(
        "provider/vendor/supplier/partner/carrier/operator/host/contractor/suppliers/partners * changed/"
        "altered/shut/switched/retired/withdrew/dropped/cut/moved/broke/revoked/blocked/forgot/lost/stopped/"
        "replaced/updated/upgraded its/their/an/a/the/our/off/down",
        "after",
        "A carrier changed its routing.",
        "Our team changed its plan.",
    ),
)
