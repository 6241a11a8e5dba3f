"""Words of good states, by the part of the sentence they take: how, what kind, what it does, in what."""

from __future__ import annotations

from functools import lru_cache

from redpen.guards.claims.morphology import inflect

_MANNERS = """
freely nicely smoothly beautifully happily cheerfully merrily briskly promptly swiftly speedily instantly
steadily reliably faithfully obediently dutifully effortlessly gladly correctly properly accurately rightly
punctually cleanly neatly crisply brightly soundly peacefully gracefully perfectly flawlessly faultlessly
seamlessly splendidly superbly marvellously wonderfully admirably brilliantly magnificently handsomely
sweetly swimmingly tidily snugly normally contentedly blithely untouched untroubled unhindered undisturbed
unimpeded uninterrupted unaided dependably consistently evenly fluently trouble-free error-free gently
healthily straightaway robustly stably impeccably famously capably competently ably agreeably obligingly
readily tirelessly unfailingly unfalteringly uneventfully unremarkably
"""
_KINDS = """
quick fast swift brisk speedy rapid prompt instant instantaneous snappy nimble smooth clean crisp sharp
bright lively healthy hale hearty sound whole intact tidy neat correct right accurate exact truthful proper
ordinary steady stable calm peaceful cheerful mended spotless immaculate pristine spick span shipshape trim
dandy rosy tiptop tip-top top-notch perfect ideal excellent splendid superb solid robust strong sturdy firm
reliable dependable trustworthy faithful punctual obedient docile tame meek cooperative responsive alert
awake alive vivid fluid fluent supple limber unlocked unblocked usable useable wholesome potable drinkable
pure sterile hygienic legible readable audible healed cured flawless faultless seamless sane sober tranquil
serene placid settled uneventful unremarkable effortless painless zippy nippy agile spry perky chipper
sprightly fighting unclouded unclogged unjammed unstuck functional operational complete consistent prime
toned thriving straightforward orderly organised blameless presentable navigable passable roadworthy
seaworthy airworthy watertight leakproof leak-free fault-free bug-free symptom-free congestion-free jam-free
queue-free lag-free ad-free recovered rested refreshed recharged restocked replenished topped stocked
staffed synchronised synced aligned calibrated tuned oiled greased polished primed charged
"""
_DEEDS = """
behave cooperate obey comply oblige purr hum tick glide whirr whir flow stream pour swing spring greet smile
chirp respond thrive flourish prosper bloom blossom revive rally mend heal awaken waken wake stir dance
march cruise breeze zip whizz whiz fly soar sparkle shine gleam glow beam tally balance square correspond
coincide sync align jive gel unlock recognise recognize obey arrive reappear emerge connect slumber snooze
doze resume restart recover rebound sing warble trot canter gallop roll hustle bustle whistle settle match
agree fit land twinkle flash blink brighten rejoice frolic sail whoosh zoom dash excel succeed reopen
revolve
"""
"""Verbs that are good news of a thing whatever follows them."""
_CAME = """
come spring swing snap turn wake settle calm clear pick perk brighten open light fall drop click slot rise
sort straighten catch go tick hum whirr swing get find make
"""
"""Verbs that are good news with a word of ``_ROUND`` after them ("the gates have come round")."""
_ROUND = "round around alive right good together through aside along up open"
_INTO = """
order trim shape form fettle nick gear sync tune step stride swing rhythm harmony health normality normalcy
calm peace balance action life strength vigour vitality clockwork charm dream breeze song feet footing
senses manners tongue voice wits spirits alignment agreement accord unison concert tandem bloom flow flower
prime places grips parity spirit mettle marbles composure poise groove beat pace speed tempo
"""
"""What something is in, at or comes to that goes well ("in working trim", "come to its senses")."""
_LEADS = "in at on with like to into its their old back of"
_PAIRS = """
straight-away right-away at-once on-time in-time no-time on-cue on-demand on-command at-ease by-return to-spec
to-plan to-rights in-seconds within-seconds in-moments within-moments first-time every-time per-plan for-good
of-old to-schedule to-timetable to-standard up-scratch to-scratch up-par to-par up-speed to-speed up-snuff
to-order on-form on-song on-point on-target on-track on-course on-stream on-tap in-time
"""
"""Two words that tell of a good state together."""
_CUES = "finally anew afresh"
"""What tells of an end reached, with a verb in the perfect."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _forms(text: str) -> frozenset[str]:
    forms = (inflect(lemma) for lemma in text.split())
    return frozenset(word for form in forms for word in (form.base, form.third, form.gerund, *form.past))


@lru_cache(maxsize=1)
def manners() -> frozenset[str]:
    """Return adverbs of what goes well."""
    return _words(_MANNERS)


@lru_cache(maxsize=1)
def kinds() -> frozenset[str]:
    """Return adjectives of what is in a good state."""
    return _words(_KINDS)


@lru_cache(maxsize=1)
def deeds() -> frozenset[str]:
    """Return all forms of the verbs that are good news of a thing."""
    return _forms(_DEEDS)


@lru_cache(maxsize=1)
def turns() -> tuple[frozenset[str], frozenset[str]]:
    """Return all forms of the verbs that are good news with some word after them, and those words."""
    return _forms(_CAME), _words(_ROUND)


@lru_cache(maxsize=1)
def conditions() -> tuple[frozenset[str], frozenset[str]]:
    """Return the nouns of good condition, and the words that stand before one that is meant so."""
    return _words(_INTO), _words(_LEADS)


@lru_cache(maxsize=1)
def bright_words() -> frozenset[str]:
    """Return every word without which no clause is read as bright."""
    came, _ = turns()
    nouns, _ = conditions()
    last = frozenset(second for _, second in pairs())
    return manners() | kinds() | deeds() | came | nouns | last | _words(_CUES) | {"since"}


@lru_cache(maxsize=1)
def pairs() -> frozenset[tuple[str, str]]:
    """Return the pairs of words that tell of a good state together."""
    split = (item.rpartition("-") for item in _PAIRS.split())
    return frozenset((first, second) for first, _, second in split)


@lru_cache(maxsize=1)
def cues() -> frozenset[str]:
    """Return what tells of an end reached, with a verb in the perfect."""
    return _words(_CUES)
