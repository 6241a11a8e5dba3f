"""Words that any incident update may use without saying anything about how the incident ends."""

from __future__ import annotations

from redpen.guards.claims.morphology import stem

_PEOPLE = """
customer client user guest visitor shopper merchant buyer seller subscriber member partner reader traveller passenger
account holder administrator admin organisation company business team engineer specialist technician developer operator
support staff colleague vendor provider people person group owner audience community tenant employee responder duty
"""
_THINGS = """
service platform system product application app website site portal page dashboard console interface feature function
tool component checkout payment transaction purchase order cart card charge chargeback invoice bill billing subscription
sign login logon authentication session password token access account email mail message notification inbox delivery
webhook callback endpoint api request response call query report record data file job batch pipeline sync import export
search index result booking reservation hotel room ticket calendar schedule dns domain name record lookup resolver zone
cache server database network connection link traffic load region area country zone site location cluster queue backlog
latency delay speed response error failure timeout retry attempt attempts code status state level rate share portion
percentage number count figure volume metric alert alarm signal log trace monitor dashboard graph case example version
device browser phone mobile web desktop client store shop market gateway channel route path step flow process
"""
_TROUBLE = """
incident issue outage problem disruption degradation interruption failure error fault trouble difficulty slowdown
slowness delay backlog impact effect symptom affect impair degrade fail decline reject refuse time out slow late miss
drop hang stall block stick lose hit encounter experience face see notice observe receive find show suffer struggle
intermittent partial elevated high higher increased increase unusual abnormal unexpected severe serious significant
major minor critical limited temporary ongoing current continue continued persist remain open active present unstable
unreliable inconsistent unavailable inaccessible unreachable broken bad worse poor unsuccessful incomplete duplicate
disrupt interrupt hamper hinder prevent stop inconvenience frustrating frustration concern concerning below above lower
longer slower usual normal normally regular usual expected affected impacted declined unresolved rejected unsuccessfully
stuck waiting pending queued held bounce bounced visible occasional occasionally sporadic sporadically widespread
"""
_WORK = """
investigate investigation look examine analyse analysis review check verify confirm confirmation determine identify find
diagnose understand trace work continue try seek aim plan intend focus prioritise priority progress respond response
engage assemble coordinate mobilise escalate monitor watch track follow observe measure assess evaluate test validate
prepare develop build mitigate mitigation restore restoration recover recovery resolve resolution repair remedy fix
workaround guidance advice instruction macro step action next measure effort approach option alternative method detail
information update post publish share send provide give issue communicate announce notify inform tell say state report
write message contact reach ask answer reply call open keep stay remain await wait expect estimate estimated eta
approximate approximately roughly around target time timeline window period forecast change revise adjust refine depend
available soon shortly later early immediately promptly quickly urgent urgency hard closely actively carefully together
around clock priority top full fully help assist support thank apologise apology sorry regret appreciate patience
understanding patient cooperation recommend suggest advise encourage ask please use visit refer refresh retry repeat
reload log sign submit complete finish begin start end stop pause hold avoid choose select pick go come take make get
put let set run bring turn move need require want like hope know think believe consider feel mean include contain list
cover describe explain summarise summary note notice bear mind aware awareness important importance matter attention
cause root determined known unknown unclear uncertain yet confirmed establish point stage moment present date far
latest newest recent initial first second third final previous prior last past day today tonight hour minute second
week month morning afternoon evening night weekend monday tuesday wednesday thursday friday saturday sunday january
february march april may june july august september october november december
"""
_MORE = """
eye touch stand stands twice once too class classify grade rank assign mark label sit spell quote cite mention stress
emphasise underline highlight flag raise record document capture gather collect compare correlate dig probe explore
inspect narrow isolate reproduce draft circulate distribute broadcast dispatch hand pass transfer redirect reroute shift
divert switch balance throttle scale reduce limit cap restrict pause paused suspend suspended rerun rerunning replay
resend reprocess drain draining move moving unanswered unpaid unsent undelivered unprocessed outdated stale old older
behind lag lagging shrink grow climb worsen improve improvement heal moving evening figure figures
cautious caution care careful treat treated regard basis whether tentative provisional preliminary rough ballpark
best guess speculate speculation assumption commit promise guarantee rush rushed pace busy round team shift rota bridge
war room oncall on-call duty lead leads leadership executive manager department finance security legal sales success
public press media social statement memo bulletin notice banner sms phone voice digital online offline paper manual
hotel hotels room rooms flight ticket tickets shop order orders parcel shipment warehouse branch office clinic school
student teacher patient doctor driver rider tenant tenants publisher creator broadcaster listener viewer player gamer
video audio stream streaming call calls sms text photo image upload download print printer sensor reading meter device
map location payroll salary wage employee invoice statement export import ledger balance transfer deposit withdrawal
loan card wallet tax fee price amount currency receipt refund chargeback dispute bank merchant terminal
someone anyone everyone nobody whoever whichever whatever something anything nothing thing things stuff lot lots
bit couple pair hundred thousand million dozen ten twenty thirty forty fifty sixty seventy eighty ninety hundred one two
three four five six seven eight nine eleven twelve fifteen half third quarter fifth tenth
spend spent wait waiting minute apologies thankful grateful gratitude appreciate honest frank straightforward plainly
directly happen happening occur occurring exist existing arise apply applies concern involve involves mean means cause
causing create creating result results lead leads make makes keep keeps leave leaves need needs want wants try tries
arrive arrival arrives accept accepts hardship away goes ahead along apart aside forth hour stage walk guide
show tell learn teach write read draw move bring carry hold sit stand lie lay rise raise walk step jump run
annoy annoying annoyance disappoint disappointing disappointed upset worry worries worried stress stressful difficult
hard harder hardest tough easy easier challenge challenging real seriously lightly gravely deeply truly sincerely
heart mind eye ear hand foot voice face name date age year decade season quarter weekday weekend holiday
money cash cost bill budget pay wage salary income rent food home house family life work job career
north south east west city town street country nation world planet globe worldwide international national regional
english french spanish german language currency holiday business hours office opening closing
second-line first-line tier level grade class band bracket scale degree angle corner centre core edge base root
mutual joint shared collective collective individual personal professional technical operational commercial
engineer-led around-the-clock follow-up followup hand-off handover shift-change standup meeting bridge call
suggested recommended preferred optional mandatory compulsory voluntary alternative alternate secondary backup spare
watchful vigilant alert ready stand standby prepared handle handling process processing manage managing treat treating
allow allows enable let lets offer offers provide provides supply suggest advise urge encourage remind
"""
_MANNER = """
still currently now already also again just only even ever never always often sometimes usually generally typically
mostly mainly partly partially especially particularly specifically directly internally externally possible possibly
likely unlikely probably perhaps maybe roughly nearly almost about over under more most less least much many few several
some any other another same different similar such various separate specific certain particular general overall total
whole entire full half part rest remainder single multiple common main primary key central local global internal
external public private own new old existing additional extra further another clear plain simple short long brief small
large big great little low high good better best way place thing kind type sort form set range line item piece area end
beginning middle top bottom left right back front side hand head fact question reason result purpose goal change
difference increase decrease rise fall growth need case event situation condition circumstance term word matter subject
every each per across throughout within during while since until before after between among against toward towards
regarding concerning following including according based related relevant possible able unable due subject ready
require required necessary needed necessary appropriate accurate exact precise correct actual real true confirmed
affecting impacting seeing trying working looking taking going making getting being having doing using running coming
please dear hello hi regards sincerely best greetings everyone all team thanks behalf meantime interim meanwhile
therefore however although though because thus hence instead otherwise unless whether either neither both rather than
number percent percentage per cent hundred thousand dozen minute hour second daily hourly weekly regularly frequent
frequently periodic periodically cadence interval round basis continuous continuously constantly steady
severity priority label title heading section customer impact current status next actions summary headline scope
remain affected evolve develop situation picture extent reach breadth magnitude size nature view insight visibility
clarity certainty precision commit commitment transparency transparent open honest honestly candid trust confidence
proactive proactively dedicated commits keeping informed posted soon updates further notice default manual manually
automatic automatically standard usual regular channel helpdesk desk chat ticket form site centre center assistance
account manager representative live line hotline resource documentation article faq guide link below above here there
"""
NEUTRAL_STEMS = frozenset(
    stem(word) for word in f"{_PEOPLE}{_THINGS}{_TROUBLE}{_WORK}{_MORE}{_MANNER}".split()
)
"""Stems of the neutral vocabulary."""
