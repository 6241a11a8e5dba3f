"""Whether words tell of trouble: denied, failing, late, worse, or of another word that no rule reads."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from types import MappingProxyType

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import inflect, stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import trouble_stems

_MASK = t.BAD | t.PROBLEM | t.HINDERS | t.NOT | t.NO
GOOD_TOO = frozenset(
    (
        "open",
        "clear",
        "clears",
        "present",
        "active",
        "visible",
        "hit",
        "returned",
        "return",
        "see",
        "sees",
        "ticket",
        "tickets",
        "event",
        "events",
    )
)
"""Words of trouble that tell of a good state when nothing else in their clause does not."""
_DOWN = frozenset("out off down away".split())
"""What something is when it does not work, and what verbs take besides ("chargers sprang up")."""
_GOES = frozenset("go goes going gone went stay stays remain remains keep keeps".split())
_MORE = """
stop halt cease quit outdated unreliable erratic twice double triple thrice treble worsen grow climb swell
mount abandon ail alarm amiss anger baffle ban barren beset bewilder blur bog bottleneck buckle bust chaos
choke clash clog clumsy clutter collapse complain confuse congest contradict corrupt cripple crumble damage
deaf dim dire disagree disappoint discard discolour disconnect dismay disobey disorder drought dud dull echo
err exhaust expel expire faint falter fault flicker flood flounder fluctuate flunk fog fumble fuss gap ghost
gremlin grim grumble halt harsh hesitate hiss hostage idle ignore insist jerk jolt jumble lame leak limp
maddening misbehave misread misroute misprint moan muddle mud neglect nightmare noise noisy nonsense
obsolete omit overflow overlap overload overrun overwhelm pain panic paralyse peril pester plague puzzle
quiver random rattle reluctant restless rot rust sag scream sealed shiver shrug sick skid slack slip smudge
snag snarl sour splutter squeak stagger stain stale stall stammer starve strain stubborn stuck stutter
suffer sulk suspend swamp sway tangle tear tremble trickle uneven unsent unread unpaid untracked unusable
unwell dead scarce low thin upset vague vex wander warn waver weaken wobble wonky wreck lazy knot tie moody
grumpy temper tantrum nap cough gasp wheeze hobble crabby cranky cross bug rebel strike protest mutiny mood
whim hiccough sneeze sniffle shy coy silly daft dizzy drunk tipsy astray adrift mischief prank trick holiday
break tongue-tied queasy poorly ill ailing unsettled untidy unruly wild mad crazy bananas berserk haywire
awry amok nuts circle limbo stumped confused demand demanding apart else different another strain challenge
challenging tricky thorny knotty sticky delicate complex complicated ambitious bumper hungry thirsty choosy
picky fussy particular suspicious wary stubborn obstinate defiant deaf blind numb sore wrong strand involve
standstill gridlock scenic cloudy cloudiness murky turbid rusty
nerve-racking nerve-wracking nerve racking wracking tedious upsetting unpleasant exhausting awkward unwelcome
lag trail lack stressful
unfinished unfixed unsolved pending postponed off-limits elsewhere sorely heavy hefty cumbersome
"""
_IDIOMS = frozenset(
    tuple(pair.split())
    for pair in (
        "playing up", "plays up", "play up", "acting up", "acts up", "act up", "in line", "in queue",
        "us down", "you down", "everyone down", "drags its", "drag their", "dragging its", "dragging their",
        "the show", "the blink", "the fritz", "gone quiet", "went quiet", "gone silent", "gone dark",
        "gone dead", "its heels", "their heels", "own sweet", "at sea", "the doldrums",
    )
)  # fmt: skip
"""Pairs of words of idioms for trouble ("is letting us down", "drags its feet")."""
_WITH_PARTICLE = (
    ("turn", "away down"),
    ("send", "away packing"),
    ("time run give sell wear fizzle peter conk black pan", "out"),
    ("log sign kick throw shut lock drop boot bump knock leave freeze squeeze push", "out off"),
    ("cut break", "out off up down"),
    ("fall lag trail slip drag limp", "behind back short apart flat through"),
    ("run", "dry late low short down"),
    ("come", "to_nothing apart unstuck short"),
    ("go", "missing wrong astray nowhere amiss blank dark dead quiet"),
    ("jump", "about around"),
    ("hold back pile bank stack clog gum seize", "up"),
    ("put", "off"),
    ("play act", "up"),
    ("shrug wave bat", "away off"),
    ("lose", "touch track sight contact"),
    ("wind end", "up_on up_in"),
)
"""Verbs that tell of trouble with the words that follow them, and only then."""
_OBJECT = 4
_NO_TROUBLE = frozenset("stay keep remain instead out off down behind alone only just hang loop".split())
"""Words of that kind that say so only of what lasts, or beside some verbs."""


@lru_cache(maxsize=1)
def _stems() -> frozenset[str]:
    return (trouble_stems() - frozenset(map(stem, _NO_TROUBLE))) | frozenset(map(stem, _MORE.split()))


@lru_cache(maxsize=1)
def _verbs() -> Mapping[str, frozenset[str]]:
    """Return by every form of such a verb what follows it."""
    found: dict[str, frozenset[str]] = {}
    for lemmas, after in _WITH_PARTICLE:
        particles = frozenset(after.split())
        for lemma in lemmas.split():
            forms = inflect(lemma)
            for word in (forms.base, forms.third, forms.gerund, *forms.past):
                found[word] = found.get(word, frozenset()) | particles
    return MappingProxyType(found)


def _fails(words: list[str], start: int, end: int) -> bool:
    """Whether a verb that tells of trouble stands before its particle ("turns student cards away")."""
    verbs = _verbs()
    for at in range(start, end - 1):
        particles = verbs.get(words[at])
        if particles is None:
            continue
        near = words[at + 1 : min(end, at + _OBJECT)]
        if not particles.isdisjoint(near) or any("_".join(pair) in particles for pair in pairwise(near)):
            return True
    return False


def is_trouble_word(word: str) -> bool:
    """Whether a word is one for trouble, whatever its form ("buffering")."""
    return stem(word) in _stems()


@lru_cache(maxsize=2048)
def tells_trouble(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the words from ``start`` to ``end`` (exclusive) tell of trouble."""
    words, tags = sentence.words, sentence.tags
    for at in range(start, end):
        if tags[at] & _MASK and words[at] not in GOOD_TOO and words[at] not in _DOWN:
            return True
        if words[at] in _DOWN and at > start and (tags[at - 1] & (t.BE | t.ADVERB) or words[at - 1] in _GOES):
            return True
    if any(pair in _IDIOMS for pair in pairwise(words[start:end])) or _fails(words, start, end):
        return True
    slowly = frozenset(stem(word) for word in words[start:end] if word.endswith("ly"))
    return not (content(sentence, start, end) | slowly).isdisjoint(_stems())
