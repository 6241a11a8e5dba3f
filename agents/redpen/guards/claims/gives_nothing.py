"""Clauses on money that give nobody anything: readers pay as ever, we cannot pay, waiting for it is hard.

A topic brings up money by a word, whoever pays. Something is given where readers pay less or nothing, or
where somebody pays for them. Where readers pay as ever or have paid, where it is denied that somebody else
pays, or where a word of money stands in another sense, nothing is.
"""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.benefit_kinds import forms
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import mask_of
from redpen.guards.claims.word_classes import WORD_CLASSES

_FEELS = frozenset(
    "know understand realise realize appreciate recognise recognize see imagine sympathise sympathize feel "
    "aware conscious acknowledge thank".split()
)
_US = frozenset(("we", "i"))
_THANKS = frozenset(("thanks", "thank"))
_GETS = (
    "~get ~receive ~give ~claim ~refund ~offer ~reimburse ~credit ~waive ~cover ~compensate ~grant ~hand "
    "~entitle eligible"
)
_WAITS = frozenset(
    "counting count relying rely waiting wait hoping depending depend banking planning".split()
)
_TURNS = frozenset(
    "without only just merely need needs needed must wait long late expire expires stand stands less fewer "
    "smaller limit limited forget miss lose losing leave leaves keep keeps hold end ends take takes taking "
    "took doubt longer worry worries concern fear empty hesitate stop stops more further small goes go went "
    "nothing fail fails refuse refused exception excluded left out".split()
)
"""Words beside which what is denied is no gift ("nobody goes without a voucher")."""
_PAID = frozenset("paid booked".split())
_OWN = frozenset("we us our ours i company house".split())
_CASH = frozenset("cash coins coin".split())
_CARRIES = "~bring ~carry ~have ~take ~pay ~accept ~need ~use ~board"
_BILLS = frozenset("bill bills invoice invoices statement statements".split())
_NEUTRAL = "~arrive ~appear ~show ~send ~display"
_STANDING = frozenset("pending due charged booked printed posted listed".split())
"""What is said of bills and charges that stand."""
_HELPING = frozenset("can could do does is are was were be been will would shall".split())
_HANDLING = (
    "~change ~accept ~process ~see ~show ~load ~open ~print ~read ~update ~display ~calculate ~quote ~check "
    "~verify ~find ~compute ~adjust ~reach ~list ~handle ~recognise"
)
"""What is done with payments and prices besides charging them."""
_BEARING = (
    "~cover ~bear ~absorb ~shoulder ~foot ~meet ~fund ~finance ~sponsor ~subsidise ~refund ~reimburse ~repay"
)
"""What we do with a cost for somebody, and readers never do."""
_LIMITS = frozenset(
    "again twice outside before until second elsewhere anyone anybody strangers advance otherwise another "
    "others privately directly caller callers nobody".split()
)
"""Words by which a request not to pay holds for some payments only."""
_HARD = frozenset(
    "hard difficult tough unpleasant annoying frustrating stressful worrying upsetting disappointing painful "
    "bad awful inconvenient tiresome unfair unacceptable wrong incorrect maddening exhausting distressing "
    "trying burdensome hurtful irritating vexing tedious dreadful horrible miserable unwelcome".split()
)
"""What is said of a state that nobody likes."""
_CHARGES = "~pay ~charge ~bill ~owe ~cost ~invoice ~debit ~apply"
_LESS = frozenset(
    "less half only just lower old cheaper reduced discount discounted nothing none zero later back next "
    "instead special child junior off free no not never without least most old previous former earlier "
    "already whatever january february march april may june july august september october november december "
    "until once us our ours company house".split()
)
"""Words by which readers pay less or later, or somebody else pays."""
_USUAL = frozenset("usual normal standard regular full ordinary posted printed listed".split())
_TIMELY = frozenset("time due usual".split())
_NOT_MONEY = {
    "cover": frozenset(
        "notice list report page shift colleague colleagues text update message note notes terms statement "
        "guide phones phone night morning map picture summary table statistics survey period story "
        "weekend rule rules".split()
    ),
    "free": frozenset(
        "slot slots space spaces dock docks bay bays agent agents colleague colleagues capacity operator "
        "operators lane lanes counter counters hands clerk clerks nurse nurses".split()
    ),
    "owe": frozenset(
        "reason reasons explanation explanations answer answers facts update updates word clarity truth "
        "honesty it thanks respect openness report".split()
    ),
    "cost": frozenset("time patience nerves effort sleep hours strength energy trust".split()),
}
"""Words beside which a word of money, by its base, speaks of none."""
_SENSES = {"cover": "~cover", "free": "free", "owe": "~owe", "cost": "~cost"}
_NO_MONEY = frozenset("phone phones call calls room rooms ticket tickets transport".split())
_ONLY = frozenset("only just one once half nothing".split())
_WHO = frozenset("who whose whom which that if unless".split())
_BETWEEN = t.ADVERB | t.BE | t.BEEN | t.BEING | t.DETERMINER
_PAYERS = frozenset("we i us our company airline shop bank".split())
_READERS = frozenset(
    "you customers passengers guests members users subscribers riders patients tenants".split()
)
_EARLY = 3
_NEAR = 4


def gives_nothing(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a clause that a commitment was read in gives nobody anything.

    Args:
        sentence: the sentence.
        begin: index of the first word of the clause.
        stop: index after its last.
    """
    return (
        _is_felt(sentence, begin, stop)
        or _is_bad(sentence, begin, stop)
        or _is_unable(sentence, begin, stop)
        or _is_asked(sentence, begin, stop)
        or _is_paid_as_ever(sentence, begin, stop)
        or _has_another_sense(sentence.words[begin:stop])
    )


def brings_up_nothing(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a clause that only brings up money denies a gift, or tells of bills and cash.

    Args:
        sentence: the sentence.
        begin: index of the first word of the clause.
        stop: index after its last.
    """
    held, mask = frozenset(sentence.words[begin:stop]), mask_of(sentence, begin, stop)
    if mask & (t.NOT | t.NO):
        return _is_denied(held, mask)
    if not forms(_GETS).isdisjoint(held) or not held.isdisjoint(_OWN):
        return False
    if not held.isdisjoint(_CASH) and "the" not in held and not held.isdisjoint(forms(_CARRIES)):
        return True
    billed = not held.isdisjoint(_charges() | _BILLS)
    stands = not held.isdisjoint(forms(_NEUTRAL) | _STANDING)
    return billed and stands and held.isdisjoint(_LESS) and held.isdisjoint(forms(_BEARING))


def _is_denied(held: frozenset[str], mask: int) -> bool:
    """Whether what is denied is that something is given, and not that it is charged."""
    if not _TURNS.isdisjoint(held):
        return False
    if mask & t.HAVE and not _PAID.isdisjoint(held):
        return held.isdisjoint(forms("~charge ~bill ~owe ~cost"))
    return not mask & t.WILL and held.isdisjoint(_charges())


def _is_felt(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a clause says that we know how readers fare ("we know that people are waiting to be paid")."""
    words, tags = sentence.words, sentence.tags
    early = words[begin : begin + _EARLY]
    if _is_waiting(words[begin:stop]):
        return not any(tag & t.WILL for tag in tags[begin:stop])
    ours = early[0] in _US and not _FEELS.isdisjoint(early)
    if not ours and early[0] not in _THANKS:
        return False
    for at in range(begin + 2, stop):
        if tags[at] & t.WILL or words[at] in _US:
            return False
        if tags[at] & t.CAN and words[at - 1] in ("you", "they", "everyone", "everybody"):
            return False
        if tags[at] & (t.NOT | t.NO) and not _charges().isdisjoint(words[at - 1 : at + 1 + _NEAR]):
            return False
    return forms(_GETS).isdisjoint(words[begin + 2 : stop]) and "free" not in words[begin:stop]


def _is_waiting(words: list[str]) -> bool:
    """Whether words name readers who wait for money or count on it, and say no more of them."""
    at = words.index("who") if "who" in words[: _NEAR + 1] else -1
    return at >= 0 and not _WAITS.isdisjoint(words[at + 1 : at + _NEAR]) and forms(_GETS).isdisjoint(words)


def _charges() -> frozenset[str]:
    return forms(_CHARGES) | forms(WORD_CLASSES["fee"])


def _is_bad(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a clause ends in something bad that is said of it ("waiting for money is hard")."""
    words, tags = sentence.words, sentence.tags
    if words[stop - 1] not in _HARD or any(tag & (t.NOT | t.NO) for tag in tags[begin:stop]):
        return False
    return any(tag & t.BE for tag in tags[max(begin, stop - 1 - _EARLY) : stop - 1])


def _is_unable(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether a clause denies that we pay, or says what cannot be done with payments and prices."""
    words, tags = sentence.words, sentence.tags
    for at in range(begin + 1, stop - 1):
        if words[at] in _WHO and words[at + 1] not in _US:
            return False
        if words[at] not in ("not", "never") or not (words[at - 1] in _HELPING or words[at - 1] in _US):
            continue
        after = next((words[k] for k in range(at + 1, stop) if not tags[k] & _BETWEEN), "")
        if after in forms(_HANDLING):
            return True
        if after in forms(_BEARING):
            return _READERS.isdisjoint(words[begin:stop])
        able = words[at - 1] in ("can", "could")
        return after in forms("~pay") and (able or not _PAYERS.isdisjoint(words[begin:at]))
    return False


def _is_asked(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether readers are asked not to pay again, elsewhere or to others."""
    words = sentence.words[begin:stop]
    while words[:1] in (["please"], ["so"], ["then"]):
        words = words[1:]
    told_not = words[:2] == ["do", "not"] or words[:2] == ["pay", "nobody"]
    return told_not and not _LIMITS.isdisjoint(words)


def _is_paid_as_ever(sentence: Sentence, begin: int, stop: int) -> bool:
    """Whether readers pay what they always pay, or have paid ("the usual fare applies")."""
    words, tags = sentence.words[begin:stop], sentence.tags[begin:stop]
    if not _WHO.isdisjoint(words[:_NEAR]):
        return False
    if not _LESS.isdisjoint(words) or not forms(_GETS).isdisjoint(words):
        return _has_paid_for(words, tags)
    if any(tag & (t.NOT | t.NO) for tag in tags):
        return _has_paid_for(words, tags)
    charged = not forms(_CHARGES).isdisjoint(words) or "due" in words
    if charged and not _USUAL.isdisjoint(words):
        return True
    pays = words[0] in _READERS and not forms("~pay").isdisjoint(words[1 : 1 + _NEAR + 1])
    means = any(
        word in ("by", "via", "with") or words[at : at + 2] == ["at", "the"] for at, word in enumerate(words)
    )
    return pays and (means or "have" in words[:_EARLY] or words[-1] in _TIMELY or _has_paid_for(words, tags))


def _has_paid_for(words: list[str], tags: list[int]) -> bool:
    """Whether a clause begins with readers who pay or have paid for something they want."""
    if words[0] not in _READERS or tags[1] & (t.WILL | t.CAN | t.MAY | t.NOT):
        return False
    at = next((k for k in range(1, min(len(words), _NEAR)) if words[k] in forms("~pay")), -1)
    if at < 0 or words[at + 1 : at + 2] not in (["for"], ["us"]):
        return False
    # "You pay for one and get two" gives one away.
    return forms(_GETS).isdisjoint(words) and _ONLY.isdisjoint(words)


def _has_another_sense(words: list[str]) -> bool:
    """Whether all words of money in a clause stand in another sense ("the list covers all depots")."""
    money = _money()
    other = frozenset().union(
        *(_NOT_MONEY[base] for base in _SENSES if forms(_SENSES[base]) & frozenset(words))
    )
    held = [word for word in words if word in money and word not in other]
    return (
        bool(held)
        and "us" not in words
        and all(
            any(word in forms(_SENSES[base]) and not _NOT_MONEY[base].isdisjoint(words) for base in _SENSES)
            for word in held
        )
    )


def _money() -> frozenset[str]:
    named = " ".join(WORD_CLASSES[name] for name in ("fee", "money", "perk", "expense"))
    verbs = " ".join(_SENSES.values())
    return (forms(named) | forms(f"{verbs} {_BEARING} ~pay ~charge ~waive ~give")) - _NO_MONEY
