"""Phrases that say that things go well again: as they should, in full swing, checks pass, a memory."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_over = partial(Phrase, "resolution", "state")
_said = partial(Phrase, "resolution", "word")
_gone = partial(Phrase, "resolution", "always")

_OPEN = (
    "not never no until once when if whether hope hopes hoping aim try trying work working will should may "
    "might could would some few partly part expect only yet"
)

RECOVERY = (
    _gone(
        "the way/manner/speed/pace it/they/you/things/everything should/used/always/ought/did/do/normally/"
        "usually/must/were",
        "Doors respond the way they should.",
        "Doors do not respond the way they should.",
        unless="not never no until when if whether hope some few partly try by",
    ),
    _gone(
        "now * ^~show/~display/~print/~carry/~list/~match/~reflect/~give/~return/~hold/~contain/~have * "
        "right/correct/proper/accurate/true/full/complete/latest/expected/matching",
        "The payslips now carry the right amounts.",
        "The payslips do not yet show the right amounts.",
        unless=_OPEN,
    ),
    _gone(
        "we ^can/are/'re able? to? *? again/once/anew $/more",
        "We can take bookings again.",
        "We will write again.",
        unless=f"{_OPEN} write tell update post review checking looking testing asking ask start starting "
        "running everything best",
    ),
    _over(
        "~be/~become *? a/but only? *? ^memory/footnote",
        "The backlog is a memory.",
        "The backlog is not a memory.",
        unless="leak full usage",
    ),
    _gone(
        "change/changes/measure/measures/step/steps/tweak/tweaks/adjustment/efforts/action/actions/"
        "intervention/restart/switch/tuning/move * ~have/~be? ^worked/helped/succeeded/paid/held/borne/"
        "succeed",
        "The change we made has worked.",
        "We do not know whether the change has worked.",
        unless=f"{_OPEN} place best back",
    ),
    _over(
        "~be/~get/~come/~make through/past/over the worst",
        "We are through the worst of it.",
        "We are not through the worst of it.",
    ),
    _over(
        "on its/their/our feet",
        "The network is on its feet.",
        "The network is not on its feet.",
    ),
    _gone(
        "~light/~turn/~go/~flash/~show/~glow/~flip/~switch/~burn up? green",
        "Screens are turning up green.",
        "Screens do not turn green.",
        unless=f"{_OPEN} before",
    ),
    _gone(
        "@service/@private * ~arrive/~deliver/~load/~appear/~reach/~open/~land/~connect/~go/~come "
        "at/right/straight/instantly/immediately/promptly/straightaway once/away/$",
        "Messages sent since then arrived at once.",
        "Please open the page at once.",
        unless="please not never no until when if whether hope some few partly might may should could would",
    ),
    _said(
        "~have/~enjoy/~get full/complete/unrestricted/normal/regular/unlimited sight/access/view/use/control/"
        "service/functionality",
        "Doctors and their patients have full sight of results.",
        "Doctors and their patients do not have full sight of results.",
        unless=_OPEN,
    ),
    _gone(
        "the last/final/remaining of? *? affected/stuck/failed/failing/missing/late/delayed/silent/queued/"
        "waiting/broken/offline/open & ~have/~be & ^reported/come/back/returned/closed/cleared/gone/sent/"
        "arrived/online/delivered/processed/done/released/reconnected/connected/through/recovered/answered",
        "The last affected meter has reported in.",
        "The last affected meter has not reported in.",
        unless=_OPEN,
    ),
    _over("~avert", "The crisis has been averted.", "The crisis has not been averted."),
    _over(
        "~regain/~recoup/~rediscover *? strength/speed/pace/health/balance/access/footing/form/rhythm/"
        "stability/control/composure/service/connection/contact",
        "Checkout has regained its speed.",
        "Checkout has not regained its speed.",
    ),
    _over(
        "~stand/~scale/~wind down * team/teams/response/crew/alert/incident/room/bridge/$",
        "We have stood down the response team.",
        "We have not stood down the response team.",
        unless="queue queues traffic load",
    ),
    _over(
        "~call/~cancel off? the alarm/alert/warning/emergency/search",
        "We have called off the alarm.",
        "We have not called off the alarm.",
    ),
    _over(
        "~turn things/it/this around", "We have turned things around.", "We have not turned things around."
    ),
    _gone(
        "all/every/our/test/smoke/health tests/checks/probes/test/check/probe * ~pass/~succeed/clean/green/"
        "positive/clear",
        "All our checks pass.",
        "Not all checks pass.",
        unless=f"{_OPEN} we",
    ),
    _gone(
        "on all/full cylinders/steam/throttle/song",
        "Checkout fires on all cylinders.",
        "Checkout is not on full song.",
        unless=_OPEN,
    ),
    _gone(
        "like a/the dream/charm/clockwork/breeze/song/new/before/clock/rocket/knife/old $",
        "It runs like a breeze.",
        "It does not run like a dream.",
        unless=_OPEN,
    ),
    _gone(
        "sweet/smooth as a? nut/silk/ever/before",
        "Checkout runs smooth as silk.",
        "It is not smooth as silk.",
        unless=_OPEN,
    ),
    _over(
        "~get/~have/~be it/this/the *? licked/cracked/nailed/sussed/cornered/sorted/beaten/solved",
        "We have got it licked.",
        "We have not got it licked.",
    ),
    _gone(
        "no/nothing/zero/not & fresh/new/further/more/additional/single & error/errors/failure/failures/"
        "failed/complaint/complaints/drops/timeouts/outages/reports/cases/case/trouble/issues/incidents/"
        "declines/crashes/alerts/alarm/alarms & ~see/~come/~be/~have/~appear/~arise/~occur/since",
        "No fresh complaints have come in.",
        "No fresh estimate has come in.",
        unless="yet whether if until some may update",
    ),
    _gone(
        "feel/~be free/welcome to shop/book/log/sign/order/pay/play/ride/watch/browse/upload/trade/travel/"
        "drive/enter/borrow/stream/return/resume/carry/proceed/go/start/continue",
        "Feel free to shop as you please.",
        "Feel free to write to us.",
        unless="not no until once when if after phone hand write call workaround instead desk",
    ),
    _gone(
        "go/please ahead and ^shop/book/log/sign/use/order/pay/play/ride/watch/browse/upload/trade/travel/"
        "try",
        "Go ahead and book online.",
        "Go ahead and call us.",
        unless="not until once when if phone hand desk",
    ),
    _gone(
        "in a/an/the/no blink/flash/heartbeat/instant/jiffy/snap/trice/wink/time",
        "Pages open in a blink.",
        "Pages do not open in a blink.",
        unless=_OPEN,
    ),
    _gone(
        "on/at/with the/a/every first/very/single attempt/try/go/scan/tap/click/ring/knock/touch/press/"
        "swipe/call",
        "Bookings stick on the first attempt.",
        "Bookings do not stick on the first attempt.",
        unless=f"{_OPEN} fail fails failed failing see sees error errors declined rejected",
    ),
    _gone(
        "before you can/know/have/could/notice/finish",
        "Codes arrive before you can put the phone down.",
        "Please wait before you pay.",
        unless=f"{_OPEN} please save leave",
    ),
    _gone(
        "where/how/as/just we/you like/want/wanted/please/wish it?/them?",
        "Latency sits where we like it.",
        "Call us when you like.",
        unless=f"{_OPEN} call write contact ask",
    ),
    _over(
        "~draw/~drew a line under/through",
        "We have drawn a line under the incident.",
        "We have not drawn a line under the incident.",
    ),
    _over(
        "~lay/~put * to rest/bed",
        "We have laid this one to rest.",
        "We have not put it to rest.",
        unless="mind minds",
    ),
    _gone(
        "@trouble ^lasted for?",
        "The disruption lasted a while.",
        "The disruption has lasted a while.",
        unless=f"{_OPEN} has have",
    ),
    _gone(
        "all/every/each/everyone/everybody * who/that tried/tries/wanted/wants/asked * got/gets/managed/"
        "succeeded/made in/through/on/to/it",
        "Every pupil who tried to sign in got in.",
        "Every pupil who tried to sign in saw an error.",
        unless=_OPEN,
    ),
    _gone(
        "alarm/alert/siren/emergency ~be off/over/lifted/cancelled",
        "The alarm is off.",
        "The alarm is not off.",
        unless=_OPEN,
    ),
    _gone(
        "nothing ~be? *? in/on/of/at the queue/backlog/line/list/pile but/$",
        "There is nothing in the queue but dust.",
        "There is something in the queue.",
        unless=_OPEN,
    ),
    _gone(
        "all/every/each @service/desks/desk/gates/gate/kiosks/kiosk/tills/till/doors/door/lines/terminals/"
        "readers/lockers/machines now? ^work/works/take/takes/accept/accepts/open/opens/scan/scans/read/"
        "reads/answer/answers/run/runs/print/prints/move/moves",
        "All desks take cards.",
        "Not all desks take cards.",
        unless=f"{_OPEN} cash hand only",
    ),
    _gone(
        "as you/they/customers/we always/normally/usually/ever ~have/~do/did/would",
        "You may sign in as you always have.",
        "You may call us as often as you need.",
        unless="not never until once when if phone call desk",
    ),
    _gone(
        "~do/did/does what/as/everything it/they/we should/was/were/must/ought/hoped/wanted/promised",
        "The fix did what it should.",
        "The fix did not do what it should.",
        unless="not never no until once when if whether hope app page button",
    ),
    _gone(
        "@private/@service/results/orders * ~come/~go/~flow/~roll/~pour/~stream * by the minute/second/"
        "hour/dozen/hundred",
        "Results come in by the minute.",
        "Reports of errors come in.",
        unless=f"{_OPEN} reports complaints errors",
    ),
    _over(
        "~wrestle/~wrangle/~tame/~pin it/this/that/them/the down/fault/bug/problem/back",
        "We have wrestled it down.",
        "We have not wrestled it down.",
    ),
    _gone(
        "all/everyone/everybody/customers/callers/orders/payments/guests ~be through $",
        "Customers are through.",
        "Customers are not through.",
        unless=_OPEN,
    ),
    _over(
        "~be back? in/open business",
        "We're in business.",
        "We are not in business.",
        unless="day days who which those you if",
    ),
    _gone(
        "breathe/breathed/breathing out/again/easy/easier/freely",
        "We can all breathe out.",
        "Some cannot breathe out.",
        unless="not cannot until once when if patient patients mask",
    ),
    _gone(
        "reports/report/sees/see/gets/get/has/have/had/took/takes/hears no/zero calls/complaints/reports/"
        "tickets/alarms about/of/since",
        "The service desk reports no calls about it.",
        "We have no reports.",
        unless="we missed until once when if hope yet",
    ),
    _gone(
        "@trouble * ~have/~be * run out/its/dry/aground & errors/error/failures/tide/wave/flood/spell/"
        "streak/trouble/course",
        "The tide of errors has run out.",
        "Time has run out.",
        unless=_OPEN,
    ),
    _over(
        "^~get/~gain/~have/~take the better/upper/measure hand? of/over",
        "Our technician got the better of it.",
        "Our technician has not got the better of it.",
    ),
    _gone(
        "what you/they/customers/users/visitors ~see/~read/~hear/~get * is/are what",
        "What you see on the map is what your field looks like.",
        "What you see on the map is not what your field looks like.",
        unless="not never no once until when",
    ),
    _gone(
        "the way/manner/speed/pace/quality you/they/customers/users/we ~be used/accustomed to",
        "Pages open at the speed you are used to.",
        "Pages do not open at the speed you are used to.",
        unless="not never no until when once if whether hope some few partly try",
    ),
)
