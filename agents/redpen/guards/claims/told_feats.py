"""Feats that nothing supports: someone of ours did something to what is affected ("crews tamed the main")."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.talk_words import talk_stems
from redpen.guards.claims.told import Known, main_clauses, mask_of
from redpen.guards.claims.told_verbs import is_past, main_verb

_OPEN = t.HEDGE | t.MAY | t.HARD_CONDITION | t.NOT | t.NO | t.BEING | t.WILL
_IT = frozenset("it them this that these those everything all things".split())
_WORKERS = frozenset(
    "officers librarians electricians plumbers installers mechanics divers welders fitters "
    "planners handlers analysts drivers riggers joiners carpenters locksmiths gardeners rangers "
    "pilots captains nurses teachers tutors clerks porters wardens stewards ushers bakers cooks "
    "chefs printers machinists wiremen linesmen linemen signallers foremen builders roofers "
    "masons painters surveyors inspectors coders programmers testers admins administrators "
    "designers curators archivists chemists physicists scientists volunteers helpers "
    "contractors partners suppliers installer electrician plumber mechanic diver welder fitter "
    "locksmith analyst programmer".split()
)
"""Who may be at work on it besides those that are tagged so."""
_FEATS = """
coax tame conquer defeat beat outwit outsmart outfox wrestle wrangle subdue vanquish overcome overpower
master slay kill squash crush nail crack lick whip knock hammer beat wring squeeze tease nudge prod cajole
persuade sweeten charm woo flatter soothe calm pacify placate appease mollify tranquillise quiet silence
hush lull tuck revive resurrect resuscitate rouse awaken wake reawaken breathe blow pump inject jump-start
kick-start restart spark ignite kindle rekindle light nurse doctor heal cure mend darn stitch sew patch
splice weld solder glue plaster cobble hammer iron smooth straighten unbend untangle disentangle unravel
unpick unknot untie loosen unstick unblock unclog unjam free liberate release rescue save salvage retrieve
recover haul hoist heave pull drag fish dig wind whisk whittle pare trim slash chop mow mop sweep sponge
scrub scour polish clean cleanse dust flush rinse wash exorcise banish evict oust expel eject chase drive
hunt-down track-down smoke round-up herd corral shepherd gather marshal round tidy sort settle square
rectify remedy correct redress realign retune tune recalibrate calibrate reset oil grease lubricate service
refurbish overhaul restore reinstate renew refresh rejuvenate rebuild reconstruct reassemble remake re-lay
refit rewire resolder reseat reconnect plug stem staunch stanch dam bridge defuse disarm neutralise douse
extinguish snuff quench stamp put-out bury deal-with sew wrap tie button finish complete conclude crack
solve lift withdraw revoke rescind cancel-out dispel clear dispose dispatch-with eliminate eradicate
exterminate purge root uproot weed erase wipe undo reverse unwind convince reason bribe bully bend tempt
lure win teach school train drill discipline humble exhaust-out
"""
_TALK = stem("talk")
_FEAT_STEMS = frozenset(stem(word) for word in _FEATS.split() if "-" not in word) - frozenset(
    map(stem, "gather clean refresh".split())
)


_HONEST_WORK = frozenset(
    map(
        stem,
        "look examine inspect check investigate study review analyse trace test measure monitor "
        "watch gather collect compare ask call contact alert notify tell inform report raise "
        "escalate log record note open assign add join start begin launch commence hear see "
        "notice spot detect find identify narrow arrive reach travel go come visit attend "
        "dispatch send hire engage bring apologise regret thank appreciate understand write "
        "post publish prepare draft update print stock hand arrange organise set keep continue "
        "try attempt decide agree plan schedule request work wait comb sift probe scan read "
        "search dig delve pore scrutinise interview question consult involve invite summon page "
        "phone ring text email message mail warn advise recommend suggest promise hope believe "
        "think know learn discuss meet talk speak share list count estimate confirm receive get "
        "take pass forward direct refer rank prioritise extend offer give provide issue make "
        "put move isolate pause stop suspend close shut let leave hold stay stand remain serve "
        "help assist support accompany escort do have be use borrow lend replay reproduce "
        "recreate simulate order replace treat acknowledge recognise promote register file "
        "ticket rate class classify group mark label flag tag title name miss lose fail cause "
        "break forget".split(),
    )
)
"""What crews do while the trouble lasts, and what other rules read."""


def is_honest_work(lemma: str) -> bool:
    """Whether a verb, by its stem, tells what crews do while the trouble lasts."""
    return lemma in _HONEST_WORK or lemma in talk_stems()


def find_feats(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end which tell of a feat of ours that nothing speaks of.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
    """
    for feat in _of_ours(sentence):
        if not feat.persuades and (feat.does in known.all or feat.does not in _FEAT_STEMS):
            continue
        if feat.to_it or not feat.upon & known.all <= talk_stems():
            yield feat.place


class _Deed(NamedTuple):
    """What someone of ours did: where it is told, the stem of the verb, and what it was done to."""

    place: tuple[int, int]
    does: str
    persuades: bool
    to_it: bool
    upon: frozenset[str]


@lru_cache(maxsize=1024)
def _of_ours(sentence: Sentence) -> tuple[_Deed, ...]:
    """Return the deeds of ours that a sentence tells."""
    if not sentence.mask & t.AGENT and _WORKERS.isdisjoint(sentence.vocabulary):
        return ()
    words, tags = sentence.words, sentence.tags
    found = []
    for start, end in main_clauses(sentence):
        if mask_of(sentence, start, end) & _OPEN:
            continue
        verb, tense = main_verb(sentence, start, end)
        if tense not in ("perfect", "past") or not _is_ours(sentence, start, verb):
            continue
        at = next((k for k in range(verb, end) if is_past(words[k], tags[k])), -1)
        if at < 0 or tags[at] & (t.COMMUNICATES | t.BE) or any(tag & t.BEEN for tag in tags[verb:at]):
            continue
        does = stem(words[at])
        persuades = does == _TALK and at + 1 < end and bool(tags[at + 1] & t.DETERMINER)
        to_it = not _IT.isdisjoint(words[at + 1 : end])
        found.append(_Deed((start, end), does, persuades, to_it, content(sentence, at + 1, end)))
    return tuple(found)


def _is_ours(sentence: Sentence, start: int, verb: int) -> bool:
    """Whether someone at work on it is the subject of the clause that begins at ``start``."""
    if any(tag & t.AGENT for tag in sentence.tags[start:verb]):
        return True
    return not _WORKERS.isdisjoint(sentence.words[start:verb])
