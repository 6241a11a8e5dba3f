"""Claims that nothing was harmed and nothing needs fearing; and that it will never happen again."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import has
from redpen.guards.claims.found import Claim
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import reach, subject_words
from redpen.guards.claims.statements import state
from redpen.guards.claims.verbgroup import Group, verb_group

_ALSO_NOUNS = frozenset("access accesses copy copies view views download downloads".split())
_MAKES_HARM = frozenset(
    "unauthorised unauthorized illegal party outside external improper malicious could can did not ever or "
    "to will would unwanted foreign".split()
)
"""What stands before a word of reading and copying that is no noun for a thing that readers have."""
_KNOWING = frozenset(
    "know known say said confirm confirmed determine determined establish established certain sure clear "
    "rule ruled exclude excluded decide decided verify verified tell told conclude concluded guarantee "
    "promise assure whether if".split()
)
"""Words that turn a denial into a lack of knowledge ("not known that data was lost")."""
_NOT_ALL = frozenset(
    "all every everyone everything everybody only just merely simply yet longer doubt always".split()
)
_NEGATORS = frozenset("no none nothing neither nobody nor zero without not never free".split())
_AT_NO = frozenset("time point way means circumstances stage moment".split())
_UNTOLD = frozenset(
    "explanation answer reply decision estimate word date plan remedy workaround replacement solution fix "
    "cure theory clue explanations answers replies decisions estimates dates plans clues".split()
)
"""What there is none of for a harm that there is ("no explanation for the missing bookings")."""
_POSING = frozenset(
    "pose poses posed result resulted lead led involve involved cause caused present presented have had see "
    "seen saw find found suffer suffered create created represent experience experienced detect detected "
    "notice noticed in to of".split()
)
_ASKS = frozenset(("what", "why", "how"))
_CHECKED = frozenset("ensure ensuring sure checking verifying confirming investigating".split())
_KEPT = frozenset("kept keeps remain remains stay stays sits sit rests rest lies lie".split())
_COMES = frozenset(
    "go come see experience happen occur return happening occurring repeated arise strike fail break".split()
)
_NOT_TO_COME = frozenset("no nothing never not prevent prevents impossible".split())
REASSURANCE_ANCHORS = t.HARM | t.SAFE | t.GUARDED | t.RECURS | t.HINDERS
_PRICES = frozenset(
    "fee fees price prices rate rates fare fares charge charges deductible premium premiums tariff rent "
    "deadline deadlines date dates contract plan term terms notice".split()
)
_NEW_SUBJECT = frozenset("it they this since because as so otherwise".split())
"""What after a comma begins a clause that a negation before it does not reach."""
_MAX_WALK = 16
_MAX_NOUN_GAP = 4
_NEAR = 6
_VERY_NEAR = 2
_MOVES = frozenset(("come", "go", "return"))
_AGAIN_WITHIN = 8
_ALL = (["all"], ["every"], ["everyone"], ["everybody"])
"""What a denial before it leaves some of ("does not affect all passes")."""


def _negator(sentence: Sentence, index: int) -> int:
    """Return the negation that governs the harm at ``index``, or -1; denied knowledge is none."""
    words, tags = sentence.words, sentence.tags
    crossed = False
    for at in range(index - 1, max(-1, index - _MAX_WALK - 1), -1):
        word, tag = words[at], tags[at]
        if word in ("neither", "nor") and words[at + 1] in ("that", "whether"):
            # "We say neither that data was lost nor that it was not": what is denied is that we say so.
            return -1
        if word in _NEGATORS and (word != "free" or words[at + 1] in ("of", "from")):
            return -1 if words[at + 1] in _NOT_ALL else at
        if word in _ASKS and words[at - 1 : at] != ["of"]:
            return -1
        stops = word in CLAUSE_MARKS and (crossed or word != "," or words[at + 1] in _NEW_SUBJECT)
        if stops or word in _KNOWING or tag & (t.BUT | t.CONDITION | t.HARD_CONDITION):
            return -1
        if tag & t.AND and crossed and tags[at + 1] & (t.NUMBER | t.DETERMINER | t.PRONOUN | t.AGENT):
            return -1
        crossed = crossed or bool(tag & (t.BE | t.HAVE | t.DO | t.WILL))
    return -1


def _comes_true(sentence: Sentence, start: int, group: Group) -> bool:
    """Whether the denial that begins at ``start`` is stated, and not hoped for or checked."""
    # "While the estimate may change, no data was lost": the comma ends the clause before.
    begin = start if group.finite and _ends_clause(sentence, start - 1) else 0
    reached = reach(sentence, Group(group.mood, start, False, True, group.past), begin)
    before = sentence.words[max(0, start - _NEAR) : start]
    checked = not _CHECKED.isdisjoint(before) or before[-2:] == ["so", "that"]
    open_yet = reached.conditional or reached.hedged or reached.disclaimed
    return not (open_yet or group.mood == "possible" or checked)


def _ends_clause(sentence: Sentence, at: int) -> bool:
    """Whether the word at ``at`` is the comma after a clause with its own verb."""
    words, tags = sentence.words, sentence.tags
    if at < 1 or words[at] != ",":
        return False
    begin = next((place + 1 for place in range(at - 1, -1, -1) if words[place] in CLAUSE_MARKS), 0)
    return any(tag & (t.MAY | t.BE | t.HAVE | t.WILL) for tag in tags[begin:at])


def denied_harm(sentence: Sentence, index: int) -> bool:
    """Whether a negation states that what stands at ``index`` did not come about."""
    at = _negator(sentence, index)
    if at < 0:
        return False
    group = verb_group(sentence, index)
    return _comes_true(sentence, min(at, group.start), group)


def _governs_noun(sentence: Sentence, at: int, index: int) -> bool:
    """Whether the negation at ``at`` denies the noun at ``index`` itself, and not what stands between."""
    words, tags = sentence.words, sentence.tags
    between = range(at + 1, index)
    if words[at] in ("not", "never"):
        helping = t.DETERMINER | t.ADVERB | t.SENSITIVE | t.EVIDENCE | t.BEEN
        return all(words[k] in _POSING or tags[k] & helping for k in between)
    if words[at] in ("no", "zero", "without", "free"):
        apart = any(tags[k] & (t.PREPOSITION | t.BE) and words[k] != "of" for k in between)
        apart = apart or any(
            words[k] == "of" and not tags[k - 1] & (t.EVIDENCE | t.HARM | t.NO) for k in between
        )
        return not apart and len(between) <= _MAX_NOUN_GAP
    return words[at] != "nor" or not tags[at + 1] & (t.BE | t.HAVE | t.DO)


def _of_price(sentence: Sentence, index: int) -> bool:
    """Whether it is told of a price or a date that it stays as it is ("the monthly fee is not affected")."""
    begin, end = subject_words(sentence, verb_group(sentence, index).start)
    return sentence.words[index] == "affected" and not _PRICES.isdisjoint(sentence.words[begin:end])


def _means_no_harm(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` stands in a sense that is no harm, or only describes a noun."""
    words, tag = sentence.words, sentence.tags[index]
    if words[index] in ("cause", "reason") or _of_price(sentence, index):
        return True
    if words[index - 1] == "of" and tag & t.PAST and not tag & t.BASE:
        return True
    return words[index] in _ALSO_NOUNS and words[index - 1] not in _MAKES_HARM


def _no_harm(sentence: Sentence, index: int) -> bool:
    """Whether the word for harm at ``index`` is denied."""
    words, tags = sentence.words, sentence.tags
    at = _negator(sentence, index)
    if at < 0 or _means_no_harm(sentence, index) or words[index + 1 : index + 2] in _ALL:
        return False
    if words[at] == "no" and words[at + 1] in _UNTOLD:
        return False
    if words[at] == "no" and words[at + 1] in _AT_NO:
        return denied_harm(sentence, index)
    span = range(at + 1, index)
    elsewhere = any(words[k] == "and" and tags[k + 1] & t.PRONOUN for k in span)
    elsewhere = elsewhere or (words[at] == "nothing" and words[at + 1] in ("to", "for", "about"))
    if elsewhere or (words[index] == "hurt" and _is_proverb(sentence, index)):
        return False
    evidence = any(tags[k] & t.EVIDENCE for k in span)
    noun = not tags[index] & t.ANY_FORM or (tags[index] & t.BASE and not tags[index] & t.PAST)
    if noun and not evidence and not _governs_noun(sentence, at, index):
        return False
    group = verb_group(sentence, at if evidence else index)
    return _comes_true(sentence, min(at, group.start), group)


def _is_proverb(sentence: Sentence, index: int) -> bool:
    """Whether something is said to do no harm that nobody thought would ("a snack will not hurt")."""
    start = verb_group(sentence, index).start
    begin, end = subject_words(sentence, start)
    passive = has(sentence, (start, index), t.BE | t.BEEN)
    trouble = has(sentence, (begin, end), t.PROBLEM | t.PRONOUN)
    return not passive and begin < end and not trouble


def _is_safe(sentence: Sentence, index: int) -> bool:
    """Whether something worth keeping is said to be safe."""
    statement = state(sentence, index)
    if statement.force in ("denied", "open"):
        return False
    group = statement.group
    kept = not _KEPT.isdisjoint(sentence.words[max(0, index - _NEAR) : index])
    subject = subject_words(sentence, group.start)
    if not group.finite and group.start == index and not kept:
        return False
    if subject[0] == subject[1] or sentence.words[subject[0]] == "please":
        return False
    return bool(sentence.tags[index] & t.SAFE) or has(sentence, subject, t.SENSITIVE)


def _describes_noun(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` stands after another verb ("do not get *repeat* prescriptions")."""
    before = sentence.tags[index - 1] if index else 0
    doing = before & t.GERUND and index + 1 < len(sentence.words) and not sentence.tags[index + 1]
    return bool((before & t.BASE or doing) and not before & (t.DO | t.HAVE))


def _is_no_mark(word: str) -> bool:
    return word not in CLAUSE_MARKS


def _never_again(sentence: Sentence, index: int) -> bool:
    """Whether the verb at ``index`` says that it will not come again."""
    words = sentence.words
    after = list(takewhile(_is_no_mark, words[index + 1 : index + _AGAIN_WITHIN]))
    if not (sentence.tags[index] & t.RECURS or "again" in after or "back" in after):
        return False
    if _describes_noun(sentence, index):
        return False
    group = verb_group(sentence, index)
    yours = "you" in words[max(0, group.start - _VERY_NEAR) : group.start]
    if group.mood == "aim" or (yours and words[index] in _MOVES):
        return False
    so_far = words[index] in _MOVES and group.mood not in ("future", "possible")
    asked = group.start == index or sentence.tags[group.start] & t.DO
    done_to = sentence.tags[index + 1 : index + 2] and sentence.tags[index + 1] & t.DETERMINER
    if so_far or (asked and done_to):
        return False
    denied = group.negated or not _NOT_TO_COME.isdisjoint(words[max(0, group.start - _NEAR) : index])
    if not denied:
        return False
    if group.mood == "possible" and "can" in words[group.start : index]:
        group = group._replace(mood="stated")
    reached = reach(sentence, Group("stated", group.start, False, True, False))
    return not reached.negated and _comes_true(sentence, group.start, group)


def _will_never(sentence: Sentence, index: int) -> bool:
    """Whether the verb of failing at ``index`` is said to be sure not to come about."""
    group = verb_group(sentence, index)
    return group.mood == "future" and group.negated and _comes_true(sentence, group.start, group)


def find_reassurance(sentence: Sentence) -> Iterator[Claim]:
    """Find the claims of a sentence that all is safe, or that it will not happen again.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the families ``reassurance`` and ``guarantee``.
    """
    if not (sentence.mask & REASSURANCE_ANCHORS or not _COMES.isdisjoint(sentence.vocabulary)):
        return
    words = sentence.words
    tagged = enumerate(sentence.tags)
    for index, tag in [it for it in tagged if it[1] & REASSURANCE_ANCHORS or words[it[0]] in _COMES]:
        if tag & t.HARM and _no_harm(sentence, index):
            group = verb_group(sentence, index)
            spared = group.mood == "future" and group.negated
            yield _claim(sentence, index, "nothing was harmed", certain=spared)
        elif tag & (t.SAFE | t.GUARDED) and _is_safe(sentence, index):
            yield _claim(sentence, index, "something is safe", certain=False)
        elif tag & t.HINDERS and tag & t.BASE and _will_never(sentence, index):
            yield _claim(sentence, index, "it will not fail", certain=True)
        if (tag & t.RECURS or words[index] in _COMES) and _never_again(sentence, index):
            yield _claim(sentence, index, "it will not happen again", certain=True)


def _claim(sentence: Sentence, index: int, says: str, *, certain: bool) -> Claim:
    begin = verb_group(sentence, index).start
    at = _negator(sentence, index)
    if at >= 0:
        begin = min(begin, at)
    return Claim("guarantee" if certain else "reassurance", *sentence.span(begin, index), says)
