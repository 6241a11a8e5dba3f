"""Denials read by their parts: the trouble does nothing to readers and their things, nothing got out or lost.

Words for harm are many ("swallowed no bookings", "makes no difference to your treatment"), and most of them
mean something else elsewhere. A denial counts where what is spared is what readers have, or they themselves,
and what is denied is that the trouble does something to it, or that it came into other hands.
"""

from __future__ import annotations

from collections.abc import Iterator

from redpen.guards.claims import tags as t
from redpen.guards.claims.asides import is_asserted, without_aside
from redpen.guards.claims.found import Claim
from redpen.guards.claims.morphology import inflect
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import clauses, mask_of
from redpen.guards.claims.told_trouble import tells_trouble
from redpen.guards.claims.told_verbs import main_verb
from redpen.guards.claims.word_classes import WORD_CLASSES
from redpen.text.lazy_pattern import lazy_pattern

_SAYS = "nothing was harmed"
_OPEN = t.MAY | t.CONDITION | t.HARD_CONDITION
_TRYING = frozenset("trying attempting retrying".split())
"""Words of hedging that here name what readers do."""
_DENIES = frozenset("not never no nothing none nobody neither without hardly".split())
_UNSURE = frozenset(
    "know known say said tell told sure clear certain confirm confirmed whether if promise guarantee yet "
    "claim establish established rule determine determined finding decided decide answer explain statement "
    "mean means please sorry always only just all every everyone everything longer able unable can could "
    "need needs proof checked checking only fee fees refund credited cause reason why".split()
)
"""Words of denials that leave open what is so, deny only a part, or tell what cannot be done."""


def _forms(lemmas: str) -> frozenset[str]:
    forms = (inflect(lemma) for lemma in lemmas.split())
    return frozenset(word for form in forms for word in (form.base, form.third, form.gerund, *form.past))


_DOES = _forms(
    "change affect alter touch hurt harm damage impair influence impact endanger jeopardise threaten "
    "compromise spoil ruin cost disadvantage weaken diminish reduce undermine interfere extend reveal expose "
    "leak disclose swallow eat delete erase destroy corrupt overwrite shorten worsen invalidate void erode "
    "taint blemish tarnish dent scratch scathe imperil disturb betray divulge publish disadvantage prejudice "
    "detract bear injure poison contaminate pollute infect upset mar blight rob deprive forfeit scramble"
)
"""What trouble may do to what readers have."""
_PERILS = frozenset("risk risks danger dangers hazard hazards harm threat peril damage".split())
_TAKES = frozenset("take takes took taken taking".split())
_NOUNS = frozenset(
    "effect effects impact influence consequence consequences repercussion repercussions difference danger "
    "dangers risk risks hazard hazards threat threats harm disadvantage disadvantages drawback drawbacks "
    "downside detriment jeopardy peril obstacle aftermath".split()
)
"""What it may have on them, or be to them."""
_BRINGS = _forms("make have pose present carry be mean bring bear represent entail involve do") | frozenset(
    "is are was were has with at".split()
)
_THE_TROUBLE = frozenset("it this that these those".split())
PEOPLE = frozenset(
    "you your yours anyone anybody anyone's people person pets pet animals animal child children pupil "
    "pupils student students patient patients passengers customers members guests visitors residents tenants "
    "families health safety treatment wellbeing welfare dental eligibility entitlement rights standing "
    "place".split()
)
THINGS = frozenset(WORD_CLASSES["private"].split()) | frozenset(
    "data whereabouts phone device devices file portal places appointments prescription deadline deadlines "
    "salaries pension warranty dose samples specimens rating ratings reputation".split()
)
_VALUED = PEOPLE | THINGS
_SECRETS = frozenset(
    "data information details records record names addresses numbers number files documents photos passwords "
    "credentials conversations recordings prescriptions results grades contacts identities".split()
)
_OUTSIDERS = frozenset(WORD_CLASSES["outsiders"].split()) - {"account", "actor", "other"}
_LEAKS = lazy_pattern(
    r"\b(?:g[ai]ve(?:s|n)? (?:away|up)|giving away|g[eo]ts? (?:out|loose|abroad|around|away)|gotten out"
    r"|sl[iu]p(?:s|ped)? (?:out|through|into)|fe?all?(?:en|s)? into|(?:go|went|gone|going) (?:missing|astray)"
    r"|(?:leave|left|leaves) (?:the|our|your|its|this)|show(?:s|ed|n)?|surfac(?:e|ed)|travel(?:s|led) beyond"
    r"|m[ae]de? (?:its|their) way|end(?:s|ed)? up (?:with|in)|r[ae]n into|pass(?:es|ed)? to|seeped|escaped?"
    r"|wander(?:s|ed)|spill(?:s|ed|t)? out|go(?:es)? public|became public|appear(?:s|ed) (?:on|in) public)\b"
)
"""How things come into other hands."""
_USES = _forms(
    "see read view access touch open copy obtain download steal take use get hold look reach enter misuse "
    "abuse know learn watch track follow spy listen log spend withdraw"
)
_INTRUDES = frozenset(
    "intruder intruders intrusion intrusions break-in break-ins breach breaches attack attacks attacker "
    "attackers hacker hackers hack hacking misuse abuse tampering foul fraud fraudulent theft leak leaks "
    "loss malware virus snooping unauthorised unauthorized manipulation interference wrongdoing sabotage "
    "eavesdropping forgery infection contamination damage spoilage decay vermin trespass trespassers".split()
)
_SHOWS = frozenset("show shows showed shown reveal reveals revealed bear bears bore yield yielded".split())
_SIGNS = frozenset(
    "sign signs trace traces evidence indication indications hint hints suggestion inkling whiff".split()
)
HARMLESS_CUES = _DENIES | frozenset(("cost",))
_LEAK_GATE = frozenset(
    "gave give gives given giving get got gets gotten slip slipped fell fallen go went gone leave left "
    "leaves show shows showed shown surface surfaced travelled made make end ended ran passed seeped escape "
    "escaped wandered spilled spilt became appeared".split()
)
_NEAR = 6


def find_harmless(sentence: Sentence) -> Iterator[Claim]:
    """Find the denials of a sentence that readers or what they have came to harm.

    Args:
        sentence: the sentence.

    Yields:
        Claims of the family ``reassurance``.
    """
    if sentence.question:
        return
    sentence, _ = without_aside(sentence)
    words = sentence.words
    for start, end in clauses(sentence):
        at = next((k for k in range(start, end) if words[k] in _DENIES), -1)
        if at < 0 or mask_of(sentence, start, end) & _OPEN or _is_hedged(sentence, start, end):
            continue
        if not _UNSURE.isdisjoint(words[max(0, start - 3) : end]):
            continue
        if (
            _does_nothing(sentence, start, at, end)
            or _nothing_got_out(sentence, start, at, end)
            or _no_sign(words, at, end)
            or _nobody_uses(words, start, at, end)
        ) and is_asserted(sentence, start):
            yield Claim("reassurance", *sentence.span(min(at, start), end - 1), _SAYS)


def _is_hedged(sentence: Sentence, start: int, end: int) -> bool:
    words, tags = sentence.words, sentence.tags
    return any(tags[k] & t.HEDGE and words[k] not in _TRYING for k in range(start, end))


def _does_nothing(sentence: Sentence, start: int, at: int, end: int) -> bool:
    """Whether it is denied that the trouble does something to readers or to what they have."""
    words = sentence.words
    after = words[at + 1 : end]
    verb, _ = main_verb(sentence, start, end)
    if _VALUED.isdisjoint(after) and (_PERILS.isdisjoint(after) or not _is_doing(words, start, verb)):
        return False
    if verb <= start or not (_is_trouble(sentence, start, min(verb, at)) or _is_doing(words, start, verb)):
        return False
    if _is_doing(words, start, verb) and not _PERILS.isdisjoint(after[:3]):
        return True
    if any(word in _NOUNS for word in after[:3]) and not _BRINGS.isdisjoint(words[start:at]):
        return True
    if words[at] == "nothing" and words[at + 1 : at + 2] == ["away"]:
        return not _TAKES.isdisjoint(words[start:at])
    does = next((k for k in range(at + 1, min(end, at + 4)) if words[k] in _DOES), -1)
    return does > 0 and not _VALUED.isdisjoint(words[does + 1 : end])


def _is_trouble(sentence: Sentence, start: int, end: int) -> bool:
    """Whether the subject is the trouble, or stands for it."""
    words = sentence.words
    if words[start] in _THE_TROUBLE and end - start <= 2:
        return True
    return tells_trouble(sentence, start, end) or any(tag & t.PROBLEM for tag in sentence.tags[start:end])


def _is_doing(words: list[str], start: int, verb: int) -> bool:
    """Whether the subject is something that readers do ("waiting in the lanes")."""
    return words[start].endswith("ing") and verb - start > 1


def _nothing_got_out(sentence: Sentence, start: int, at: int, end: int) -> bool:
    """Whether it is denied that something of the readers' came into other hands."""
    words = sentence.words
    if _LEAK_GATE.isdisjoint(words[start:end]):
        return False
    # "You cannot get out your card": a subject that is the reader, or ours, does something else.
    if any(tag & t.AGENT for tag in sentence.tags[start:at]) or words[start] in ("you", "i", "we", "there"):
        return False
    clause = words[start:end]
    found = _LEAKS.search(" ".join(clause))
    if not found:
        return False
    if found.group().startswith("show"):
        return not _OUTSIDERS.isdisjoint(clause) and not (THINGS | PEOPLE).isdisjoint(clause)
    if found.group().startswith(("leave", "left")):
        return not _SECRETS.isdisjoint(words[start:at])
    return not (THINGS | PEOPLE).isdisjoint(clause) and words[start] not in ("please", "do")


def _no_sign(words: list[str], at: int, end: int) -> bool:
    """Whether it is said that there is no sign of foul play."""
    after = words[at + 1 : min(end, at + _NEAR + 2)]
    if _SHOWS.isdisjoint(words[max(0, at - 3) : at]):
        return False
    signs = next((k for k, word in enumerate(after[:3]) if word in _SIGNS), -1)
    return signs >= 0 and not _INTRUDES.isdisjoint(after[signs + 1 :])


def _nobody_uses(words: list[str], start: int, at: int, end: int) -> bool:
    """Whether others are said not to use or see what is the reader's."""
    who = words[start:at] if words[at] in ("not", "never") else []
    others = not _OUTSIDERS.isdisjoint(who) or not _ANYONE.isdisjoint(who)
    after = words[at + 1 : end]
    return others and not _USES.isdisjoint(after) and (not THINGS.isdisjoint(after) or "your" in after)


_ANYONE = frozenset("anyone anybody someone somebody nobody".split())
