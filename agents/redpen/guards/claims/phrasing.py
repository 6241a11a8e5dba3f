"""Claims made by the phrases of the tables."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from types import MappingProxyType

from redpen.guards.claims import tags as t
from redpen.guards.claims.blamed_elsewhere import is_blamed_elsewhere
from redpen.guards.claims.clauses import determined, habitual, has, head_of_subject
from redpen.guards.claims.content import is_content
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import stem
from redpen.guards.claims.other_senses import entangled, is_bought, is_no_charge_yet, relates_elsewhere
from redpen.guards.claims.patterns import CLAUSE_MARKS, Match, Table, clause_around
from redpen.guards.claims.phrases import PHRASES, Phrase
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.reassurance import denied_harm
from redpen.guards.claims.resolution import claims_of
from redpen.guards.claims.scope import Reach, reach, relative_before
from redpen.guards.claims.statements import Statement, any_such, state
from redpen.guards.claims.sworn import is_of_news, is_only_timed, is_planned, is_sworn_besides

_PHRASES = Table((phrase, phrase.pattern) for phrase in PHRASES)
_SAYS = MappingProxyType(
    {
        "resolution": "the incident or a part of it is over",
        "guarantee": "something is certain",
        "reassurance": "nobody needs to worry",
        "cause": "this is the cause",
        "commitment": "customers are given something",
        "liability": "we are at fault",
    }
)
_KINDS = (
    ("refund", "refund reimburse repay money back recredit"),
    ("credit", "credit"),
    ("compensation", "compensate recompense remunerate indemnity damages restitution amends goodwill make"),
    ("waiver", "waive waiver forgo forgive charge cost fee free complimentary bill"),
    ("discount", "discount rebate voucher coupon cashback gift"),
)
KIND_OF = MappingProxyType({stem(word): kind for kind, words in _KINDS for word in words.split()})
"""What kind of commitment a word, by its stem, is about."""
OF_ANY_KIND = frozenset(map(stem, "money back make charge cost fee free bill gift".split()))
"""Words of that table that stand in promises of other kinds too."""
_PROMISE = frozenset(
    "will 'll shall offer offering receive get given give entitled eligible issue issuing issued provide "
    "provided qualify granted apply applied automatically promise owe owed due process processed enjoy "
    "extend".split()
)
_ABOUT = frozenset("about regarding concerning over".split())
_ASKED = frozenset("ask asking asked question questions request requests contact write".split())
_ABOUT_GIVING = frozenset(
    "policy policies page pages question questions request requests rule rules form forms desk team process "
    "terms enquiry enquiries query queries guide article section options".split()
)
"""What "refund" and the like may stand before without anything being given."""
_AIMS = frozenset("towards toward for until pending before to off".split())
_NOT_ONLY = frozenset("only just merely doubt longer".split())
_DENIALS = frozenset(("not", "no", "never"))
_RELATES = frozenset("who whose which if when where unless".split())
"""Words after which a denial tells who gets something, or when, and not that nobody does."""
_MATTERS = frozenset("matter question subject topic case task job".split())
"""What something given is that is only spoken of ("refunds are a matter for our shop")."""
_FINITE = t.BE | t.HAVE | t.WILL | t.DO | t.CAN | t.MAY
_HAVE_CREDIT = frozenset(
    "card cards limit limits line lines check checks score scores union unions bureau".split()
)
"""Things named after credit that nobody is given."""
_CASES = frozenset("if when once whenever while because".split())
_GIFTS = frozenset(("discount", "gift"))
_SUBJECT = t.PRONOUN | t.DETERMINER | t.AGENT
_OCCASIONS = frozenset(("when", "whenever", "while", "where", "who", "whose"))
"""What begins a clause after a phrase that has no say in what it means."""
_WAYS = frozenset("ways way how options option possibilities whether".split())
_WISHES = frozenset("wish love like want could would 'd".split())
_BELONGS = frozenset("lies rests falls sits lands belongs stops ends".split())
"""Verbs that make a clause of a noun of blame ("the fault for it *lies* with us")."""
_WISH = 3
_FAULTS = frozenset("fault error failure mistake doing".split())
_NEAR = 8
_VERB_NEAR = 4


def _denied_before(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a negation in the same clause denies the phrase."""
    words, tags = sentence.words, sentence.tags
    aside = match.start
    for at in range(match.start - 1, max(-1, match.start - _NEAR - 1), -1):
        word, tag = words[at], tags[at]
        if at >= aside:
            continue
        if word in CLAUSE_MARKS or word == "and" or tag & t.BUT:
            break
        if tag & _FINITE and (begin := relative_before(sentence, at - 1, at - _NEAR)) >= 0:
            aside = begin
            continue
        if tag & (t.NOT | t.NO) and word not in ("without", "far"):
            return words[at + 1] not in _NOT_ONLY
        if word in ("read", "construed", "understood") and words[at + 1] == "as":
            return any(tags[k] & t.NO or words[k] in ("not", "nothing") for k in range(at))
        rather = word == "otherwise" or (word == "than" and words[at - 1 : at] == ["rather"])
        able = not _ABLE.isdisjoint(words[at + 1 : match.start])
        rather = rather or (word == "than" and able and not _BEYOND.isdisjoint(words[at - 1 : at]))
        if rather or word in ("avoid", "avoiding", "whether", "if"):
            return True
    return not _DENIALS.isdisjoint(words[match.start : match.end])


def _denied_after(sentence: Sentence, end: int, *, far: bool) -> bool:
    """Whether the verb of the phrase itself denies it ("refunds are not decided")."""
    words, tags = sentence.words, sentence.tags
    if end < len(words) and words[end] in ("nothing", "none", "no", "neither"):
        return True
    for at in range(end - 1, min(end + _VERB_NEAR, len(words) - 1)):
        if words[at] in CLAUSE_MARKS or tags[at] & (t.AND | t.BUT) or words[at] in _RELATES:
            return False
        if tags[at] & (t.BE | t.HAVE | t.DO | t.CAN | t.WILL) and words[at + 1] == "not":
            return True
        if tags[at] & (t.BE | t.MAY) and _faulted(sentence, at + 1):
            return True
        if at >= end and not (far or tags[at] & t.ADVERB):
            return False
    return False


def _faulted(sentence: Sentence, at: int) -> bool:
    """Whether what stands at ``at`` finds fault with saying so ("would be premature", "is out of place")."""
    words, tags = sentence.words, sentence.tags
    at += words[at] == "be"
    if at < len(tags) and tags[at] & t.NOT:
        return True
    return words[at : at + 2] == ["out", "of"] and not _AMISS.isdisjoint(words[at + 2 : at + 3])


def _is_subject(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a verb of the phrase is the subject of another ("promising a time would be unfair")."""
    words, tags, start = sentence.words, sentence.tags, match.start
    tag = tags[start]
    if not tag & t.GERUND or tag & t.PAST or (start and words[start - 1] not in CLAUSE_MARKS):
        return False
    end = next((at for at in range(match.end, len(words)) if words[at] in CLAUSE_MARKS), len(words))
    return any(tags[at] & _FINITE for at in range(match.end, end))


def _wished(sentence: Sentence, match: Match[Phrase], statement: Statement) -> bool:
    """Whether what is promised is only wished or looked for ("we would love to promise a time")."""
    words, start = sentence.words, match.start
    if match.row.family not in ("guarantee", "commitment"):
        return False
    before = words[max(0, start - _WISH) : start]
    if "to" in before[-1:] and not _WAYS.isdisjoint(before):
        return True
    wish = match.row.family == "guarantee" and not _WISHES.isdisjoint(words[max(0, start - _NEAR) : start])
    return wish and statement.group.mood in ("aim", "possible")


def _taken_back(sentence: Sentence, match: Match[Phrase], statement: Statement) -> bool:
    """Whether negation, condition, hedge or what follows take the phrase back."""
    phrase, reached = match.row, statement.reach
    if phrase.use == "word" and (
        _is_subject(sentence, match)
        or _wished(sentence, match, statement)
        or _left_open(sentence, match)
        or reached.negated
        or _denied_before(sentence, match)
        or _denied_after(sentence, match.end, far=phrase.family in _FAR or determined(sentence, match.start))
    ):
        return True
    if phrase.family == "resolution":
        aimed = not _AIMS.isdisjoint(sentence.words[max(0, match.start - 3) : match.start])
        unreached = aimed or statement.group.mood in ("under_way", "possible")
        unreached = unreached or has(sentence, (match.end, match.end + _VERB_NEAR), t.HEDGE | t.MAY | t.WILL)
        return reached.hedged or (phrase.use == "word" and unreached)
    if phrase.family == "guarantee" and reached.hedged and has(sentence, (match.start, match.end), t.WILL):
        return True
    return is_of_news(sentence, match)


def _left_open(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a deadline is only planned, or a fault only possible."""
    if match.row.family == "guarantee":
        return match.row.pattern == "at the latest" and is_planned(sentence, match.start)
    within = sentence.words[match.start : match.end]
    return match.row.family == "liability" and not _MAY.isdisjoint(within)


def _only_supposed(sentence: Sentence, match: Match[Phrase], reached: Reach) -> bool:
    """Whether the condition of a commitment stands in a clause of its own ("if it is late, we pay")."""
    if reached.supposed:
        return True
    words, tags = sentence.words, sentence.tags
    for at in range(match.head - 1, -1, -1):
        if tags[at] & (t.CONDITION | t.HARD_CONDITION) and words[at] != "whether":
            return "," in words[at : match.head] and not sentence.question
    return False


def _kind(sentence: Sentence, match: Match[Phrase]) -> frozenset[str]:
    """Return what kinds of commitment the phrase is about."""
    stems = list(map(stem, sentence.words[match.start : match.end]))
    named = frozenset(KIND_OF[item] for item in stems if item in KIND_OF and item not in OF_ANY_KIND)
    if named or match.row.kind:
        return named or frozenset((match.row.kind,))
    return frozenset(KIND_OF[item] for item in stems if item in KIND_OF) or frozenset(("compensation",))


_MAY = frozenset(("may", "might", "could"))
_FAR = frozenset(("commitment", "resolution"))
"""Families whose phrases may stand far before the verb that denies them."""
_BEYOND = frozenset("more further other greater".split())
_ABLE = frozenset("can could may might dare".split())
_AMISS = frozenset(("place", "order", "bounds", "turn", "question"))
"""What something is out of that had better not be said."""
_COSTS = frozenset("expense expenses cost costs".split())
_CALLS = frozenset("call calls number line hotline".split())


def _only_mentioned(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether the sentence speaks of a refund and the like and does not promise one."""
    begin, end = match.start, match.end
    while begin > 0 and sentence.words[begin - 1] not in CLAUSE_MARKS:
        begin -= 1
    while end < len(sentence.words) and sentence.words[end] not in CLAUSE_MARKS:
        end += 1
    words, tags = sentence.words[begin:end], sentence.tags[begin:end]
    before = sentence.words[max(begin, match.start - 2) : match.start]
    if not _ABOUT.isdisjoint(before) or ("for" in before and not _ASKED.isdisjoint(words)):
        return True
    if "our" in words and not _COSTS.isdisjoint(sentence.words[match.start : match.end]):
        # What is done at our expense is given by being done.
        return False
    if _names_page(sentence, match) or (not match.start - begin and not _MATTERS.isdisjoint(words)):
        return True
    is_free = (
        match.start > 0 and words[match.start - begin] == "free" and tags[match.start - begin - 1] & t.BE
    )
    if is_free and _CALLS.isdisjoint(words):
        # "Support is free of charge" promises it; of a call it only says what calls cost.
        return False
    late = any(tag & (t.BAD | t.HINDERS) for tag in sentence.tags[match.end : end])
    if sentence.tags[match.start] & t.THIRD and late:
        return True
    acts = sentence.tags[match.start] & t.ANY_FORM and any(
        word in ("we", "you") or tag & (t.BE | t.BEEN) for word, tag in zip(words, tags, strict=True)
    )
    done = sentence.tags[match.end - 1] & t.PAST or sentence.words[match.end - 1].endswith("ed")
    passive = has(sentence, (match.start, match.end), t.BE | t.BEEN) and done
    freely = match.row.kind == "waiver" and (
        any(tag & _FINITE for tag in tags) or (begin > 0 and (begin, end) == (match.start, match.end))
    )
    freely = freely and _ASKED.isdisjoint(words) and _CALLS.isdisjoint(words)
    on_its_way = any(way in " ".join(words) for way in ("on its way", "on their way"))
    return _PROMISE.isdisjoint(words) and not (acts or passive or on_its_way or freely)


def _names_page(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether the word of the phrase only tells what a page, rule or question is about ("refund policy")."""
    return not _ABOUT_GIVING.isdisjoint(sentence.words[match.end : match.end + 1])


def _names_card(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether the "credit" of the phrase only describes the noun after it ("the credit card")."""
    words = sentence.words
    return any(
        words[at] == "credit" and not _HAVE_CREDIT.isdisjoint(words[at + 1 : at + 2])
        for at in range(match.start, match.end)
    )


def _is_part_of_name(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a noun of guarantee or fault only tells the kind of the noun after it ("the warranty page")."""
    words, tags, end = sentence.words, sentence.tags, match.end
    if match.row.family not in ("guarantee", "liability") or end >= len(words):
        return False
    if not is_content(words[end], tags[end]) or tags[end] & (t.PAST | t.ADVERB) or words[end].endswith("ed"):
        return False
    if match.row.family == "liability":
        return words[end - 1] in _FAULTS
    before = tags[match.start - 1] if match.start else 0
    named = (
        not match.start or words[match.start - 1] in CLAUSE_MARKS or before & (t.DETERMINER | t.PREPOSITION)
    )
    return bool(named) and end - match.start == 1


def _moves(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether "back" only says where something is put ("we put them back into the queue")."""
    words, end = sentence.words, match.end
    if match.row.family != "resolution":
        return False
    if words[end - 1] != "back" or words[end : end + 1] not in (["into"], ["onto"], ["in"], ["on"]):
        return False
    return bool(end + 1 < len(words) and sentence.tags[end + 1] & t.DETERMINER)


@cache
def _others(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _has_another_sense(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether the words of the phrase stand in another sense than that of their row."""
    phrase = match.row
    if phrase.unless:
        begin, end = clause_around(sentence.words, sentence.tags, match.start, match.end)
        end = next((at for at in range(match.end, end) if sentence.words[at] in _OCCASIONS), end)
        if not _others(phrase.unless).isdisjoint(sentence.words[begin:end]):
            return True
    if entangled(sentence, match.start, match.end) or _crosses(sentence, match):
        return True
    if is_blamed_elsewhere(sentence, match):
        return True
    if match.row.family == "resolution" and relates_elsewhere(sentence, match.start):
        return True
    if match.row.family == "commitment" and (
        is_bought(sentence, match.end) or is_no_charge_yet(sentence, match.start, match.end)
    ):
        return True
    return _names_card(sentence, match) or _moves(sentence, match) or _is_part_of_name(sentence, match)


def _crosses(sentence: Sentence, match: Match[Phrase]) -> bool:
    """Whether a commitment is made up of words on both sides of a condition ("a line when we have more")."""
    return match.row.kind in _GIFTS and any(
        sentence.words[at] in _CASES and sentence.tags[at + 1] & _SUBJECT
        for at in range(match.start + 1, match.end - 1)
    )


def _claims(sentence: Sentence, match: Match[Phrase]) -> Iterator[Claim]:
    if _has_another_sense(sentence, match):
        return
    statement = state(sentence, match.head)
    if match.row.use in ("state", "copula", "done"):
        yield from _stated(sentence, match, statement)
    elif match.row.use != "denied" or denied_harm(sentence, match.start):
        yield from _said(sentence, match, statement)


def _stated(sentence: Sentence, match: Match[Phrase], statement: Statement) -> Iterator[Claim]:
    """Yield the claim of a phrase that is judged by its verb group."""
    use, group = match.row.use, statement.group
    if use == "done" and habitual(sentence, group.start, match.head):
        return
    remote = use == "copula" and has(sentence, head_of_subject(sentence, group.start), t.REMOTE)
    if use != "copula" or (group.finite and not remote):
        yield from claims_of(sentence, statement, match.start, match.end - 1)


def _said(sentence: Sentence, match: Match[Phrase], statement: Statement) -> Iterator[Claim]:
    """Yield the claim of a phrase that is said unless something takes it back."""
    family = match.row.family
    if match.row.use == "word" and any_such(sentence, statement.group.start):
        return
    reached = statement.reach
    words, tags = sentence.words[match.start : match.end], sentence.tags[match.start : match.end]
    own = any(tag & _FINITE for tag in tags) or words[0] in ("we", "i") or is_sworn_besides(sentence, match)
    if own or not _BELONGS.isdisjoint(words):
        reached = reach(sentence, statement.group._replace(finite=True))
        statement = statement._replace(reach=reached)
    given = family in ("commitment", "liability")
    told = given and (reached.checked or _only_supposed(sentence, match, reached))
    told = told or is_only_timed(sentence, match)
    if (reached.conditional and not told) or _taken_back(sentence, match, statement):
        return
    start, end = sentence.span(match.start, match.end - 1)
    if family == "commitment":
        mention = _only_mentioned(sentence, match)
        yield Claim(family, start, end, _SAYS[family], _kind(sentence, match), mention)
    else:
        yield Claim(family, start, end, _SAYS[family])


def phrase_keys() -> frozenset[str]:
    """Return the words without which no phrase stands in a sentence."""
    return _PHRASES.keys


def find_phrased(sentence: Sentence) -> Iterator[Claim]:
    """Find the claims that phrases of the tables make in a sentence.

    Args:
        sentence: the sentence.

    Yields:
        Claims of any family but ``cause``; a commitment has its kinds as key.
    """
    for match in _PHRASES.find(sentence.words, sentence.tags, sentence.vocabulary):
        yield from _claims(sentence, match)
