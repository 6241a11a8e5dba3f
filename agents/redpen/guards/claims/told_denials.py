"""Denials of harm that nothing supports: nobody else saw it, others got no look, it poses no hazard."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from redpen.guards.claims import tags as t
from redpen.guards.claims.content import content
from redpen.guards.claims.morphology import inflect, stem
from redpen.guards.claims.reading import Sentence
from redpen.guards.claims.told import Known, clauses, mask_of

_OPEN = t.HEDGE | t.CONDITION | t.HARD_CONDITION
_UNSURE = frozenset(
    "know known say said tell sure clear certain whether if promise guarantee confirm yet claim rule ruled "
    "answer answers explain want wants wish hope check checks checking checked verify verifying investigate "
    "investigating examine examining review reviewing".split()
)
"""Words of denials that leave open what is so ("nobody knows yet")."""
_NOBODY = frozenset(("nobody", "noone"))
_NO_PERSON = frozenset(
    "one soul outsider outsiders stranger strangers third other others person human eye eyes "
    "hand hands visitor visitors member members customer customers guest guests user users "
    "tenant tenants patient patients family families employer employers pupil pupils client "
    "clients".split()
)
"""Whom "no" and "not a" may stand before."""
_OTHERS = frozenset(
    "other others outsider outsiders stranger strangers thieves hackers intruders attackers "
    "crooks fraudsters criminals neighbours neighbors unauthorised unauthorized".split()
)
_BESIDES = frozenset("but besides except beside else".split())
_SEES = (
    "see read view access touch open copy obtain download steal take reach enter misuse abuse "
    "intercept harvest look peek peep glimpse spot glance walk wander slip sneak intrude "
    "trespass log tamper meddle listen hear overhear watch lift pinch grab pocket rifle rummage "
    "browse inspect handle hold lay set get gain"
)
_SUFFERS = (
    "spoil perish rot suffer hurt injure wound harm damage ruin wreck strand abandon overcharge defraud "
    "cheat rob burgle mislead endanger imperil jeopardise worsen deteriorate decay curdle sour thaw melt "
    "defrost contaminate taint poison pollute infect corrupt scramble garble mangle tamper falsify forge "
    "alter vanish disappear evaporate slip leak escape wander stray perish die sicken starve forfeit lapse "
    "void invalidate misdirect misuse abuse exploit exfiltrate disclose reveal divulge expose compromise "
    "breach penetrate intrude trespass sacrifice mislay misplace discard delete erase wipe overwrite lose "
    "steal punish penalise disadvantage shortchange exclude forget overlook"
)
"""What may befall things and people, and is denied of them."""
_BROUGHT = (
    "pose present carry mean do cause spell hold bear bring represent entail involve run take incur face "
    "create"
)
_HARMS = frozenset(
    "hazard hazards harm mischief danger dangers threat threats peril injury damage menace hurt disservice "
    "jeopardy risk risks hazardous detriment consequences repercussions worry concern disadvantage "
    "drawback".split()
)
_HELPING = frozenset("is are was were be been has have had will can could gets got".split())
_WILL = frozenset(("will", "has", "have"))
_LEAST = 0.6


def _forms(lemmas: str) -> frozenset[str]:
    forms = (inflect(lemma) for lemma in lemmas.split())
    return frozenset(word for form in forms for word in (form.base, form.third, form.gerund, *form.past))


_SEEN = _forms(_SEES) | frozenset("saw seen sight sights glimpse hold able access inside near into".split())
SUFFERED = _forms(_SUFFERS)
_SPARED = frozenset("nothing none nobody noone no not neither".split())
_NOT_ALONE = frozenset(
    "only just merely all every everyone everything always yet more further longer".split()
)
_BRINGS = _forms(_BROUGHT) | frozenset("does did".split())
_MARKS = _NOBODY | frozenset(("no", "not", "never", "none", "nothing", "neither"))


def find_denials(sentence: Sentence, known: Known) -> Iterator[tuple[int, int]]:
    """Yield where clauses begin and end which deny harm that nothing speaks of denied.

    Args:
        sentence: the sentence.
        known: what a revision may restate.
    """
    for start, end, denied, stems in _of_harm(sentence):
        least = _LEAST * len(stems)
        supported = (told for told in known.sentences if len(stems & told.denied) >= least)
        if not any(denied in _MARKS or stem(denied) in told.denied for told in supported):
            yield start, end


@lru_cache(maxsize=1024)
def _of_harm(sentence: Sentence) -> tuple[tuple[int, int, str, frozenset[str]], ...]:
    """Return where clauses begin and end that deny harm, with the harm and the stems of their words."""
    if _MARKS.isdisjoint(sentence.vocabulary):
        return ()
    words = sentence.words
    found = []
    for start, end in clauses(sentence):
        if mask_of(sentence, start, end) & _OPEN or not _UNSURE.isdisjoint(words[max(0, start - 2) : end]):
            continue
        denied = _harm_denied(words, start, end)
        if denied:
            found.append((start, end, denied, content(sentence, start, end)))
    return tuple(found)


def _harm_denied(words: list[str], start: int, end: int) -> str:
    """Return the harm that a clause denies, or the word that denies it where that is done to somebody."""
    for at in range(start, end):
        if words[at] not in _MARKS:
            continue
        after = words[at + 1 : end]
        harm = next((word for word in after[:2] if word in _HARMS), "")
        if words[at] == "no" and harm and not _BRINGS.isdisjoint(words[start:at]):
            return harm
        seen = not _SEEN.isdisjoint(after)
        nobody = words[at] in _NOBODY or (
            words[at] in ("no", "not", "none") and not _NO_PERSON.isdisjoint(after[:2])
        )
        if nobody and (seen or not _BESIDES.isdisjoint(after[:3])):
            return words[at]
        if words[at] in _SPARED and _is_spared(words, at, end):
            return next(word for word in after if word in SUFFERED)
        if words[at] in ("not", "never") and seen and not _OTHERS.isdisjoint(words[start:at]):
            return words[at]
    return ""


def _is_spared(words: list[str], at: int, end: int) -> bool:
    """Whether the word at ``at`` denies that anything befell somebody ("nothing in the box has spoiled")."""
    after = words[at + 1 : end]
    verb = next((k for k, word in enumerate(after) if word in SUFFERED), -1)
    if verb < 0 or not _NOT_ALONE.isdisjoint(after[: verb + 1]) or not _HELPING.isdisjoint(words[:at]):
        return False
    if words[at] == "not":
        # "Your animal will not suffer": who is spared stands before.
        return verb <= 1 and not _WILL.isdisjoint(words[max(0, at - 1) : at])
    return not _HELPING.isdisjoint(after[:verb])
