"""Feats that nothing supports: someone of ours did something to what is affected ("crews tamed the main")."""

from __future__ import annotations

from collections.abc import Iterator

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
_TALK = stem("talk")
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


def find_feats(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end which tell of a feat of ours that nothing speaks of.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
    """
    if not sentence.mask & t.AGENT and _WORKERS.isdisjoint(sentence.vocabulary):
        return
    words, tags = sentence.words, sentence.tags
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
        if not persuades and (does in known.all or does in _HONEST_WORK or does in talk_stems()):
            continue
        upon = content(sentence, at + 1, end) & known.all
        if not _IT.isdisjoint(words[at + 1 : end]) or not upon <= talk_stems():
            yield start, end


def _is_ours(sentence: Sentence, start: int, verb: int) -> bool:
    """Whether someone at work on it is the subject of the clause that begins at ``start``."""
    if any(tag & t.AGENT for tag in sentence.tags[start:verb]):
        return True
    return not _WORKERS.isdisjoint(sentence.words[start:verb])
