"""Words by which a text says how many are hit, and the words round them that decide whether it does."""

from __future__ import annotations

from redpen.guards.quantities_numbers import ORDINALS, SCALES, TENS, UNITS
from redpen.guards.quantities_units import TIME

AMOUNTS: dict[str, str] = {
    "most": "most",
    "majority": "most",
    "bulk": "most",
    "lion's": "most",
    "minority": "least",
    "few": "least",
    "all": "all",
    "every": "all",
    "each": "all",
    "everyone": "all",
    "everybody": "all",
    "everything": "all",
    "entire": "all",
    "entirety": "all",
    "whole": "all",
    "no": "none",
    "none": "none",
    "one": "none",
    "nobody": "none",
    "nobody's": "none",
    "everyone's": "all",
    "everybody's": "all",
    "neither": "none",
    "any": "none",
    "anyone": "none",
    "anybody": "none",
    "single": "none",
    "part": "most",
    "portion": "most",
    "share": "most",
    "proportion": "most",
    "percentage": "most",
    "than": "most",
    "exception": "all",
    "board": "all",
    "nothing": "least",
    "hardly": "least",
    "barely": "least",
    "scarcely": "least",
    "mostly": "most",
    "largely": "most",
    "mainly": "most",
    "predominantly": "most",
    "overwhelmingly": "most",
    "universally": "all",
    "whichever": "all",
}
"""Words that say how many, and what they say."""

NEARLY = frozenset(
    "nearly almost virtually practically essentially basically effectively about approximately".split()
)
NEARLY_TOO = frozenset({("pretty", "much"), ("or", "less"), ("good", "as"), ("near", "enough")})
"""Words, the last but one and the last, that mean "nearly" together; "or less" ends "more or less"."""
ADVERBS = frozenset(
    "mostly largely mainly predominantly overwhelmingly universally exception board nothing".split()
)
OPENING = frozenset({"", ".", "!", "?", ":", ";", "only", "relatively", "comparatively", "precious"})
"""Words and marks after which "few" stands without an article."""
SIZEABLE = frozenset(
    "large great big huge significant substantial sizeable sizable considerable vast good".split()
)
THEM = frozenset({"them", "these", "those", "which", "whom"})
HARDLY = frozenset("hardly barely scarcely".split())
UNCOUNTED = HARDLY | {"all", "every", "each", "no", "one", "single", "whole", "entire"}
"""Words after which a thing may be counted that no table has."""
LED = frozenset(
    {
        "part",
        "portion",
        "share",
        "proportion",
        "percentage",
        "any",
        "anyone",
        "anybody",
        "single",
        "one",
        "few",
        "than",
        "exception",
        "board",
        "nothing",
        "hardly",
        "barely",
        "scarcely",
    }
)
"""Words that say how many only after certain others."""
LARGE = frozenset(
    "largest greater greatest bigger biggest larger better best main major overwhelming".split()
)
PARTS = frozenset({"part", "portion", "share", "proportion", "percentage"})
PEOPLE = frozenset({"everyone", "everybody", "nobody", "anyone", "anybody"})
OWNERS = frozenset({"everyone's", "everybody's", "nobody's"})
"""Words for people that stand before what is theirs."""
THINGS = frozenset({"everything"})
YOU = frozenset({"you", "them", "us", "those", "these", "whom", "which"})
SHARED = frozenset(
    {"", ".", ",", ";", ":", "cent", "half", "third", "thirds", "quarter", "quarters", "out", "share"}
)
GREETINGS = frozenset("hi hello hey dear morning afternoon evening ".split())
TEAM = frozenset(
    "action afternoon attention care colleague crew day effort energy engineer engineering evening "
    "expert hand hour minute month morning night operator part question reason respect responder sense "
    "specialist staff step support team technician thing time update way week weekend work world year".split()
)
VERBS_TOO = frozenset({"times", "work", "works", "update", "support"})
SUPERLATIVE = frozenset(
    "accurate affected certainly common complete critical current helpful impacted important notably "
    "probably recent recently relevant reliable severe sincerely urgent useful welcome".split()
)
HIT = frozenset(
    "affect affected affecting affects behind billed blocked bounced broken cancelled canceled can't cannot "
    "charged complained corrupted couldn't crash crashed crashes crashing cut declined degradation degraded "
    "delay delayed delaying delays disconnected disrupted disruption double doubled down dropped duplicated "
    "empty encounter encountering error erroring errors experience experienced experiencing exposed fail "
    "failed failing fails failure failures frozen garbled grounded hang hanging hit hits exempt hitting hurt "
    "impact impacted impacting impacts inaccessible incorrect interrupted issues kicked late later locked "
    "longer lost missing muted offline old outage outdated overcharged problem problems queued reach reaches "
    "refused rejected skipped slow slower slowly spared stale stalled standstill stop stopped stops stranded "
    "struggling stuck suffered suffering suspended timing touches touched trouble troubled twice unable "
    "unavailable unreachable unusable wait waiting waits won't wrong wrongly".split()
)
LIVES = frozenset(
    "see sees seeing saw get gets getting receive receives receiving face faces facing have has had notice "
    "notices load loads arrive arrives return returns answer answers gets going go goes come comes can could "
    "is are was were will would do does don't doesn't did isn't aren't wasn't weren't".split()
)
MANAGES = frozenset(
    "answer answers arrive arrives can come comes could get gets getting goes going load loads operate "
    "operating receive receives receiving return returns run running runs see seeing sees work works".split()
)
WELL = frozenset(
    "stable working operational resolved restored recovered recovering normal normally healthy fixed safe "
    "secure successfully succeed succeeding succeeded completing again flowing unaffected".split()
)
TELL = frozenset(
    "advise advised advising alerting apologies apologise apologize ask asked asking assist assisting "
    "available call called calling check checked checking confirm confirmed confirming contact "
    "contacted contacting email emailing emails encourage encouraged follow guess handle handled help "
    "helping inform informed informing investigate investigating keep keeping know knows letter mark "
    "marked marking may message monitor monitored monitoring must need needed needs notified notify "
    "notifying offer offered offering patience please post posted posting pinned predict process processed "
    "processing promise promised publish published publishing reassign reassigned refund refunded refunding "
    "refunds remind reminded replay replayed replaying reply replying report reported required rerouted "
    "rerouting rerun rerunning reverse reversed reversing review reviewed reviewing routed say send "
    "sending sends sent serve serving share sharing should summary support supporting tell telling "
    "thank thanks told track tracking treat treated update updated updates updating watch watched "
    "watching welcome write writes writing".split()
)
DESCRIBED = frozenset({"affected", "impacted"})
ALONE = frozenset({"none", "all", "majority", "minority", "most", "bulk"})
VERBS = frozenset("are is were was have has".split())
BEFORE_STATE = frozenset(
    "is are was were has have been now currently still also not comes come gets up".split()
)
STEPS = frozenset("wait waits waiting stop stops reach reaches behind once".split())
"""What happens to each thing in its turn, without anything being wrong."""
COUNTING = frozenset({*UNITS, *TENS, *SCALES})
STEPPED = frozenset({*ORDINALS, "second", "other"})
NO_NOUNS = frozenset({*COUNTING, *STEPPED, *TIME, "few", "half", "possible", "necessary"})
"""Words after "every" and "all" that it does not count."""
CLAUSE = 14
ENDS = frozenset({".", ";", "!", "?", ":"})
STRONG = frozenset({"most", "least"})
NEGATIVE = frozenset({"not", "n't", "don't", "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't"})
DETERMINERS = frozenset(
    "the our your their its these those all active other this that great vast last and affected "
    "impacted".split()
)
WHOLES = frozenset({"traffic", "region", "base", "volume", "platform", "fleet", "queue", "estate", "world"})
