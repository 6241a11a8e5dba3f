"""Phrases that tell readers not to worry, that things may be used without a thought, or be relied on."""

from __future__ import annotations

from functools import partial

from redpen.guards.claims.phrases.row import Phrase

_said = partial(Phrase, "reassurance", "always")
_stated = partial(Phrase, "reassurance", "word")

_WORRY = (
    "worry/panic/fret/fear/agonise/agonize/despair/stress/brood/fuss/sweat/mind/dread/bother/"
    "worried/concerned/alarmed/afraid/anxious/nervous/scared/frightened/troubled/upset/uneasy/perturbed/"
    "distressed/apprehensive/fearful/spooked/unsettled/tense"
)
_TROUBLED = "worked/wound/het/steamed/hung"
_SPARED = (
    "if when trying fee fees deadline deadlines penalty penalties charges sorry apologise ask "
    "calling phoning writing"
)
"""Words about which honest updates tell readers not to worry."""
_OPEN = "not cannot never no until once if whether unless yet only"

CALM = (
    _said(
        f"not/never/no/needless/unnecessary ~need? cause? reason? grounds? to? ~have? to? ~get? be? feel? "
        f"^{_WORRY} about/over/for/because/at the/a/an/your/our/any/this/that/it/these/what",
        "Don't panic about a failed upload.",
        "We do not know what you worry about the most.",
        unless=f"{_SPARED} know say tell sure",
    ),
    _said(
        f"not/never/no/nothing/needless *? ~get/~be/~become/~feel {_TROUBLED} up",
        "It is nothing to get worked up about.",
        "Some guests got worked up.",
        unless=_SPARED,
    ),
    _said(
        "not/never/no/need/nobody/nothing *? ~lose *? sleep/heart/hope/hair/nerve",
        "You need not lose sleep over your order.",
        "Sorry if you lost sleep over your order.",
        unless=_SPARED,
    ),
    _stated(
        "with an/a easy/light/clear/quiet/calm/untroubled/peaceful/tranquil/glad/carefree "
        "mind/heart/conscience/head",
        "Shop with an easy mind.",
        "You cannot shop with an easy mind.",
    ),
    _stated(
        "in total/complete/full/every/perfect/absolute/utter safety/security/confidence/peace/comfort",
        "You ride in perfect safety.",
        "You do not ride in perfect safety.",
    ),
    _stated(
        "can/may/could *? trust/believe/rely/count/depend/bank/lean/go on/upon/by? the/your/our/its/these/"
        "every/each/any *? time/times/reminder/reminders/app/page/pages/map/maps/display/screen/board/boards/"
        "tracking/position/status/gates/codes/code/reading/scale/price/prices/timetable/calendar/"
        "notifications/alerts/alarm/service/search/label/labels/total/totals/clock",
        "You can trust the time in your reminder.",
        "You cannot trust the time in your reminder.",
        unless=f"{_OPEN} instead alone",
    ),
    _stated(
        "may/can/could & drink/eat/use/open/swim/bathe/ride/shop/pay/travel/enter/cook & "
        "safely/securely/confidently/fearlessly/unboiled/unfiltered/untreated",
        "Pets may drink it safely.",
        "Pets cannot drink it safely.",
        unless=_OPEN,
    ),
    _stated(
        "~be/~remain/~stay/~keep *? in/within safe/secure hands",
        "Travellers are in safe hands.",
        "We do not know whether they are in safe hands.",
        unless="you're",
    ),
    _stated(
        "~remain/~stay/~keep/~be *? clean/pure/sterile/wholesome/drinkable/potable/hygienic/edible/"
        "uninfected/uncontaminated/unpolluted/untainted/unspoiled/unspoilt throughout/$",
        "The water has remained clean throughout.",
        "The water has not remained clean.",
        unless=f"{_OPEN} keep please",
    ),
    _said(
        "not/no/nobody/none/noone one/customer/customers/guest/guests/patient/patients/passenger/passengers/"
        "visitor/visitors/pupil/pupils/member/members/order/orders? ~have/~be *? been? "
        "turned/sent/left/missed/forgotten/stranded/stuck/shut/locked/cut/short "
        "home/away/behind/out/stranded/off/changed/without/standing/empty/in",
        "No one has been turned away at reception.",
        "Some guests have been turned away.",
        unless="know whether if yet until unless should please",
    ),
)
"""Phrases that tell readers not to worry, and that what they use is safe."""
