"""Words that any incident update may use without saying anything about how the incident ends."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims.morphology import inflect, stem
from redpen.guards.everyday_words import everyday_words

_PEOPLE = """
customer client user guest visitor shopper merchant buyer seller subscriber member partner reader traveller
passenger account holder administrator admin organisation company business team engineer specialist
technician developer operator support staff colleague vendor provider people person group owner audience
community tenant employee responder duty
"""
_THINGS = """
service platform system product application app website site portal page dashboard console interface feature
function tool component checkout payment transaction purchase order cart card charge chargeback invoice bill
billing subscription sign login logon authentication session password token access email mail message
notification inbox delivery webhook callback endpoint api request response call query report record data
file job batch pipeline sync import export search index result booking reservation hotel room ticket
calendar schedule dns domain name lookup resolver zone cache server database network connection link traffic
load region area country location cluster queue backlog latency delay speed error failure timeout retry
attempt attempts code status state level rate share portion percentage number count figure volume metric
alert alarm signal log trace monitor graph case example version device browser phone mobile web desktop
store shop market gateway channel route path step flow process
"""
_TROUBLE = """
incident issue outage problem disruption degradation interruption fault trouble difficulty slowdown slowness
impact effect symptom affect impair degrade fail decline reject refuse time out slow late miss drop hang
stall block stick lose hit encounter experience face see notice observe receive find show suffer struggle
intermittent partial elevated high higher increased increase unusual abnormal unexpected severe serious
significant major minor critical limited temporary ongoing current continue continued persist remain open
active present unstable unreliable inconsistent unavailable inaccessible unreachable broken bad worse poor
unsuccessful incomplete duplicate disrupt interrupt hamper hinder prevent stop inconvenience frustrating
frustration concern concerning below above lower longer slower usual normal normally regular expected
affected impacted declined unresolved rejected unsuccessfully stuck waiting pending queued held bounce
bounced visible occasional occasionally sporadic sporadically widespread
"""
_WORK = """
investigate investigation look examine analyse analysis review check verify confirm confirmation determine
identify diagnose understand work try seek aim plan intend focus prioritise priority progress respond engage
assemble coordinate mobilise escalate watch track follow measure assess evaluate test validate prepare
develop build mitigate mitigation restore restoration recover recovery resolve resolution repair remedy fix
workaround guidance advice instruction macro action next effort approach option alternative method detail
information update post publish send provide give communicate announce notify inform tell say write contact
reach ask answer reply keep stay await wait expect estimate estimated eta approximate approximately roughly
around target timeline window period forecast change revise adjust refine depend available soon shortly
later early immediately promptly quickly urgent urgency hard closely actively carefully together clock top
full fully help assist thank apologise apology sorry regret appreciate patience understanding patient
cooperation recommend suggest advise encourage please use visit refer refresh repeat reload submit complete
finish begin start end pause hold avoid choose select pick go come take make get put let set run bring turn
move need require want like hope know think believe consider feel mean include contain list cover describe
explain summarise summary note bear mind aware awareness important importance matter attention cause root
determined known unknown unclear uncertain yet confirmed establish point stage moment date far latest newest
recent initial first second third final previous prior last past day today tonight hour minute week month
morning afternoon evening night weekend monday tuesday wednesday thursday friday saturday sunday january
february march april may june july august september october november december
"""
_MORE = """
address list lists eye touch stand stands twice once too class classify grade rank assign mark label sit
spell quote cite mention stress emphasise underline highlight flag raise document capture gather collect
compare correlate dig probe explore inspect narrow isolate reproduce draft circulate distribute broadcast
dispatch hand pass transfer redirect reroute shift divert switch balance throttle scale reduce limit cap
restrict paused suspend suspended rerun rerunning replay resend reprocess drain draining moving unanswered
unpaid unsent undelivered unprocessed outdated stale old older behind lag lagging shrink grow climb worsen
improve improvement heal figures cautious caution care careful treat treated regard basis whether tentative
provisional preliminary rough ballpark best guess speculate speculation assumption commit promise guarantee
rush rushed pace busy round rota bridge war oncall on-call lead leads leadership executive manager
department finance security legal sales success public press media social statement memo bulletin banner sms
voice digital online offline paper manual hotels rooms flight tickets orders parcel shipment warehouse
branch office clinic school student teacher doctor driver rider tenants publisher creator broadcaster
listener viewer player gamer video audio stream streaming calls text photo image upload download print
printer sensor reading meter map payroll salary wage ledger deposit withdrawal loan wallet tax fee price
amount currency receipt refund dispute bank terminal someone anyone everyone nobody whoever whichever
whatever something anything nothing thing things stuff lot lots bit couple pair hundred thousand million
dozen ten twenty thirty forty fifty sixty seventy eighty ninety one two three four five six seven eight nine
eleven twelve fifteen half quarter fifth tenth spend spent apologies thankful grateful gratitude honest
frank straightforward plainly directly happen happening occur occurring exist existing arise apply applies
involve involves means causing create creating results makes keeps leave leaves needs wants tries arrive
arrival arrives accept accepts hardship away goes ahead along apart aside forth walk guide learn teach read
draw carry lie lay rise jump annoy annoying annoyance disappoint disappointing disappointed upset worry
worries worried stressful difficult harder hardest tough easy easier challenge challenging real seriously
lightly gravely deeply truly sincerely heart ear foot age year decade season weekday holiday money cash cost
budget pay income rent food home house family life career north south east west city town street nation
world planet globe worldwide international national regional english french spanish german language hours
opening closing second-line first-line tier band bracket degree angle corner centre core edge base mutual
joint shared collective individual personal professional technical operational commercial engineer-led
around-the-clock follow-up followup hand-off handover shift-change standup meeting suggested recommended
preferred optional mandatory compulsory voluntary alternate secondary backup spare watchful vigilant ready
standby prepared handle handling processing manage managing treating allow allows enable lets offer offers
provides supply urge remind
"""
_MANNER = """
still currently now already also again just only even ever never always often sometimes usually generally
typically mostly mainly partly partially especially particularly specifically internally externally possible
possibly likely unlikely probably perhaps maybe nearly almost about over under more most less least much
many few several some any other another same different similar such various separate specific certain
particular general overall total whole entire part rest remainder single multiple common main primary key
central local global internal external private own new additional extra further clear plain simple short
long brief small large big great little low good better way place kind type sort form range line item piece
beginning middle bottom left right back front side head fact question reason purpose goal difference
decrease fall growth event situation condition circumstance term word subject every each per across
throughout within during while since until before after between among against toward towards regarding
following including according based related relevant able unable due required necessary needed appropriate
accurate exact precise correct actual true affecting impacting seeing trying working looking taking going
making getting being having doing using running coming dear hello hi regards greetings all thanks behalf
meantime interim meanwhile therefore however although though because thus hence instead otherwise unless
either neither both rather than percent cent daily hourly weekly regularly frequent frequently periodic
periodically cadence interval continuous continuously constantly steady severity title heading section
actions headline scope evolve picture extent breadth magnitude size nature view insight visibility clarity
certainty precision commitment transparency transparent honestly candid trust confidence proactive
proactively dedicated commits keeping informed posted updates default manually automatic automatically
standard helpdesk desk chat center assistance representative live hotline resource documentation article faq
here there them then ones whom whose whoever themselves itself yourself ourselves very quite rather else
double
triple doubled tripled twice thrice fold unchanged appear appears bring brings share shared task tasks
nuisance
trouble euro euros dollar dollars pound pounds cent cents pence mailto http https www stage stages compare
compared comparison remind reminder keep kept hang hanging bearing patience wait spell stretch whether upon
onto
among amongst beside besides despite toward via per etc maybe sort kindly dear folks all hey heads-up quick
note moment while awhile bit little lately meantime course order turn next mention mentioned told asked said
wrote written posted listed named called given taken known seen shown held placed put set let
"""


def neutral_words() -> frozenset[str]:
    """Return the neutral vocabulary, one form a word."""
    return _of_updates() | everyday_words()


def _of_updates() -> frozenset[str]:
    return frozenset(f"{_PEOPLE}{_THINGS}{_TROUBLE}{_WORK}{_MORE}{_MANNER}{_LETTER}".split())


_LETTER = """
yours sincerely faithfully truly regards greeting dear excuse pardon forgive welcome background position
brief briefly afraid tip dial practical side aspect topic heading regarding concerning respect frank
honest plain simple short story bottom gist wording phrase tone letter memo circular bulletin digest
script leaflet poster board banner overview outline roundup recap rundown snapshot summary headline
reminder remark consequence result especially particularly namely ground exception approval folk guest
neighbour colleague owner corner street hall counter window patchy spotty uneven bumpy rocky rough
sluggish tardy ride chapter news land turn regret ease calm coffee tea apology progress previous yes
question answer worth word voice ours mine hers theirs speak talk sympathy obliged fresh outside indoors
outdoors inside spa sauna gym manual belong early wise sensible advisable thereabouts add fetch permit accept
"""
"""What letters and notices are made of, and words for trouble; none says that anything went well."""


@lru_cache(maxsize=1)
def neutral_forms() -> frozenset[str]:
    """Return the forms of the neutral vocabulary, each word taken as a verb and as a noun."""
    return frozenset(
        form
        for word in neutral_words()
        for forms in (inflect(word),)
        for form in (forms.base, forms.third, forms.gerund, *forms.past)
    )


@lru_cache(maxsize=1)
def neutral_stems() -> frozenset[str]:
    """Return the stems of the neutral vocabulary; everyday words are known by their forms alone."""
    return frozenset(map(stem, _of_updates()))
