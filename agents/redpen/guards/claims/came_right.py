"""Good news of what is affected, read by its parts: what was late has gone out, the trouble has passed.

Each rule names a kind of subject (the trouble, what it has hit, where it shows) and what is said of such a
subject when all is well. Either alone is said in honest updates too.
"""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.asides import without_aside
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import inflect
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.sure_promises import HIT
from redpen.guards.claims.told import Known, clauses, mask_of
from redpen.guards.claims.told_states import affected
from redpen.guards.claims.told_verbs import is_past, main_verb
from redpen.text.lazy_pattern import lazy_pattern

_OPEN = t.MAY | t.CONDITION | t.HARD_CONDITION | t.BEING | t.WILL
_DENIES = frozenset("not never hardly scarcely barely nor neither unable".split())
_HEDGES = frozenset("expect expected hope hopes hoped estimate estimated plan plans aim attempted".split())


def _forms(lemmas: str) -> frozenset[str]:
    forms = (inflect(lemma) for lemma in lemmas.split())
    return frozenset(word for form in forms for word in (form.base, form.third, form.gerund, *form.past))


_PASSES = _forms(
    "pass vanish disappear dwindle fade melt evaporate subside ease lift cease stop end clear undo unblock "
    "smooth iron bury sort settle heal mend wane abate dissolve disperse quieten lessen peter die shrink "
    "drop fall halve recede dissipate slacken dry flush open empty shorten thin conquer beat fix repair "
    "solve resolve correct remedy sweep wipe shake overcome crack banish straighten absorb work tick see lay "
    "set put make clean weed root"
)
"""What becomes of trouble when it is over."""
_NEEDS_PARTICLE = _forms(
    "make put set lay see work tick sweep wipe shake open clean dry die peter iron sort fall drop"
)
"""Verbs of that kind that say so only with one of the words below after them."""
_CLOSINGS = frozenset(
    "closed settled ticked crossed signed done solved finished wrapped bed list archived shut concluded "
    "completed history over behind struck laid stood retired filed away more".split()
)
_PARTICLES = frozenset("up right off out away aside rest bed sharply steeply considerably markedly".split())
_OVER = lazy_pattern(
    r"\b(?:dead and (?:buried|gone)|over and done|done (?:and dusted|with)|a thing of the past|a rarity|rare"
    r"|history|ancient history|no longer (?:with us|there|an issue|a problem)|in the past|yesterday 's news"
    r"|a memory|out of the way|at an end|water under the bridge|late no (?:longer|more)|nowhere to be seen"
    r"|shorter(?: now)?$|much shorter|far shorter|back to nothing|down to (?:nothing|zero|a trickle))"
)
_QUEUES = frozenset(
    "queue queues lane lanes line lines backlog backlogs pile piles jam jams tailback tailbacks wait waits "
    "waiting bottleneck bottlenecks lag lags worst lockout lockouts mix-up mixup delay delays congestion "
    "disruption clog blockage blockages blockade hold-up hold-ups holdup gap gaps shortfall slowdown "
    "freeze".split()
)
_SHOWN = _forms(
    "ship depart leave arrive reach land deliver release open unlock clear process complete send dispatch "
    "issue replace correct settle confirm load update refresh approve accept validate reinstate unblock "
    "board sail berth dock catch recover retrieve reappear resurface go come hand get put pull move flow "
    "free unfreeze reconnect"
)
"""What what was late or stuck has done, or had done to it, when it is late no more."""
_AND_SO = frozenset(
    "right correct good proper true out over through off in up back aboard away right straight safely "
    "home".split()
)
_MOVES = _forms("replace go come hand get put pull move catch")
"""Verbs of that kind that say so only with one of the words above after them."""
_AS_EVER = lazy_pattern(
    r"\b(?:(?:just |exactly |precisely |much )?(?:as|the way|like) (?:it|they|you|we|he|she|people|everyone)"
    r" (?:always |ever |usually |normally )(?:did|do|does|have|has|had|was|were|is|are|would|could|worked"
    r"|looked|wrote)\b"
    r"|(?:just |exactly |precisely )(?:as|the way|like) (?:it|they|you) (?:did|could|was|were|had)\b"
    r"|in the (?:usual|normal|ordinary|customary|regular|familiar) (?:way|manner|fashion|place|order)"
    r"|at (?:its|their|the) (?:usual|normal|ordinary|customary|regular|full) "
    r"(?:pace|speed|level|levels|strength|volume|rhythm|pressure|rate)"
    r"|(?:its|their) (?:usual|old|normal) (?:self|selves)|as (?:easy|fast|quick|smooth|clear|good|simple"
    r"|quickly"
    r"|easily|smoothly|clearly|well) as (?:it |they )?(?:ever|always|before)"
    r"|(?:in|into) (?:its|their) (?:proper|right|usual|rightful|correct) places?"
    r"|where (?:it|they|each|everyone|students|you|readers"
    r"|customers)"
    r" (?:(?:really|actually|truly) (?:is|are)|belongs?|ought|should|expects?|left)\b)"
)
_MADE_UP = lazy_pattern(
    r"\b(?:made up (?:the |for )?(?:the )?(?:lost |missing )?(?:time|delay|ground|backlog)|(?:has"
    r"|have) (?:\w+ )?caught up(?! in)|gone the extra mile"
    r"|turned the corner|found (?:its|their) feet|won the (?:day|battle|race))\b"
)
_CLOSED = lazy_pattern(
    r"^(?:(?:is|are|has|have|can|now|been|be|already|finally|officially|hereby|at last|all) )+"
    r"(?:closed|settled|ticked off|crossed off|signed off|done|solved|finished|wrapped up|put to bed"
    r"|off (?:the|our) "
    r"(?:list|books|board)|archived|shut|concluded|completed|history|over|behind us|struck off"
    r"|laid to rest|in the past"
    r"|stood down|retired|filed away|put away|no more)\b"
)
_GATE = (
    _CLOSINGS
    | _QUEUES
    | HIT
    | frozenset(
        "as like way usual normal ordinary customary regular familiar full old proper right rightful ever "
        "always where caught made turned found ought should places".split()
    )
)
_MANY = 5
_BESIDES = frozenset(
    "desk desks counter counters phone phones hotline helpline office staff shop shops price prices fee fees "
    "update updates page banner please until instead by hand manually we i".split()
)
"""What goes on as ever in honest updates, and ways around."""


def find_came_right(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end in which what was in trouble has come right.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
    """
    if sentence.question or _GATE.isdisjoint(sentence.vocabulary):
        return
    sentence, places = without_aside(sentence)
    words = sentence.words
    for start, end in clauses(sentence):
        if _is_open(sentence, start, end) or not (_HEDGES | _DENIES).isdisjoint(words[start:end]):
            continue
        if _is_closed(sentence, start, end):
            yield places[start], places[end - 1] + 1
            continue
        # Reports reach us, and a price comes to so much.
        if "us" in words[start:end] or mask_of(sentence, start, end) & t.NUMBER:
            continue
        verb, tense = main_verb(sentence, start, end)
        if verb <= start or tense == "pluperfect" or _is_known(content(sentence, start, end), known):
            continue
        if (
            tense != "past"
            and (
                _trouble_has_gone(sentence, start, verb, end)
                or _hit_has_gone(sentence, start, verb, end, perfect=tense == "perfect")
            )
        ) or _is_as_ever(sentence, start, end, known):
            yield places[start], places[end - 1] + 1


def _is_open(sentence: Sentence, start: int, end: int) -> bool:
    """Whether a word leaves a clause open; "pending" of a thing does not."""
    if not mask_of(sentence, start, end) & _OPEN:
        return False
    words, tags = sentence.words, sentence.tags
    return any(
        tags[k] & _OPEN and not (words[k] in HIT and tags[k - 1] & (t.BE | t.BEEN | t.BEING | t.COPULAR))
        for k in range(start, end)
    )


def _is_known(stems: frozenset[str], known: Known) -> bool:
    """Whether one known sentence holds every word of a clause that has many."""
    return len(stems) >= _MANY and any(stems <= told.stems for told in known.sentences)


def _is_closed(sentence: Sentence, start: int, end: int) -> bool:
    """Whether an incident is said by its number to be closed ("LIFT-31 can be ticked off")."""
    words, tags = sentence.words, sentence.tags
    number = next((k for k in range(start + 1, min(end, start + 4)) if tags[k] & t.NUMBER), -1)
    if number < 0 or number + 2 >= end or not tags[number + 1] & (t.BE | t.HAVE | t.CAN):
        return False
    if any(tag & (t.DETERMINER | t.PREPOSITION) for tag in tags[start:number]):
        return False
    return bool(_CLOSED.search(" ".join(words[number + 1 : end])))


def _trouble_has_gone(sentence: Sentence, start: int, verb: int, end: int) -> bool:
    """Whether it is said of the trouble, or of where it shows, that it has passed."""
    words, tags = sentence.words, sentence.tags
    head = _head(sentence, start, verb)
    if (_QUEUES | HIT).isdisjoint(head) and not any(
        tag & t.PROBLEM for tag in tags[start : start + len(head)]
    ):
        return False
    if _OVER.search(" ".join(words[verb:end])):
        return True
    if not tags[verb] & t.HAVE:
        return False
    at = _participle(sentence, verb, end)
    if at < 0 or words[at] not in _PASSES:
        return False
    return words[at] not in _NEEDS_PARTICLE or not _PARTICLES.isdisjoint(words[at + 1 : end])


def _head(sentence: Sentence, start: int, verb: int) -> list[str]:
    """Return the words of a subject up to its first preposition."""
    words, tags = sentence.words, sentence.tags
    stop = next(
        (k for k in range(start + 1, verb) if tags[k] & t.PREPOSITION and not tags[k] & t.ADVERB), verb
    )
    return words[start:stop]


def _participle(sentence: Sentence, verb: int, end: int) -> int:
    words, tags = sentence.words, sentence.tags
    return next(
        (
            k
            for k in range(verb + 1, min(end, verb + 5))
            if is_past(words[k], tags[k]) and not tags[k] & t.BEEN
        ),
        -1,
    )


def _hit_has_gone(sentence: Sentence, start: int, verb: int, end: int, *, perfect: bool) -> bool:
    """Whether what was late or stuck is said to have gone out, come in or been opened."""
    words, tags = sentence.words, sentence.tags
    if not perfect or HIT.isdisjoint(words[start:verb]) or any(tag & t.AGENT for tag in tags[start:verb]):
        return False
    at = _participle(sentence, verb, end)
    if at > 0 and words[at] == "made" and "way" in words[at + 1 : at + 3]:
        return True
    if at < 0 or words[at] not in _SHOWN or not _BESIDES.isdisjoint(words[verb:end]):
        return False
    done_to = any(tag & t.BEEN for tag in tags[verb:at])
    if (
        not done_to
        and at + 1 < end
        and words[at] == "left"
        and not tags[at + 1] & (t.PREPOSITION | t.DETERMINER)
    ):
        return False
    return words[at] not in _MOVES or not _AND_SO.isdisjoint(words[at + 1 : at + 4])


def _is_as_ever(sentence: Sentence, start: int, end: int, known: Known) -> bool:
    """Whether something affected is said to be as it always was, or to have made up for the trouble."""
    words = sentence.words
    if mask_of(sentence, start, end) & (t.NO | t.PARTIAL) or not _BESIDES.isdisjoint(words[start:end]):
        return False
    told = " ".join(words[start:end])
    if not (_AS_EVER.search(told) or _MADE_UP.search(told)):
        return False
    return not content(sentence, start, end).isdisjoint(affected(known))
