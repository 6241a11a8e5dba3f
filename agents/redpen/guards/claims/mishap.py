"""Mishaps of the machinery told as facts: a faulty switch, a power cut, the certificate expired.

Whoever tells a mishap that context and original do not know tells a cause, whatever words tie it to the
trouble.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import inflect, stem
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach
from redpen.guards.claims.verbgroup import verb_group


class MishapRow(NamedTuple):
    """Words of one part that a mishap may have.

    Attributes:
        words: the words, parted by spaces; verbs of breaking by their infinitive.
        blocks: a text that gives a cause with one of them.
        passes: a text with one of them that gives none.
    """

    words: str
    blocks: str
    passes: str


DEFECTS = MishapRow(
    "faulty broken misconfigured expired botched bad corrupt corrupted overloaded overheated defective "
    "flawed buggy failed failing crashed damaged severed cut worn rogue stray misbehaving runaway stuck hung "
    "full burst cracked snapped leaky overhasty hasty misplaced missing lapsed outdated obsolete clogged "
    "jammed frayed wet flooded burnt blown loose dodgy wonky exhausted undersized unplugged leaking dead "
    "malformed poisoned rushed untested incompatible mistaken wrong incorrect hijacked overheating misrouted "
    "malfunctioning mistyped overrun",
    "We replaced a faulty switch.",
    "We do not know of a faulty switch.",
)
PARTS = MishapRow(
    "switch router cable fibre fiber disk disks drive database databases server servers cluster node nodes "
    "cache certificate certificates cert config configuration rule script deployment deploy release update "
    "upgrade migration patch rollout change balancer gateway firewall proxy resolver supplier hardware "
    "battery generator breaker pump cooling fan mast satellite module library dependency firmware broker "
    "replica shard token licence license process thread worker pool storage array controller adapter socket "
    "cdn datacentre datacenter hypervisor mainframe transformer rack plugin confirmation command instruction "
    "signal packet payload import feed setting flag header schema chip motherboard board pipe connector "
    "transceiver commit build cooler substation relay valve plugin plug-in analyser analyzer printer scanner "
    "conveyor belt elevator lift boiler engine motor machine machines sensor antenna mast modem terminal "
    "reader laser robot crane truck van ferry plane locomotive turbine inverter capacitor fuse compressor "
    "fridge freezer oven camera gyro ",
    "Our certificate expired.",
    "Our certificate is checked once a day.",
)
BREAKING = MishapRow(
    "crash fail die break expire overheat explode burn melt leak jam lapse collapse overflow freeze hang "
    "trip dig tear rip malfunction choke corrupt overload exhaust misconfigure sever unplug delete damage",
    "A switch died.",
    "A switch may help you to choose.",
)
EVENTS = MishapRow(
    "misconfiguration misconfigurations storm lightning flood earthquake strike cyberattack cyber-attack "
    "ddos botnet crawler crawlers bots regression deadlock sabotage overload overheating vandalism wildfire "
    "hurricane ransomware malware",
    "It was a misconfiguration.",
    "It was no misconfiguration.",
)
COMPOUNDS = MishapRow(
    "memory-leak power-dip power-surge power-glitch power-blip computer-virus computer-worm power-cut "
    "power-outage power-failure power-loss hardware-failure hardware-fault hardware-error hardware-defect "
    "disk-failure fibre-cut fiber-cut cable-cut race-condition server-crash database-crash database-failure "
    "database-failover database-lock configuration-error configuration-change config-change "
    "configuration-mistake config-error software-bug software-error software-defect traffic-spike "
    "traffic-surge traffic-peak network-failure network-partition clock-drift disk-space bug-in defect-in "
    "typo-in flaw-in regression-in cable-break coding-error programming-error load-spike demand-spike "
    "switch-failure router-failure server-failure dns-failure cooling-failure heat-wave",
    "There was a power cut.",
    "There was no power cut.",
)
MISHAP_ROWS = (DEFECTS, PARTS, BREAKING, EVENTS, COMPOUNDS)

_DEFECTS = frozenset(DEFECTS.words.split())
_PARTS = frozenset(PARTS.words.split())
_FORMS = frozenset(
    form for lemma in BREAKING.words.split() for form in (*inflect(lemma).past, inflect(lemma).gerund)
)
_EVENTS = frozenset(EVENTS.words.split())
_COMPOUNDS = frozenset(tuple(item.split("-")) for item in COMPOUNDS.words.split())
_SECONDS = frozenset(second for _, second in _COMPOUNDS)
_PARTICLES = frozenset(
    "power dark down offline out over away up under full low dry short wrong haywire astray blank".split()
)
_GOES = frozenset(
    "went gone gave ran run filled fell taken lost knocked broke blew dug washed burned burnt got".split()
)
_GIVES_REASON = frozenset(("because", "since", "as", "that"))
_SENT = frozenset("release update patch rollout batch import feed script commit confirmation".split())
_ASKED = frozenset("any why how".split())
_PLURAL = frozenset("are were have 're".split())
_NEAR = 3
_VERB_IN = 5
_MAX_DENIAL = 8
MISHAP_WORDS = _PARTS | _EVENTS | _SECONDS


def find_mishaps(sentence: Sentence) -> Iterator[Claim]:
    """Find the mishaps that a sentence tells as facts.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``cause`` whose key holds the stems of the words that name the mishap.
    """
    words = sentence.words
    for at, word in [(at, word) for at, word in enumerate(words) if word in MISHAP_WORDS]:
        if word in _PARTS:
            told = _defect(sentence, at) or _broke(sentence, at)
        elif _is_part_of_name(sentence, at):
            told = None
        elif word in _EVENTS:
            told = (at, at)
        else:
            told = (at - 1, at) if at and (words[at - 1], word) in _COMPOUNDS else None
        if told is not None and not _taken_back(sentence, *told):
            yield _claim(sentence, *told)


def _is_part_of_name(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` only tells the kind of the noun after it ("storm warnings")."""
    words, tags = sentence.words, sentence.tags
    if at + 1 >= len(words) or not is_content(words[at + 1], tags[at + 1]):
        return False
    verb = tags[at + 1] & t.ANY_FORM or words[at + 1].endswith(("ed", "ing"))
    return not verb or bool(at + 2 < len(tags) and tags[at + 2] & (t.BE | t.HAVE | t.WILL | t.MAY))


def _defect(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Return the span of a defective part ("a faulty network switch")."""
    words, tags = sentence.words, sentence.tags
    for scan in range(at - 1, max(-1, at - _NEAR - 1), -1):
        if words[scan] in _DEFECTS:
            return scan, at
        if words[scan] in CLAUSE_MARKS or tags[scan] & (t.PREPOSITION | t.AND | t.CONDITION | t.TO):
            break
        if words[scan] in _GIVES_REASON:
            break
    return None


def _broke(sentence: Sentence, at: int) -> tuple[int, int] | None:
    """Return the span of a part and the verb that says that it broke ("the certificate on it expired")."""
    words, tags = sentence.words, sentence.tags
    if _is_beside_subject(sentence, at):
        return None
    for scan in range(at + 1, min(len(words), at + 6)):
        word = words[scan]
        if scan == at + 1 and word in ("that", "which"):
            continue
        if word in CLAUSE_MARKS or tags[scan] & (t.AND | t.BUT | t.COMPLEMENT | t.WILL | t.MAY | t.CAN):
            break
        if word in _FORMS and tags[scan - 1] & (t.BEING | t.BE | t.BEEN) and word.endswith("ing"):
            return at, scan
        if word in _FORMS and not word.endswith("ing"):
            return at, scan
        if word in _GOES and not _PARTICLES.isdisjoint(words[scan + 1 : scan + 3]):
            # A release or update that "went out" was sent, one that was "taken out" undone.
            sent = words[at] in _SENT and (words[scan + 1] == "out" or word == "taken")
            return None if sent else (at, scan)
    return None


def _is_beside_subject(sentence: Sentence, at: int) -> bool:
    """Whether the part at ``at`` stands beside the noun that does what the verb says.

    "Connections to our *server* break off" tells how the trouble looks, and "our *server* team digs in" who
    is on it; "one of our *servers* broke down" tells a mishap.
    """
    words, tags = sentence.words, sentence.tags
    after = tags[at + 1] if at + 1 < len(tags) else 0
    if after & t.AGENT and not after & t.PRONOUN:
        return True
    if not words[at].endswith("s") and not _PLURAL.isdisjoint(words[at + 1 : at + _VERB_IN]):
        return not any(tag & t.AND for tag in tags[max(0, at - _NEAR) : at + _NEAR])
    begin = at
    while begin > 0 and is_content(words[begin - 1], tags[begin - 1]):
        begin -= 1
    if begin and tags[begin - 1] & t.DETERMINER:
        begin -= 1
    before = begin - 1
    if before < 1 or not tags[before] & (t.PREPOSITION | t.TO) or tags[before] & (t.ADVERB | t.CONDITION):
        return False
    of_it = words[before] == "of" or words[before] in _GIVES_REASON
    return not of_it and is_content(words[before - 1], tags[before - 1])


def _taken_back(sentence: Sentence, start: int, end: int) -> bool:
    words, tags = sentence.words, sentence.tags
    group = verb_group(sentence, end if end > start and words[start] in _PARTS else start)
    reached = reach(sentence, group)
    if reached.negated or group.negated or sentence.question:
        return True
    for at in range(start - 1, max(-1, start - _MAX_DENIAL - 1), -1):
        if words[at] in CLAUSE_MARKS:
            break
        if tags[at] & (t.NOT | t.NO | t.HARD_CONDITION) or words[at] in _ASKED:
            return True
    return False


def _claim(sentence: Sentence, start: int, end: int) -> Claim:
    named = frozenset(stem(sentence.words[at]) for at in (start, end) if len(sentence.words[at]) > 1)
    return Claim("cause", *sentence.span(start, end), "this went wrong in the machinery", named)
