"""Statements that the trouble was brought to its end: ended, repaired, a fix deployed, all of it done."""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.clauses import (
    clause_ends_after,
    determined,
    following,
    habitual,
    has,
    head_of_subject,
)
from redpen.guards.claims.content import is_content
from redpen.guards.claims.ended_senses import (
    goes_at_times,
    is_done_with,
    is_plural_object,
    names_what_goes_out,
)
from redpen.guards.claims.grammar import ATTRIBUTIVE_FIXED
from redpen.guards.claims.patterns import CLAUSE_MARKS
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.scope import subject_words
from redpen.guards.claims.statements import Statement, state
from redpen.guards.claims.told_trouble import is_trouble_word
from redpen.guards.claims.verbgroup import verb_group
from redpen.guards.claims.word_classes import WORD_CLASSES

_GIFTS = frozenset(WORD_CLASSES["perk"].split()) | {"refund", "refunds"}
"""What is received without the service being back."""
_STANDS_FOR_TROUBLE = frozenset("it this that which everything all".split())
_STANDS_FOR_WORK = frozenset("it this everything all we".split())
_OF_REPAIRS_ONLY = frozenset(
    "live effective complete finished successful deployed final conclusive total past".split()
)
_BROUGHT_ABOUT = frozenset("completed finished concluded executed made performed".split())
_LIGHT = frozenset(
    "roll rolls rolled put puts go goes went gone take takes took taken kick kicks kicked".split()
)
_COMPLETES = frozenset("out in into live effect hold place".split())
"""What makes a light verb one of putting in place ("roll out", "take effect")."""
_TURNS = frozenset(("gone", "past", "over"))
_TURNED_BAD = frozenset("dark quiet blank cold dead silent astray wrong haywire dry adrift awry bad".split())
"""What things are that have gone so."""
_CUT_SHORT = frozenset(
    "early short suddenly abruptly midway halfway partway prematurely unexpectedly dead".split()
)
"""How something stops that ought to go on."""
_MOVES = frozenset("come comes came coming get gets got getting".split())
_TRIES = frozenset("attempt try time go first every".split())
_GOES_SOMEWHERE = frozenset("to by missing through into over with public on via from under at".split())
"""What follows "gone" and "over" where they tell of a way and of no end ("we have gone through them")."""
_RETOLD = frozenset("told said heard thought assumed believed claimed informed".split())
"""Verbs before what somebody was made to believe ("some were told that bins had been emptied")."""
_HERALDS = frozenset(
    "report reports complaint complaints call calls question questions request requests".split()
)
"""What is received and answered while the trouble lasts."""
_TROUBLE_NOUNS = frozenset("impact impacts effect effects dip wobble disturbance storm drama wait".split())
_FILED = frozenset("case cases ticket tickets incidents requests".split())
"""What is kept in archives after it was resolved."""
_DOES_BY_ITSELF = frozenset("unlock unlocks reopen reopens reconnect reconnects".split())
"""What doors and devices do as a rule."""
_SHUT = frozenset(("closed", "settled"))
_LASTS = frozenset("stay stays stayed remain remains remained keep keeps kept".split())
_BEFORE_THIS = frozenset("earlier similar previous past".split())
_HARDLY = frozenset(
    "hard difficult tough twice double late slowly later several half third fourth fifth few bursts batches "
    "drips trickle trickles sometimes occasionally partly random chance luck".split()
)
_NEAR = 4
_OBJECT = 6
_FAR = 9


def _about_trouble(sentence: Sentence, statement: Statement, index: int) -> bool:
    """Whether subject or object of the predicate at ``index`` is the trouble itself."""
    words, tags = sentence.words, sentence.tags
    begin, end = subject_words(sentence, statement.group.start)
    if has(sentence, (begin, end), t.PROBLEM | t.BAD) or any(
        (word.endswith("ing") and is_trouble_word(word)) or word in _TROUBLE_NOUNS
        for word in words[begin:end]
    ):
        return True
    if end > begin and words[end - 1] in _STANDS_FOR_TROUBLE and statement.group.finite:
        return True
    for at in range(index + 1, min(len(words), index + _OBJECT)):
        if words[at] in CLAUSE_MARKS or tags[at] & (t.PREPOSITION | t.BE | t.HAVE):
            return False
        if tags[at] & (t.PROBLEM | t.BAD):
            return True
    return False


def ends(sentence: Sentence, index: int) -> Statement | None:
    """Read a verb of ending or repair."""
    another = _is_attribute if sentence.tags[index] & t.PAST else _is_noun
    if another(sentence, index) or _of_another(sentence, index):
        return None
    if _is_adjective(sentence, index):
        return None
    statement = state(sentence, index)
    as_a_rule = sentence.words[index] in _DOES_BY_ITSELF and habitual(sentence, statement.group.start, index)
    return None if as_a_rule else statement


def _is_adjective(sentence: Sentence, index: int) -> bool:
    """Whether the form at ``index`` is no verb, since a form of *be* stands before ("it is close")."""
    tag = sentence.tags[index]
    plain = tag & t.BASE and not tag & (t.PAST | t.FINE | t.HEALTHY)
    return bool(plain and index and sentence.words[index - 1] in ("is", "are", "was", "were"))


def _of_another(sentence: Sentence, index: int) -> bool:
    """Whether it is told of an earlier or like trouble ("a similar fault was fixed in March")."""
    words = sentence.words
    near = range(max(0, index - _OBJECT), min(len(words) - 1, index + _NEAR))
    return any(words[at] in ("a", "an") and words[at + 1] in _BEFORE_THIS for at in near)


def _is_attribute(sentence: Sentence, index: int) -> bool:
    """Whether the participle at ``index`` describes a noun ("resolved cases are listed")."""
    after = following(sentence, index)
    if sentence.words[index] == "fixed" and after in ATTRIBUTIVE_FIXED:
        return True
    if _describes_subject(sentence, index) or (determined(sentence, index) and _before_noun(sentence, index)):
        return True
    if _before_noun(sentence, index) and names_what_goes_out(sentence, index):
        return True
    return after in _FILED and not verb_group(sentence, index).finite


def _is_noun(sentence: Sentence, index: int) -> bool:
    """Whether the form at ``index`` is a noun and no verb ("the fix", "boarding passes arrive")."""
    words, tag = sentence.words, sentence.tags[index]
    if tag & t.THIRD and _is_plural(sentence, index):
        return True
    if not index or not tag & t.ANY_FORM:
        return False
    if tag & t.BASE and not tag & t.PAST and words[index - 1] == "'s":
        return True
    before = sentence.tags[index - 1]
    if tag & (t.BASE | t.THIRD) and before & (t.DETERMINER | t.NUMBER | t.PREPOSITION):
        return True
    return bool(tag & t.GERUND) and words[index - 1] in ("of", "for", "the")


def _before_noun(sentence: Sentence, index: int) -> bool:
    """Whether a noun follows, which the participle at ``index`` describes ("a corrected bill")."""
    after = sentence.words[index + 1 : index + 2]
    return bool(after) and is_content(after[0], sentence.tags[index + 1])


def _is_plural(sentence: Sentence, index: int) -> bool:
    """Whether the word at ``index`` is the plural of a noun ("boarding *passes* arrive")."""
    words, tags = sentence.words, sentence.tags
    if not index or words[index - 1] in CLAUSE_MARKS or tags[index - 1] & (t.PARTIAL | t.BUT):
        return True
    if words[index - 1].endswith("ing"):
        return True
    after = tags[index + 1] if index + 1 < len(tags) else 0
    return bool(
        after & (t.BE | t.HAVE | t.DO | t.WILL | t.CAN | t.MAY)
        or (after & t.BASE and not after & t.PREPOSITION)
    )


def _describes_subject(sentence: Sentence, index: int) -> bool:
    """Whether the participle at ``index`` begins the subject of a verb ("fixed charges are not")."""
    words, tags = sentence.words, sentence.tags
    if index and words[index - 1] not in CLAUSE_MARKS and not tags[index - 1] & (t.AND | t.BUT):
        return False
    for at in range(index + 1, min(len(words), index + _OBJECT)):
        if words[at] in CLAUSE_MARKS or tags[at] & (
            t.PREPOSITION | t.PRONOUN | t.DETERMINER | t.AND | t.ADVERB
        ):
            return False
        if tags[at] & (t.BE | t.HAVE | t.WILL | t.MAY | t.CAN | t.DO):
            return at > index + 1
    return False


def ends_trouble(sentence: Sentence, index: int) -> Statement | None:
    """Read a verb of ending that says so of troubles only ("the errors have stopped")."""
    statement = ends(sentence, index)
    if statement is None or not _about_trouble(sentence, statement, index):
        return None
    begin, end = subject_words(sentence, statement.group.start)
    if sentence.words[index] == "passes" and not has(sentence, (begin, end), t.PROBLEM):
        return None
    if following(sentence, index) in _CUT_SHORT and not has(sentence, (begin, end), t.PROBLEM | t.BAD):
        return None
    shut = sentence.words[index] in _SHUT and _shut_still(sentence, statement, index)
    if shut or _is_retold(sentence, statement, index):
        return None
    process = habitual(sentence, statement.group.start, index) and not clause_ends_after(sentence, index)
    if process and (sentence.tags[index] & t.PAST or goes_at_times(sentence, index)):
        return None
    attributive = determined(sentence, index) and not clause_ends_after(sentence, index)
    goes_on = _tag_after(sentence, index)
    onward = following(sentence, index).endswith("ing") and not goes_on & (t.BAD | t.HINDERS)
    return None if attributive or onward else statement


def _is_retold(sentence: Sentence, statement: Statement, index: int) -> bool:
    """Whether it is told what somebody was made to believe ("I was told that it had been emptied")."""
    words = sentence.words
    return "had" in words[statement.group.start : index] and not _RETOLD.isdisjoint(words[:index])


def _shut_still(sentence: Sentence, statement: Statement, index: int) -> bool:
    """Whether "closed" at ``index`` tells of a door that stays shut, and of no matter that is done with."""
    words, start = sentence.words, statement.group.start
    if not _LASTS.isdisjoint(words[start:index]) or following(sentence, index) in ("since", "until", "till"):
        return True
    if words[start - 1 : start] not in (["which"], ["that"]):
        return False
    antecedent = sentence.tags[max(0, start - _NEAR) : start - 1]
    return not any(tag & (t.PROBLEM | t.REPAIR) for tag in antecedent)


def _tag_after(sentence: Sentence, index: int) -> int:
    return sentence.tags[index + 1] if index + 1 < len(sentence.tags) else 0


def resumes(sentence: Sentence, index: int) -> Statement | None:
    """Read a verb of taking up again, said of a service."""
    statement = state(sentence, index)
    span = head_of_subject(sentence, statement.group.start)
    if habitual(sentence, statement.group.start, index) and not clause_ends_after(sentence, index):
        return None
    ours = has(sentence, span, t.AGENT | t.PROBLEM) and not has(sentence, span, t.PRONOUN)
    return None if ours else statement


def done(sentence: Sentence, index: int) -> Statement | None:
    """Read "over", "gone", "complete" and the like, said of troubles, repairs or everything."""
    words, tags = sentence.words, sentence.tags
    after = tags[index + 1] if index + 1 < len(tags) else 0
    if after & (t.NUMBER | t.DETERMINER | t.PRONOUN) or following(sentence, index) in _GOES_SOMEWHERE:
        return None
    named = tags[index] & t.PAST and determined(sentence, index) and _before_noun(sentence, index)
    if named or (words[index] == "done" and not is_done_with(sentence, index)):
        return None
    statement = state(sentence, index)
    if not statement.group.finite and not tags[index] & t.PAST:
        return None
    if _of_another(sentence, index) or (words[index] in _SHUT and _shut_still(sentence, statement, index)):
        return None
    begin, end = subject_words(sentence, statement.group.start)
    turned = words[index] in _TURNS and (after & t.BAD or following(sentence, index) in _TURNED_BAD)
    if has(sentence, (begin, end), t.REPAIR):
        return statement
    of_repairs = words[index] in _OF_REPAIRS_ONLY or (turned and not has(sentence, (begin, end), t.PROBLEM))
    of_all = end > begin and words[end - 1] in _STANDS_FOR_WORK
    said = not of_repairs and (of_all or _about_trouble(sentence, statement, index))
    return statement if said else None


def deploys(sentence: Sentence, index: int) -> Statement | None:
    """Read a verb of putting in place, or of success, said of a repair."""
    if sentence.tags[index] & t.GERUND or not sentence.mask & t.REPAIR:
        return None
    words = sentence.words
    if words[index] in _LIGHT and _COMPLETES.isdisjoint(words[index + 1 : index + _OBJECT]):
        return None
    statement = state(sentence, index)
    if has(sentence, subject_words(sentence, statement.group.start), t.REPAIR):
        return statement
    for at in range(index + 1, min(len(sentence.words), index + _OBJECT)):
        if sentence.words[at] in CLAUSE_MARKS:
            break
        if sentence.tags[at] & t.REPAIR:
            return statement
    return None


def remedies(sentence: Sentence, index: int) -> Statement | None:
    """Read that a remedy was carried out ("the index has been rebuilt", "the restart succeeded")."""
    words, tags = sentence.words, sentence.tags
    if tags[index] & t.PAST and not tags[index] & t.BASE:
        if determined(sentence, index) or following(sentence, index) == "off":
            return None
        if "too" in words[index + 1 : index + _OBJECT]:
            return None
        statement = state(sentence, index)
        return None if habitual(sentence, statement.group.start, index) else statement
    for at in range(index + 1, min(len(words), index + _OBJECT)):
        if words[at] in CLAUSE_MARKS or _new_clause(sentence, at):
            break
        if tags[at] & t.DONE or (tags[at] & t.DEPLOYS and tags[at] & t.PAST and not tags[at] & t.BASE):
            return state(sentence, at)
    for at in range(max(0, index - 3), index):
        if words[at] in _BROUGHT_ABOUT:
            return state(sentence, at)
    return None


def _new_clause(sentence: Sentence, at: int) -> bool:
    """Whether "and" at ``at`` begins a clause with a subject of its own."""
    return bool(sentence.tags[at] & t.AND and _tag_after(sentence, at) & (t.DETERMINER | t.PRONOUN | t.AGENT))


def achieves(sentence: Sentence, index: int) -> Statement | None:
    """Read that all of something was brought to its end, or will be ("all events have been delivered")."""
    words, tags = sentence.words, sentence.tags
    if is_plural_object(sentence, index):
        return None
    if not sentence.mask & t.UNIVERSAL or words[index] in _MOVES:
        return _succeeds(sentence, index)
    statement = state(sentence, index)
    group = statement.group
    span = head_of_subject(sentence, group.start)
    if not tags[index] & t.PAST and group.mood != "future":
        all_do = tags[index] & t.THIRD and has(sentence, span, t.UNIVERSAL)
        all_do = all_do and _GIFTS.isdisjoint(words[index + 1 : index + _FAR])
        return statement if all_do else _succeeds(sentence, index)
    if group.mood == "bare" or tags[index] & t.GERUND or "who" in words[span[0] : span[1]]:
        return None
    whole = (
        has(sentence, span, t.UNIVERSAL)
        or has(sentence, (index + 1, index + 4), t.UNIVERSAL)
        or any(word in ("all", "each", "both") for word in words[group.start : index])
    )
    shown = group.start and words[group.start - 1] == "as"
    if shown or (habitual(sentence, group.start, index) and not clause_ends_after(sentence, index)):
        return None
    paid_back = words[index + 1 : index + 3] in (["back", "to"], ["back", "on"])
    spared = paid_back or not _HERALDS.isdisjoint(words[span[0] : span[1]])
    spared = spared or (has(sentence, span, t.REMOTE | t.NO) and not has(sentence, span, t.PRONOUN))
    return statement if whole and not spared else None


def _by_way_of(sentence: Sentence, index: int) -> bool:
    """Whether "through" at ``index`` names a way ("through the secondary carrier")."""
    after = sentence.words[index + 1 : index + 5]
    way = bool(_tag_after(sentence, index) & (t.DETERMINER | t.NUMBER)) or following(
        sentence, index
    ).endswith("s")
    return way and _TRIES.isdisjoint(after)


def _is_reduced_relative(sentence: Sentence, index: int) -> bool:
    """Whether the participle at ``index`` describes the subject of a verb ("money sent on is late")."""
    words, tags = sentence.words, sentence.tags
    if not tags[index] & t.PAST or tags[index] & t.BASE or verb_group(sentence, index).finite:
        return False
    for at in range(index + 2, len(words)):
        if words[at] in CLAUSE_MARKS or tags[at] & (t.AND | t.BUT | t.COMPLEMENT | t.CONDITION):
            return False
        if tags[at] & (t.BE | t.HAVE | t.WILL | t.MAY | t.CAN | t.DO | t.THIRD):
            return True
    return False


def _barely(words: list[str], index: int) -> bool:
    """Whether it is hard, late or twice that something goes through."""
    before, after = words[max(0, index - _NEAR) : index], words[index + 2 : index + 2 + _NEAR]
    return not _HARDLY.isdisjoint((*before, *after))


def _succeeds(sentence: Sentence, index: int) -> Statement | None:
    """Read that something succeeds, without a word for only a part of it."""
    words = sentence.words
    passes = sentence.tags[index] & t.ANY_FORM and following(sentence, index) == "through"
    if not (passes or words[index].startswith("succeed")) or (passes and _by_way_of(sentence, index + 1)):
        return None
    if passes and (_is_reduced_relative(sentence, index) or _barely(words, index)):
        return None
    statement = state(sentence, index, at_work=True)
    start = statement.group.start
    span = subject_words(sentence, start)
    if span[0] == span[1] or has(sentence, span, t.PARTIAL | t.NUMBER | t.AGENT | t.PROBLEM | t.BAD):
        return None
    if statement.group.mood == "aim" and statement.reach.asserted and words[start - 1 : start] != ["to"]:
        return statement._replace(force="stated")
    return statement if statement.group.mood == "stated" else None
