"""Words that claims are made of, by what they say, with an example that each row blocks and one it lets pass.

Rows name ideas (what may be over, safe, harmed, at work) and list the words for them; the forms of verbs come
from ``morphology``.
"""

from __future__ import annotations

from typing import NamedTuple

from redpen.guards.claims import tags as t


class WordRow(NamedTuple):
    """Words with one meaning for claims.

    Attributes:
        words: lemmas, separated by spaces; verbs are inflected.
        tags: what they are (see ``tags``).
        verb: whether they are verbs.
        blocks: a text that is a claim because of this row.
        passes: a text with a word of this row that is none.
    """

    words: str
    tags: int
    verb: bool
    blocks: str
    passes: str


def _verbs(words: str, tags: int, blocks: str, passes: str) -> WordRow:
    return WordRow(words, tags, True, blocks, passes)


def _words(words: str, tags: int, blocks: str, passes: str) -> WordRow:
    return WordRow(words, tags, False, blocks, passes)


ENDING_VERBS = (
    _verbs("resolve solve", t.ENDS, "We managed to resolve the matter.", "The issue has not been resolved."),
    _verbs(
        "fix repair mend patch hotfix",
        t.ENDS,
        "Our engineers fixed the fault.",
        "Our engineers are working to fix the fault.",
    ),
    _verbs(
        "restore reinstate reestablish revive resuscitate rehabilitate",
        t.ENDS,
        "Service was reinstated.",
        "Service is being restored.",
    ),
    _verbs(
        "recover rebound heal convalesce recuperate",
        t.ENDS,
        "Checkout has fully rebounded.",
        "Checkout has not recovered.",
    ),
    _verbs(
        "mitigate remediate neutralise defuse counteract",
        t.ENDS,
        "The incident has been mitigated.",
        "The incident is being mitigated.",
    ),
    _verbs(
        "remedy rectify correct cure unbreak debug",
        t.ENDS,
        "The fault has been rectified.",
        "The fault has yet to be rectified.",
    ),
    _verbs(
        "stabilise normalise equilibrate",
        t.ENDS,
        "Latency has stabilised.",
        "We expect latency to stabilise.",
    ),
    _verbs(
        "eliminate eradicate overcome quash squash squish quell vanquish extinguish",
        t.ENDS,
        "We have eliminated the errors.",
        "We are trying to eliminate the errors.",
    ),
    _verbs(
        "subside abate dissipate ebb wane",
        t.ENDS,
        "The disruption has subsided.",
        "The disruption has not subsided.",
    ),
    _verbs(
        "reopen reenable reactivate reconnect relaunch unblock unfreeze unlock unjam untangle rescue "
        "salvage revitalise rejuvenate",
        t.ENDS,
        "Sign-in has been re-enabled.",
        "We will post here once sign-in has been re-enabled.",
    ),
    _verbs(
        "resume recommence restart",
        t.RESUMES,
        "Mail delivery has resumed.",
        "We will confirm when mail delivery has resumed.",
    ),
    _verbs(
        "end finish conclude cease terminate wrap",
        t.ENDS_PROBLEM,
        "The outage has concluded.",
        "The outage has not ended.",
    ),
    _verbs(
        "clear drain empty flush lift remove unclog",
        t.ENDS_PROBLEM,
        "The backlog has been emptied.",
        "The backlog is being cleared.",
    ),
    _verbs(
        "close settle address tackle handle contain control tame conquer beat defeat kill crush slay "
        "crack banish purge dispel subdue suppress bury allay iron weed lick shake unravel"
        " silence",
        t.ENDS_PROBLEM,
        "The incident has been contained.",
        "The incident has not been closed.",
    ),
    _verbs(
        "stop halt pass disappear vanish fade evaporate dissolve disperse calm quiet quieten",
        t.ENDS_PROBLEM,
        "The errors have stopped.",
        "The errors have not stopped.",
    ),
)

RUNNING_VERBS = (
    _verbs(
        "work function operate run perform behave",
        t.RUNS,
        "Sign-in will work.",
        "Sign-in is not working normally.",
    ),
    _verbs(
        "flow load respond process deliver complete succeed arrive sync synchronise resolve tick hum",
        t.RUNS,
        "Pages respond promptly.",
        "We expect webhooks to flow again within the estimate.",
    ),
)

REPAIR_WORDS = (
    _words(
        "recovery restoration resolution remediation mitigation mitigations repair repairs cleanup "
        "containment",
        t.REPAIR,
        "Recovery is complete.",
        "Recovery is not complete.",
    ),
    _words(
        "fix fixes hotfix patch patches solution solutions remedy cure rollback failback reversion "
        "revert correction",
        t.REPAIR,
        "The hotfix is complete.",
        "The fix is not live.",
    ),
    _verbs(
        "deploy apply implement install release ship publish activate push land enact introduce execute",
        t.DEPLOYS,
        "A fix has been applied.",
        "A fix is being deployed.",
    ),
    _verbs(
        "roll put go take kick",
        t.DEPLOYS,
        "We rolled out a fix.",
        "We are rolling out a fix.",
    ),
    _verbs(
        "work succeed hold complete finish conclude confirm achieve accomplish validate verify prove",
        t.DEPLOYS,
        "The fix worked.",
        "We do not know whether the fix worked.",
    ),
    _words(
        "live complete done finished over effective successful deployed final conclusive total",
        t.DONE,
        "The repair is effective.",
        "We will write again when the repair is done.",
    ),
)

HEALTH_WORDS = (
    _words(
        "healthy operational functional functioning stable nominal recovered repaired",
        t.HEALTHY,
        "All systems are operational.",
        "The systems are not healthy.",
    ),
    _words("normal ordinary usual", t.HEALTHY, "Traffic is normal.", "Traffic is slower than normal."),
    _words(
        "green faultless flawless serviceable problemless glitchless shipshape spotless",
        t.HEALTHY,
        "Every check is flawless.",
        "Not every check is green.",
    ),
    _words(
        "fine ok okay well good great perfect excellent healthy smooth sound steady reliable rosy dandy "
        "alright correct accurate right flat calm quiet solid rock-solid strong snappy brisk crisp sharp "
        "bright vivid fluid fluent clean alive fast quick clear low connected current fresh punctual "
        "up-to-date unblocked",
        t.FINE,
        "Everything is smooth.",
        "Not everything is fine.",
    ),
    _words(
        "responsive online up back live working running intact consistent",
        t.FINE,
        "Checkout is live.",
        "Checkout is not live.",
    ),
    _words(
        "available accessible reachable usable open possible",
        t.FINE | t.OFFERED,
        "Checkout is available.",
        "A workaround is available.",
    ),
    _words(
        "over gone past finished history done solved settled closed cleared ended",
        t.DONE,
        "The disruption is history.",
        "The disruption is not over.",
    ),
)

SAFETY_WORDS = (
    _words(
        "safe secure unharmed unscathed undamaged uncompromised unexposed untouched unaffected "
        "safeguarded risk-free intact",
        t.SAFE,
        "Your funds are unscathed.",
        "We cannot say that your funds are safe.",
    ),
    _words(
        "protected intact preserved sound private confidential guarded shielded encrypted",
        t.GUARDED,
        "Your data is shielded.",
        "We are checking whether your data is protected.",
    ),
    _words(
        "data information details records credentials password passwords funds money payment payments card "
        "cards account accounts order orders reservation reservations booking bookings message messages "
        "balance balances file files backup backups identity privacy wallet wallets deposit deposits email "
        "emails mail event events transaction transactions invoice invoices everything everyone customers "
        "users guests",
        t.SENSITIVE,
        "Users are protected.",
        "This endpoint is protected by a limit.",
    ),
    _verbs(
        "lose expose compromise leak steal breach access affect impact harm damage corrupt disclose hack "
        "tamper intercept misuse jeopardise endanger wipe destroy erase delete misplace violate infiltrate "
        "exfiltrate hurt overcharge defraud",
        t.HARM,
        "No data was lost.",
        "We are checking whether data was lost.",
    ),
    _words(
        "loss losses exposure leakage theft risk danger harm damage breach breaches leak leaks compromise "
        "impact effect effects threat jeopardy casualties",
        t.HARM,
        "There is no loss to your account.",
        "We cannot say whether there is a risk to your account.",
    ),
    _words(
        "evidence sign signs indication indications trace traces suggestion hint hints proof reason cause",
        t.EVIDENCE,
        "We have no evidence in hand for a breach.",
        "There is no sign of improvement.",
    ),
)

TROUBLE_WORDS = (
    _words(
        "incident incidents issue issues outage outages problem problems disruption disruptions degradation "
        "error errors failure failures fault faults bug bugs slowdown interruption interruptions downtime "
        "trouble troubles glitch glitches crisis emergency difficulty difficulties backlog backlogs "
        "bottleneck blockage situation episode instability slowness timeouts timeout hiccup hiccups defect "
        "defects breakage congestion blip ordeal vulnerability breakdown malfunction malfunctions impairment "
        "mess ticket delays delay queue queues saga anomaly anomalies symptom symptoms complication "
        "complications spike lag event matter worst alarm alarms",
        t.PROBLEM,
        "There are no more disruptions.",
        "There are errors.",
    ),
    _words(
        "blank garbled frozen choppy jerky phantom duplicate affected degraded down unavailable impacted "
        "broken blocked slow delayed stuck erroring unstable impaired disrupted faulty sluggish intermittent "
        "unresponsive offline inaccessible unreachable interrupted failing hampered hindered present ongoing "
        "active visible waiting pending queued late stale overdue unprocessed missing outstanding "
        "problematic wrong amiss abnormal elevated unresolved unhealthy open stalled backed",
        t.BAD,
        "Checkout is not sluggish now.",
        "Checkout is degraded.",
    ),
    _verbs(
        "fail happen occur crash error experience suffer persist linger struggle drop reject decline "
        "bounce return degrade disrupt encounter see observe hit continue remain exist",
        t.BAD,
        "Nothing was rejected.",
        "Payments are failing.",
    ),
    _verbs(
        "miss view copy download harvest scrape siphon mishandle overcharge",
        t.HARM,
        "Nobody missed a message.",
        "Some customers missed a message.",
    ),
    _verbs(
        "rebuild switch restart reboot rerun resubmit reprocess replay reroute migrate rotate renew reindex "
        "resync redeploy reinstall reset failover recycle swap",
        t.REMEDIES,
        "The index has been rebuilt.",
        "The index is being rebuilt.",
    ),
    _words(
        "switch restart rerun resubmission rebuild reroute migration reset failover cutover "
        "switchover replay move run",
        t.REMEDIES,
        "The cutover was successful.",
        "The restart was announced.",
    ),
    _verbs(
        "deliver send hand receive land reach reappear process complete correct answer serve finish replay "
        "resend reprocess redeliver sync settle pay load replace arrive succeed rerun go come get",
        t.ACHIEVES,
        "All events have been delivered.",
        "All events are being delivered.",
    ),
    _verbs(
        "recur reoccur repeat",
        t.RECURS,
        "This will not recur.",
        "We cannot say that this will not recur.",
    ),
)
WORD_ROWS = (*ENDING_VERBS, *RUNNING_VERBS, *REPAIR_WORDS, *HEALTH_WORDS, *SAFETY_WORDS, *TROUBLE_WORDS)
