"""Verbs by which a thing brings trouble about, by the frame that they stand in; and who is no such thing."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Literal

from redpen.guards.claims.morphology import inflect, spellings, stem, third_person
from redpen.guards.claims.word_classes import WORD_CLASSES

Kind = Literal["base", "third", "past", "participle", "gerund"]
"""What a form of a verb can be."""

HARMS = """
block clog jam choke stall freeze cripple disrupt interrupt hamper hinder impede obstruct delay slow stop
halt prevent derail wreck ruin spoil crash overload overwhelm flood swamp drown saturate exhaust drain eat
swallow gobble devour hog starve strain burden garble scramble mangle distort corrupt damage destroy wipe
muddle confuse puzzle fool trick trip upset unsettle disturb foil thwart defeat sabotage tangle snarl
cloud muddy taint contaminate pollute poison stain scratch scorch melt burn crack bend warp buckle tear
rip snap sever cut chew gnaw nibble bite crush flatten squash squeeze shake rattle trigger cause provoke
spark unleash boot eject evict expel disconnect unplug topple sink strand trap silence mute blind deafen
dim darken smother bury trample throttle stifle dampen skew misroute misdirect mislead hobble paralyse
plague dog haunt bedevil infest infect invade engulf besiege batter pound hammer bombard hit strike rot
rust corrode deform displace dislodge drown break steal knock kick rob deprive strip pester
cheat cramp jolt shred misalign detune
"""
"""Verbs that do harm to what is affected ("an old rule *garbles* the labels")."""
PARTICLES = MappingProxyType(
    {
        "hold": "up back", "tie": "up", "clog": "up", "mess": "up", "trip": "up", "foul": "up",
        "turn": "away", "throw": "off out", "break": "off", "cut": "off out short",
        "knock": "out off over down back", "kick": "out", "boot": "out", "leave": "out", "shut": "out down",
        "lock": "out", "put": "off out",
        "set": "back", "bring": "about on down", "wear": "down", "weigh": "down", "slow": "down",
        "jam": "up", "drag": "down", "push": "back", "crowd": "out", "drown": "out", "wash": "out away",
        "eat": "into up", "take": "down out", "send": "astray", "lead": "astray", "scare": "off away",
        "get": "between", "keep": "away out off apart", "come": "between", "bog": "down", "wind": "up",
        "burn": "out through",
    }
)  # fmt: skip
"""Verbs that bring trouble with a word after them or after their object ("*holds* the mail *up*")."""
BRINGS = "keep leave make have get hold put send set turn render drive force throw let push"
"""Verbs that bring their object into a state ("*keeps* 64 machines down")."""
STANDS_IN_WAY = MappingProxyType(
    {
        "in the way": "get stand lie be sit come",
        "in the path": "get stand lie be sit",
        "behind it": "lie sit stand",
        "behind this": "lie sit stand",
        "behind that": "lie sit stand",
        "behind all": "lie sit stand",
        "behind the": "lie sit stand",
        "havoc": "play wreak cause",
        "the better of": "get",
        "its toll": "take",
        "their toll": "take",
        "its way into": "find work make eat get",
        "their way into": "find work make eat get",
        "its teeth into": "get sink dig",
        "its claws into": "get sink dig",
        "its fingers into": "get work dig",
        "its hooks into": "get sink",
    }
)
"""Idioms of hindering, by the words after the verb."""
ASTRAY = (
    "haywire astray awry berserk crazy mad wild spinning reeling tumbling sideways askew amok bonkers adrift "
    "aground dizzy packing crashing sprawling blank dark cold stiff tight solid useless idle limp asleep "
    "blind deaf loose apart panicking spiralling spiraling"
)
"""What something is sent or left when it is harmed ("*sends* the gates *haywire*")."""
EXPLAINS = "explain account underlie"
"""Verbs that make a cause of their subject ("flat batteries *explain* why")."""
CURSED = "thank curse blame damn"
"""Verbs that make a cause of their object after "you may", "we can" and the like."""

STEPS = frozenset(
    "tap taps press presses click clicks swipe swipes keystroke keystrokes touch touches refresh reload "
    "reloads retry retries attempt attempts try tries login logins sign-in sign-ins search searches scan "
    "scans visit visits link links query queries tapping pressing clicking swiping scanning refreshing "
    "reloading logging signing entering typing choosing selecting searching trying paying submitting "
    "dialling dialing scrolling uploading saving".split()
)
"""What readers do with a service, in which a trouble shows ("each *tap* throws you out")."""

_PEOPLE = """
volunteer courier driver usher steward porter marshal librarian attendant warden guard caretaker
receptionist cashier clerk nurse doctor pharmacist teacher supervisor manager planner agent inspector
electrician plumber mechanic captain skipper pilot conductor host hostess organiser neighbour police
firefighter analyst developer admin administrator partner owner colleague friend family child parent
examiner invigilator tutor professor coach trainer farmer grower vet member resident tenant rider walker
skier pupil singer actor editor author speaker officer official secretary assistant adviser advisor
consultant dispatcher controller crew locksmith medic paramedic surgeon janitor cleaner cook chef waiter
barista shopper buyer seller merchant department office desk branch helpline hotline support registry
reception switchboard helpdesk
"""
_PAGES = """
site website faq blog article guide chart table list map letter leaflet poster sign document form diagram
picture note video paragraph section sheet
"""
_SIGNS = """
wait queue delay lag loss drop fall decline gap closure absence lack shortage backlog failure slowness
duplicate screen page message banner warning prompt pop-up popup spinner light alarm symbol icon wheel
hourglass text silence darkness interruption stop repeat retry mystery puzzle riddle guess
"""


@lru_cache(maxsize=1)
def no_actors() -> frozenset[str]:
    """Return the words for people, whose doings bring no trouble about, and for signs of trouble."""
    singular = frozenset((*_PEOPLE.split(), *_SIGNS.split()))
    return singular | frozenset(map(third_person, singular)) | frozenset(WORD_CLASSES["readers"].split())


@lru_cache(maxsize=1)
def pages() -> frozenset[str]:
    """Return the stems of words for what explains by being read."""
    return frozenset(map(stem, _PAGES.split()))


@lru_cache(maxsize=1)
def kinds_of_forms() -> Mapping[str, frozenset[Kind]]:
    """Return what each form of the verbs of this module can be."""
    found: dict[str, set[Kind]] = {}
    own: dict[str, tuple[str, ...]] = {"be": ("is", "are"), "have": ("has", "have")}
    lemmas = " ".join((HARMS, *PARTICLES, BRINGS, *STANDS_IN_WAY.values(), EXPLAINS, CURSED))
    for lemma in frozenset(lemmas.split()):
        for word in spellings(lemma):
            forms = inflect(word)
            kinds: tuple[tuple[Kind, tuple[str, ...]], ...] = (
                ("base", (forms.base,)),
                ("third", own.get(lemma, (forms.third,))),
                ("past", forms.past[:1]),
                ("participle", forms.past[-1:]),
                ("gerund", (forms.gerund,)),
            )
            for kind, words in kinds:
                for form in words:
                    found.setdefault(form, set()).add(kind)
    return MappingProxyType({form: frozenset(kinds) for form, kinds in found.items()})


@lru_cache(maxsize=1)
def particles() -> Mapping[str, frozenset[str]]:
    """Return the words after a verb with which it does harm, by each form of it."""
    return MappingProxyType(
        {form: frozenset(after.split()) for lemma, after in PARTICLES.items() for form in forms_of(lemma)}
    )


@lru_cache(maxsize=1)
def idioms() -> Mapping[str, tuple[tuple[str, ...], ...]]:
    """Return the words after a verb that make an idiom of hindering with it, by each form of it."""
    found: dict[str, tuple[tuple[str, ...], ...]] = {}
    for after, lemmas in STANDS_IN_WAY.items():
        for form in forms_of(lemmas):
            found[form] = (*found.get(form, ()), tuple(after.split()))
    return MappingProxyType(found)


@cache
def forms_of(lemmas: str) -> frozenset[str]:
    """Return all forms of some verbs, parted by spaces; asked of the rows of tables alone."""
    own = {"be": ("is", "are", "was", "were"), "have": ("has",)}
    return frozenset(
        form
        for lemma in lemmas.split()
        for word in spellings(lemma)
        for forms in (inflect(word),)
        for form in (forms.base, forms.third, forms.gerund, *forms.past, *own.get(lemma, ()))
    )
