"""Frames of what is undecided, lasting, repeated, warned of or asked for, and of causes that nobody knows.

They are told apart from claims by the words beside them: "acceptance is open" leaves it open, "wait with the
valve closed" ends nothing, "as for the origin, we are searching" names none.
"""

from __future__ import annotations

from redpen.guards.claims.frame import Frame
from redpen.guards.claims.phrases import Family

_OVER: frozenset[Family] = frozenset(("resolution",))
_CAUSE: frozenset[Family] = frozenset(("cause",))
_CALM: frozenset[Family] = frozenset(("reassurance",))
_GIVEN: frozenset[Family] = frozenset(("commitment",))
_SURE: frozenset[Family] = frozenset(("guarantee",))
_GOOD: frozenset[Family] = frozenset(("guarantee", "reassurance", "resolution"))
_SAID = (
    r"(?:decision|decided|agreed|approved|announced|settled|promised|offered|to (?:share|say|tell|announce"
    r"|report))"
)
_FINITE = r"(?:is|are|was|were|has|have|had|will|can|does|do|did)"
_TROUBLES = (
    r"(?:gaps?|holes?|errors?|faults?|problems?|failures?|duplicates?|mistakes?|delays?|issues?|symptoms?"
    r"|double charges?|wrong \w+|blanks?|mismatches)"
)

FRAMES_AROUND = (
    Frame(
        _OVER,
        r"\b(?:alarms?|alerts?|sirens?|detectors?|bells?|buzzers?|beepers?|sensors?)\b[^,;:.]*",
        r"^(?:(?:has|have|had) )?(?:gone|went) off\b",
        "Alarms have gone off on some of the readers.",
        "The alarms have gone.",
    ),
    Frame(
        _OVER,
        r"\b(?:customers?|people|visitors?|guests?|users?|passengers?|shoppers?|buyers?|members?|you|they)"
        r" (?:\w+ )?(?:pressed|tapped|clicked|tried|hit|knocked|swiped|submitted|resubmitted|sent|called|rang"
        r"|asked|touched|pushed)(?: (?!and\b|but\b)[\w'-]+){0,5} again\b",
        r"",
        "The page had timed out and visitors pressed the button again.",
        "Visitors pressed the button and it works again.",
    ),
    Frame(
        _OVER,
        r"",
        r"^(?:[^,;:.]* )?(?:repeatedly|intermittently|sporadically|time and again|again and again"
        r"|on and off(?! the| a| our)|from time to time|now and then|every so often)\b",
        "The trouble has repeatedly gone quiet.",
        "The trouble has gone quiet.",
    ),
    Frame(
        _OVER,
        r"\b(?:follow|trac|track|pursu|chas)\w*\b[^,;:.]*",
        r"^back to (?:its|their|the) (?:\w+ )?(?:origins?|sources?|roots?|start|beginnings?|causes?)\b",
        "Engineers are following the faults back to their origin.",
        "The gates are back to their usual pace.",
    ),
    Frame(
        _OVER,
        r"\b(?:valves?|doors?|windows?|gates?|lids?|taps?|curtains?|blinds?|hatch(?:es)?|flaps?|shutters?"
        r"|cupboards?|cabinets?|fridges?|freezers?|cocks?)(?: (?:is|are|be|been|being|must|should|stays?"
        r"|remains?|kept|left|has|have|firmly|fully|tightly))*",
        r"^(?:(?:is|are|be|been|being|stays?|remains?|kept|left) )*closed\b",
        "Please wait with the valve closed for our engineers.",
        "The incident is closed.",
    ),
    Frame(
        _OVER,
        r"(?:\bplease(?: \w+)?|\b(?:you|readers|visitors) (?:can|may|could|might)|^) ?",
        r"^look online\b",
        "Please look online for your badge.",
        "The gates look online.",
    ),
    Frame(
        _OVER,
        r"",
        r"^(?:is|are|was|were)(?: \w+)? off the (?:table|list|menu|agenda)"
        r" (?:for (?:the moment|now|the time being|today)|until|at present|currently|while)\b",
        "The ferry is off the table for the moment.",
        "The fault is off the table.",
    ),
    Frame(
        _OVER,
        r"\b(?:type|enter|tell|say|choose|write|pick|show|let|set|select|decide|mark|name|put)\b[^,;:.]*",
        r"^(?:where|how|as|just) (?:you|they) (?:want|like|wish)(?: it| them)? (?:to|be)\b",
        "Type in where you want to be met.",
        "The readings sit where you want them to.",
    ),
    Frame(
        _OVER,
        r"",
        r"^(?:they |it |these |those )?(?:is|are|was|were|be|being|go|goes|went|gone|run|running|passed|put)"
        r"(?: \w+)? ?(?:going |run |passed |put )?through (?:the|our|a|another|its|their) (?:\w+ )?(?:press"
        r"|printers?|scanners?|checks?|reviews?|tests?|wash|sorters?|oven|machines?|queue|lists?|logs?|records?"
        r"|files?|books|presses|shredder|laminator|copier)\b[^,;:.]* again\b",
        "The badges are going through the printer again.",
        "The badges are going through the gates again.",
    ),
    Frame(
        _CAUSE,
        r"\b(?:as (?:for|to)|regarding|concerning|on|about|for)(?: the| its| their)?(?: \w+)?",
        r"^(?:the |its |their )?(?:\w+ )?(?:causes?|reasons?|origins?|sources?|triggers?|culprits?)"
        r"(?: \w+){0,4} ?[,:–—(] ?[^;:.]*\b(?:search\w*|look\w*|investigat\w*|hunt\w*|work\w*|digg\w*"
        r"|examin\w*|trac\w*|busy|still|study\w*|check\w*|open|unknown|unclear)\b",
        "As for the origin, our crew is searching.",
        "As for the origin, our crew found it: a worn cable.",
    ),
    Frame(
        _CAUSE,
        r"",
        r"^what(?: (?:we|they|i|our \w+|the \w+))?(?: (?:still|now|yet))* (?:lacks?|miss(?:es)?|needs?|seeks?"
        r"|wants?|(?:am|are|is)(?: still)? (?:missing|lacking|after|looking for|searching for|seeking"
        r"|hunting|unknown|unclear|open)|do(?:es)? not(?: yet)? (?:have|know|see|understand))"
        r"(?: (?:still|now|yet|most|so far|for))* (?:is|are|remains?) (?:the|a|an|its) ?(?:\w+ )?"
        r"(?:causes?|reasons?|origins?|sources?|triggers?|explanations?|culprits?)\b",
        "What we lack is the reason for the slow gates.",
        "What we have is the reason: a worn cable.",
    ),
    Frame(
        _CAUSE,
        r"",
        r"^(?:[^,;:.]* )?(?:is|are|was|were) (?:no|not an?|not any) (?:reason|cause|grounds?|need|sign|proof"
        r"|excuse) (?:to|for|of|that)\b",
        "A broken cable is no reason to buy a badge.",
        "A broken cable is the reason.",
    ),
    Frame(
        _CAUSE,
        r"\b(?:return|sen[dt]|go|goes|going|went|back|refund|pa(?:y|id)|give[ns]?)\w*\b[^,;:.]*"
        r"\bwhere (?:it|they|the \w+)(?: (?:has|have|had))? ",
        r"^(?:came|comes?) from\b",
        "The slow badge is sent to where it came from, the depot.",
        "The late charge came from a worn cable.",
    ),
    Frame(
        _CAUSE,
        r"\b(?:reports?|results?|orders?|messages?|complaints?|requests?|e?mails?|letters?|calls?|parcels?|bookings?"
        r"|records?|samples?|readings?|payments?|tickets?) ?,? (?:which|that|who) (?:all |have |had )?",
        r"^(?:came|comes?) from (?:\d+ |\w+ )?(?:clinics?|customers?|shops?|stores?|schools?|sites?|stations?"
        r"|visitors?|guests?|members?|users?|patients?|branches|cities|towns|regions|homes|households|hotels"
        r"|offices|readers|employers|passengers|drivers|farms|senders|sellers|buyers)\b",
        "We know of late reports, which come from 41 clinics.",
        "We know of late reports, which come from a worn cable.",
    ),
    Frame(
        _GOOD,
        r"",
        r"^(?:[^,;:.]* )?(?:can|could|may|might|do|does|would|will) not (?:\w+ )?(?:be )?"
        r"(?:ruled? out|excluded?|discounted)\b",
        "Further cases can't be ruled out.",
        "There have been no further cases.",
    ),
    Frame(
        _CALM,
        r"",
        r"^(?:[^,;:.]* )?(?:is|are) yours (?:when|once|as soon as|after|the (?:moment|minute|day))\b",
        "The result is yours when we have it.",
        "The result is yours.",
    ),
    Frame(
        _CALM,
        r"",
        r"^no (?:\w+ )?(?:assurance|guarantee|promise|certainty|repair|fix|remedy|cure|solution|date|estimate"
        r"|explanation|workaround) (?:yet|that|for|so far|in sight)\b",
        "There is no repair yet for the missing badges.",
        "There are no missing badges.",
    ),
    Frame(
        _CALM,
        rf"(?:^|[;:.,] ?)(?:and |but )?(?:the |these |those |some |all )?{_TROUBLES}"
        rf" (?:in|on|of|at|with|for)(?: (?!{_FINITE}\b)[^ ,;:.]+)*",
        r"^(?:[^,;:.]* )?(?:still|remains?|stays?)\b",
        "The gaps in your account are still there.",
        "Your account is still there.",
    ),
    Frame(
        _CALM,
        r"",
        r"\bout of reach(?: (?:at|in|on|until|while|today|now|for (?:you|now|customers|users"
        r"|visitors|patients|members|guests|passengers|everyone|many|some))\b| ?$)",
        "Your records remain out of reach at the counter.",
        "Your records remain out of reach of strangers.",
    ),
    Frame(
        _GOOD,
        r"\b(?:do not|never|nobody should|must not|should not) (?:take|read|treat|regard|understand|interpret"
        r"|mistake|see) [^,;:.]*\b(?:as|for|to mean)\b[^,;:.]*",
        r"",
        "Nobody should take an open door as a sign that waiting is harmless.",
        "Please do not take this note with you, since waiting is harmless.",
    ),
    Frame(
        _CALM,
        r"",
        r"^(?!there\b)[^,;:.]*\b(?:is|are|was|were) (?:not|no) (?:yet )?(?:an? |any )?(?:proof|signs?"
        r"|evidence|confirmation|indication|guarantee) (?:that|of)\b[^,;:.]*\b(?:over|end|ended|passed|gone"
        r"|resolved|fixed|back|recovered|solved|cured|mended|working|well|recovery|repair)\b",
        "A badge leaving the queue is not proof that the incident has ended.",
        "There is no harm, and the incident has ended.",
    ),
    Frame(
        _CALM,
        r"",
        r"^(?:(?:the|its|their|any|a) )?(?:\w+ )?(?:causes?|reasons?|origins?|sources?|triggers?"
        r"|explanations?|culprits?)(?: \w+){0,4}? (?:has|have|is|are|was|were)(?: \w+)? not\b",
        "So far the cause has not been pinned down.",
        "So far nobody has come to harm.",
    ),
    Frame(
        _GIVEN,
        r"",
        rf"^[^,;.]*[:,–—] ?(?:nothing|no|we (?:have|can|are|do) (?:not|no|nothing))\b[^;.]*\b{_SAID}\b",
        "On refunds, nothing has been decided.",
        "On request, you get a refund.",
    ),
    Frame(
        _GIVEN,
        r"",
        r"^(?:[^,;:.]* )?(?:is|are|remains?) (?:the|a|one|your|another) (?:best |only |quickest )?"
        r"(?:way (?:a?round|out|past)|workaround|alternative)\b",
        "Going inside and paying at the counter is the way round it.",
        "A free ticket is yours.",
    ),
    Frame(
        _SURE,
        r"",
        r"^(?:(?:will|'ll|shall) (?:be in touch|keep in touch|write|report|share|tell|come back|post|pass on"
        r"|update)\b[^,;:.]*)?\bwhatever (?:else |more )?(?:we|they|i|our \w+)"
        r" (?:can )?(?:learn|find|hear|know|discover|see)\b",
        "We will be in touch with whatever else we learn.",
        "We will open the gates, whatever else happens.",
    ),
    Frame(
        _SURE,
        r"",
        r"^this much we (?:can |do )?(?:know|say|tell you|tell) ?[:–—]",
        "This much we know: the gates are slow.",
        "This much we know, you will get in.",
    ),
    Frame(
        _OVER,
        r"\b(?:go ahead|green light|approval|permission|clearance|authority|mandate|consent|order) to ",
        "",
        "Our crew has the go-ahead to reroute live gates.",
        "Our crew has rerouted the visitors, and the gates work.",
    ),
    Frame(
        _CALM,
        r"",
        r"^(?:(?:other|further|more|the|some|these|typical|common) )?symptoms? (?:include|are|is|range)\b",
        "Other symptoms include badges that do not get past others at the gates.",
        "No symptoms are left, and nobody was harmed.",
    ),
    Frame(
        _CAUSE,
        r"",
        r"^[^,;:.]*\b(?:displays?|screens?|signs?|boards?|maps?|labels?|planners?|pins?|arrows?|announcements?)"
        r" (?:(?:has|have|is|are|had|been|keeps?|still) )*(?:point|send|sent|direct|steer|rout)\w*"
        r" (?:some |many |our )?(?:people|you|passengers|visitors|travellers|riders|drivers|customers|guests"
        r"|them)(?: \w+){0,2} wrong\b",
        "Our displays have pointed people to the wrong gates.",
        "An old script has pointed people to the wrong gates.",
    ),
)
