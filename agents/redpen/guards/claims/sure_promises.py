"""Promises read by their parts: what is to come, or works, is said to be so every time or whatever happens.

"Your card will be accepted, every time" swears to nothing in so many words. It says that something will be
so, or works, and with it that there is no exception; either alone is no guarantee.
"""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.asides import is_asserted
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import inflect
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.statements import state
from redpen.guards.claims.told import clauses
from redpen.text.lazy_pattern import lazy_pattern

_SURE = "it will be so without exception"
_NO_MORE = "it will not happen again"
_WILL = frozenset("will 'll shall".split())
PROMISE_CUES = _WILL | frozenset("always every never fails works work bound guaranteed".split())
_TAIL = lazy_pattern(
    r"\b(?:(?:every|each)(?: (?:single|and every))? (?:time|try|attempt|occasion|one)"
    r"|(?:the|on the|at the) (?:very )?(?:next|first) (?:time|try|attempt|go|tap|click|call|visit|login)"
    r"|the (?:moment|minute|second|instant) (?:you|they|it|we)"
    r"|(?:from|as of) (?:now|here|today|then|this (?:moment|point)) on(?:wards?)?"
    r"|(?:ifs|buts)\b|in full|in time|in one piece|in no time|on the spot|on the dot|to the letter"
    r"|right away|straight away|at once|before long|before you know it|for (?:certain|sure|good)"
    r"|come what may|rain or shine|in any (?:case|event)|either way"
    r"|without (?:exception|fail|question|doubt|question|delay|a hitch|trouble|problems?)"
    r"|whatever|whichever|however|regardless|wherever"
    r"|always|invariably|unfailingly|ever after|instantly|immediately|promptly)\b"
)
"""What says that there is no exception to what is promised."""
_EVERY_TIME = lazy_pattern(
    r"^(?!.*\b(?:not|sometimes|may|if|unless)\b).*?"
    r"(?:\b(?:works?|succeeds?|opens?|loads?|goes through|gets through|is accepted|are accepted)"
    r"(?: (?:\w+ ){0,3})?(?: ?, )?(?:always|every (?:single )?time|each time|without fail|first time)$"
    r"|\b(?:never|can not|can never) (?:fails?|lets? you down|goes wrong|misses|drops out)$)"
)
_TALKED = frozenset(
    "update updates news notice notices note notes message messages mail email emails text texts call calls "
    "letter letters post posts banner page summary information answer answers reply replies report "
    "confirmation word reminder reminders alert alerts tell say write inform notify told informed notified "
    "hear contact announce announced know find ask asked".split()
)
"""Words of promises about news, which honest updates make."""
_CHARGED = frozenset(
    "fee fees charge charges cost penalty excused extended cancelled canceled rescheduled moved paused "
    "suspended closed checked reviewed examined asked needed required refused rejected declined".split()
)
"""Words of what is done about the trouble, or against it, and of money, which other rules read."""


def _forms(lemmas: str) -> frozenset[str]:
    forms = (inflect(lemma) for lemma in lemmas.split())
    return frozenset(word for form in forms for word in (form.base, form.third, form.gerund, *form.past))


_GETS = _forms(
    "get receive see have find reach arrive land come load open connect work run succeed complete clear "
    "accept process deliver credit approve show display update restore post pay honour fulfil send ship "
    "dispatch sync save count pass go return board leave depart pick answer scan print play start stand hold "
    "be keep stay finish fix repair solve resolve mend enter enjoy watch use book fly travel sail ride play"
)
"""What is promised."""
_RIGHT = frozenset(
    "right correct full whole complete accurate exact proper actual true real up-to-date current".split()
)
HIT = frozenset(
    "delayed late overdue stuck locked pending held queued missing failed stranded blocked frozen "
    "outstanding waiting postponed interrupted unsent undelivered unpaid lost broken faulty wrong declined "
    "rejected".split()
)
"""What is said of the things that the trouble has hit."""
_FAILING = _forms(
    "fail happen recur return reappear come reoccur occur see suffer experience face strike hit break crash "
    "stall stop freeze hang drop lose miss slip run repeat have get go be catch find meet endure wait "
    "time"
)
_FAILS = frozenset(
    "fail happen recur reappear reoccur break crash stall freeze hang time timeout drop strike".split()
)
"""Verbs of trouble that need no other word for it."""
_TROUBLE = t.BAD | t.PROBLEM | t.HINDERS | t.HARM | t.RECURS
_AGAIN = frozenset("again another more any anymore future repeat second ever after".split())
_EVER_AGAIN = frozenset("again anymore".split())
_LEFT_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION | t.MAY
_GOING = (["never", "going", "to"], ["not", "ever", "going"], ["never", "gonna"])
_RELATIVE = frozenset("when where which".split())
"""What opens a clause that tells more of what stands before it ("try again later, when it will succeed")."""
_MAX_TAIL = 8
_SHORTEST = 2


def find_sure_promises(sentence: Sentence) -> Iterator[Claim]:
    """Find the promises of a sentence that leave no exception.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``guarantee``.
    """
    if sentence.question:
        return
    words = sentence.words
    for start, end in clauses(sentence):
        at = next((k for k in range(start, end) if words[k] in _WILL), -1)
        if at >= 0 and end - at > 1:
            if _is_sure(sentence, start, at, end):
                yield Claim("guarantee", *sentence.span(at, end - 1), _SURE)
            elif _is_no_more(sentence, start, at, end) and is_asserted(sentence, at):
                yield Claim("guarantee", *sentence.span(at, end - 1), _NO_MORE)
        elif at < 0 and _is_never_going(sentence, start, end) and is_asserted(sentence, start):
            yield Claim("guarantee", *sentence.span(start, end - 1), _NO_MORE)
        elif at < 0 and _works_every_time(sentence, start, end):
            yield Claim("guarantee", *sentence.span(start, end - 1), _SURE)


def _is_sure(sentence: Sentence, start: int, at: int, end: int) -> bool:
    """Whether something good is promised from the word at ``at`` on, with no exception."""
    words, tags = sentence.words, sentence.tags
    if words[at + 1] in ("not", "never", "no"):
        return False
    verb = next((k for k in range(at + 1, end) if not tags[k] & (t.ADVERB | t.BEEN | t.HAVE)), -1)
    if verb < 0 or tags[verb] & (t.COMMUNICATES | t.NOT | t.NO):
        return False
    promised = words[at + 1 : end]
    if _GETS.isdisjoint(promised) or not _CHARGED.isdisjoint(promised):
        return False
    hit = not HIT.isdisjoint(words[start:at])
    if not _TALKED.isdisjoint(promised) or not (hit or _TALKED.isdisjoint(words[start:at])):
        return False
    ours = any(tag & t.AGENT for tag in tags[start:at])
    late = hit or not _RIGHT.isdisjoint(promised)
    tail = _TAIL.search(" ".join((*promised, *_after(sentence, end))))
    before = _TAIL.search(" ".join(words[max(0, start - _MAX_TAIL) : start])) if start else None
    related = words[start] in _RELATIVE and words[start - 1 : start] == [","] and at == start + _SHORTEST
    if not (tail or before or related or (late and not ours)):
        return False
    return state(sentence, verb).force == "promised" or bool(
        (tail or related) and _only_depends(sentence, verb)
    )


def _only_depends(sentence: Sentence, verb: int) -> bool:
    """Whether a promise is open only by an "ever" of its own ("wherever you shop")."""
    statement = state(sentence, verb)
    return statement.group.mood == "future" and not (statement.reach.negated or statement.reach.hedged)


def _after(sentence: Sentence, end: int) -> list[str]:
    """Return what follows a clause up to the next mark but one, where it has no verb of its own."""
    words, tags = sentence.words, sentence.tags
    if end >= len(words) or words[end] not in ",–—":
        return []
    stop = next((k for k in range(end + 1, len(words)) if words[k] in CLAUSE_MARKS), len(words))
    if stop - end > _MAX_TAIL or any(tag & (t.BE | t.WILL | t.MAY | t.CAN) for tag in tags[end:stop]):
        return []
    return words[end + 1 : stop]


def _is_no_more(sentence: Sentence, start: int, at: int, end: int) -> bool:
    """Whether trouble is said to be sure not to come again ("will never run this late again")."""
    words, tags = sentence.words, sentence.tags
    if not {"not", "never"} & set(words[at + 1 : at + 3]):
        return False
    after = words[at + 2 : end]
    if words[at + 1] == "never" and not _EVER_AGAIN.isdisjoint(after):
        aimed = any(words[k : k + 2] == ["so", "that"] for k in range(at))
        return not aimed and not any(tag & _LEFT_OPEN for tag in tags[start:end])
    if _AGAIN.isdisjoint(after) or _FAILING.isdisjoint(after) or not _CHARGED.isdisjoint(after):
        return False
    if _FAILS.isdisjoint(after) and not any(
        tag & _TROUBLE or words[k] in HIT for k, tag in enumerate(tags[at + 2 : end], at + 2)
    ):
        return False
    return not any(tag & _LEFT_OPEN for tag in tags[start:end])


def _is_never_going(sentence: Sentence, start: int, end: int) -> bool:
    """Whether something is never going to be so again."""
    words = sentence.words
    going = next((k for k in range(start, end) if words[k : k + 3] in _GOING), -1)
    if going < 0 or _EVER_AGAIN.isdisjoint(words[going:end]):
        return False
    return not any(tag & _LEFT_OPEN for tag in sentence.tags[start:end])


def _works_every_time(sentence: Sentence, start: int, end: int) -> bool:
    words = sentence.words
    if words[start] in ("please", "if", "when", "that"):
        return False
    return bool(
        _EVERY_TIME.search(" ".join((*words[start:end], ",", *_after(sentence, end))).removesuffix(" ,"))
    )
