"""Clauses that speak of money, gifts or promises without making one: undecided, warned of, felt with.

A row or a topic reads a commitment from a few words ("refund", "pay", "free month"). Three decisions tell
what stands around them: whether the clause says that nothing has been settled, whether it warns readers of
what others offer, and whether the money that it speaks of goes to nobody, see ``gives_nothing``.
"""

from __future__ import annotations

from redpen.guards.claims import tags as t
from redpen.guards.claims.benefit_kinds import forms
from redpen.guards.claims.found import Claim
from redpen.guards.claims.gives_nothing import brings_up_nothing, gives_nothing
from redpen.guards.claims.phrases import Family
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import clauses
from redpen.guards.claims.word_classes import WORD_CLASSES

GIVEN = "customers are given something, which nothing supports"
"""What a clause is read as that only brings up money, see ``told_topics``."""
_FAMILIES: frozenset[Family] = frozenset(("commitment", "guarantee", "resolution"))
_DENIES = frozenset("no not nothing never nobody none neither nor".split())
_SETTLING = (
    "~decide ~agree ~approve ~offer ~promise ~announce ~confirm ~grant ~authorise ~sanction ~propose "
    "~discuss ~determine ~clarify ~foresee ~commit ~undertake ~guarantee ~pledge ~endorse ~finalise "
    "~schedule ~budget ~plan ~intend ~consider ~say ~tell ~comment ~state ~answer ~speculate ~advertise "
    "~negotiate ~earmark"
)
_SETTLED = frozenset(
    "decision decisions agreement agreements approval approvals promise promises commitment commitments "
    "arrangement arrangements announcement announcements undertaking pledge pledges provision proposal "
    "proposals offer offers statement statements resolution ruling plan plans authority".split()
)
_NOT_YET = frozenset(
    "begun started table offer cards agenda available possible planned intended settled".split()
)
"""What, denied, says that there is no such thing ("not on the table")."""
_PENDING = frozenset("undecided unsettled undetermined".split())
_UNDER = frozenset("discussion consideration negotiation debate".split())
_DECISIONS = frozenset("decision decisions question verdict".split())
_AHEAD = frozenset("outstanding open pending ahead awaited due".split())
_STOPS = frozenset(
    "as only just merely but doubt matter longer hesitate hesitated hesitating fail failed long hard wait "
    "delay forget forgotten until unless because before who whose which than without lightly".split()
)
"""Words after a denial that turn it, or end its reach ("we have not only approved")."""
_ASIDE = frozenset("who whose whom if although though even while unless or".split())
"""What before a denial makes it say something on the side ("those who were not promised it get it too")."""
_NEEDED = frozenset("need needs needed necessary require requires required apply".split())
_REACH = 6
_AUXILIARY = t.BE | t.HAVE | t.BEEN | t.BEING | t.ADVERB
_CHARGES = "~pay ~charge ~bill ~owe ~cost ~invoice ~debit"

_WARNS = frozenset(
    "watch hang forward beware ignore distrust report delete treat disregard refuse block mistrust dismiss "
    "spurn".split()
)
_CAREFUL = frozenset("careful wary suspicious sceptical skeptical cautious alert aware guard out".split())
_TRUSTS = frozenset(
    "trust believe answer reply respond click open follow fall act go count rely expect assume hope bank "
    "accept listen let react tap engage".split()
)
"""What readers are told not to do with what others offer."""
_BEARERS = frozenset(
    "message messages mail mails email emails call calls caller callers text texts link links advert "
    "adverts ad ads post posts screenshot screenshots letter letters rumour rumours rumor rumors promise "
    "promises claim claims anyone anybody whoever someone people person persons website websites site "
    "sites profile profiles offer offers flyer flyers leaflet leaflets invitation invitations "
    "stranger strangers sms discount voucher coupon".split()
)
"""Who and what carries offers that are not ours."""
_HOPES = frozenset("expect assume hope".split())
_COUNTS = frozenset(("count", "rely", "bank"))
_CROOKS = frozenset(
    "fraudster fraudsters scammer scammers criminal criminals crook crooks impostor impostors imposter "
    "imposters swindler swindlers conman conmen thieves phishers".split()
)
"""Who offers what is not ours."""
_FALSE = frozenset(
    "fake fakes fraud frauds fraudulent scam scams false untrue hoax trick phishing bogus".split()
)
_ACTS_FOR_US = frozenset(
    "one act acts speak speaks come comes work works write writes belong belongs from".split()
)
_OURS = frozenset("us ours our".split())
_EARLY = 3
_FAR = 8


def is_unoffered(sentence: Sentence, start: int, claim: Claim) -> bool:
    """Whether a clause speaks of what is promised without promising it.

    Args:
        sentence: the sentence.
        start: index of the first word of the claim.
        claim: the claim.
    """
    if claim.family not in _FAMILIES:
        return False
    for begin, stop in clauses(sentence):
        if begin <= start < stop:
            return (
                _is_undecided(sentence, begin, stop, start)
                or _is_warned_of(sentence, begin, stop, start)
                or (claim.family == "commitment" and gives_nothing(sentence, begin, stop))
                or (claim.says == GIVEN and brings_up_nothing(sentence, begin, stop))
            )
    return False


def _is_undecided(sentence: Sentence, begin: int, stop: int, start: int) -> bool:
    """Whether a clause says that something has not been settled ("no decision on fees has been taken")."""
    words, tags = sentence.words, sentence.tags
    if not _NEEDED.isdisjoint(words[begin:stop]):
        return False
    if _is_pending(words[begin:stop]):
        return True
    for at in range(begin, stop):
        # Nothing after such a word counts: what is denied there is said on the side, or supposed.
        if words[at] in _ASIDE or (at >= start and tags[at] & (t.CONDITION | t.HARD_CONDITION)):
            return words[at] in _DENIES and _settles(sentence, at, min(stop, at + 1 + _REACH))
        if words[at] not in _DENIES:
            continue
        if _settles(sentence, at, min(stop, at + 1 + _REACH)):
            return True
    return False


def _is_pending(words: list[str]) -> bool:
    """Whether a clause says that something is still to be decided ("compensation is under discussion")."""
    if not _PENDING.isdisjoint(words) or (not _DECISIONS.isdisjoint(words) and not _AHEAD.isdisjoint(words)):
        return True
    return any(
        word == "under" and not _UNDER.isdisjoint(words[at + 1 : at + 3]) for at, word in enumerate(words)
    )


def _settles(sentence: Sentence, at: int, stop: int) -> bool:
    """Whether what is denied at ``at`` is that something has been settled or said."""
    words, tags = sentence.words, sentence.tags
    charged = False
    for place in range(at + 1, stop):
        word = words[place]
        if word in _STOPS or (word == "that" and place > at + 1):
            return False
        if word in _SETTLED and words[at] in ("no", "nor", "neither"):
            return place <= at + 2 and words[place + 1 : place + 2] != [] and words[place + 1] not in _fees()
        if word in forms(_SETTLING) or (words[at] == "not" and word in _NOT_YET and place <= at + _EARLY):
            return True
        if charged and not tags[place] & _AUXILIARY:
            # "Nobody pays the fee announced": what is denied is that it is paid.
            return False
        charged = charged or word in _fees() or word in forms(_CHARGES)
    return False


def _fees() -> frozenset[str]:
    return forms(WORD_CLASSES["fee"])


def _is_warned_of(sentence: Sentence, begin: int, stop: int, start: int) -> bool:
    """Whether a clause warns of what others offer, or of counting on it."""
    words = sentence.words[begin:stop]
    before, early = words[: max(1, start - begin)], words[: _EARLY + 1]
    if not _CROOKS.isdisjoint(words) and "we" not in words and "will" not in words:
        return True
    named = any(words[at : at + 3] == ["in", "our", "name"] for at in range(len(words)))
    if named or _is_told_to_doubt(words, early):
        return True
    return not _BEARERS.isdisjoint((*before, *early)) and _is_false(words)


def _is_told_to_doubt(words: list[str], early: list[str]) -> bool:
    """Whether readers are told to doubt what others offer, or not to count on anything."""
    priced = next((k for k, word in enumerate(words) if word in _fees()), len(words))
    carried = not _BEARERS.isdisjoint(words[: min(_FAR, priced)])
    told_not = "not" in early[:_EARLY] or "never" in early[:_EARLY]
    if carried and (
        words[0] in _WARNS
        or (words[0] == "please" and early[1:] and early[1] in _WARNS)
        or ("be" in early and not _CAREFUL.isdisjoint(early))
        or (told_not and "send" in early)
    ):
        return True
    if not told_not or (early[0] not in ("do", "never", "please")):
        return False
    counts = any(word in _COUNTS and words[at + 1 : at + 2] == ["on"] for at, word in enumerate(early))
    return counts or not _HOPES.isdisjoint(early) or (carried and not _TRUSTS.isdisjoint(early))


def _is_false(words: list[str]) -> bool:
    """Whether a clause says that who offers something is none of ours, or that the offer is false."""
    if not _FALSE.isdisjoint(words) and "not" not in words and "no" not in words:
        return True
    at = next((k for k, word in enumerate(words) if word == "not"), -1)
    after = words[at + 1 : at + 1 + _EARLY + 1]
    if at >= 0 and after[:1] in (["ours"], ["genuine"], ["real"], ["official"]):
        return True
    return at >= 0 and not _ACTS_FOR_US.isdisjoint(after) and not _OURS.isdisjoint(after)
