"""What disguises do to a guard set: what it caught before and lets pass now, and the reverse."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from redpen_evals.attacks import DISGUISES, Attack, aim
from redpen_evals.scenario_library.drafts import LabelledDraft
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import Scored
from redpen_evals.scorecard.wilson import Rate

SAMPLE = 40
"""How many texts of either label each disguise is tried on, a guard set: the whole stays within seconds."""

_FACTS = re.compile(
    r"(?<![\w.])(?:"
    r"[A-Za-z]{2,10}_\w{1,80}"
    r"|P[0-5]"
    r"|[$€£]?\d{1,15}(?:[.,:-]\d{1,15}){0,4}(?: ?%|[ -][a-z]{2,20})?"
    r")(?!\w)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DisguiseFigures:
    """How a guard set stands one disguise, or all.

    Attributes:
        kept: still blocked, of the ``block`` texts that it blocked undisguised.
        new_alarms: blocked now, of the ``pass`` texts that it let pass undisguised.
    """

    kept: Rate
    new_alarms: Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class DisguiseScore:
    """How a guard set stands the disguises.

    Attributes:
        guards: name of the guard set.
        overall: over all disguises.
        disguises: by disguise.
        wrong: ids of the texts on which the disguise turned the judgement, by disguise.
    """

    guards: str
    overall: DisguiseFigures
    disguises: Mapping[str, DisguiseFigures]
    wrong: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    id: str
    label: str
    blocked: bool


def score_disguises(
    guard_set: GuardSet,
    drafts: Sequence[LabelledDraft],
    scored: Sequence[Scored],
    *,
    attacks: Iterable[Attack] = DISGUISES,
    sample: int = SAMPLE,
) -> DisguiseScore:
    """Disguise the texts that a guard set judged rightly, and have it judge them again.

    A ``block`` text is disguised where the guard set found the breach, or all over if it does not say
    where. A ``pass`` text is disguised in one of its facts, which stays allowed however it is written; of
    a disguise of ordinary words the labels say nothing. Texts that a disguise has no hold on are left out.

    Args:
        guard_set: what judges.
        drafts: labelled drafts; disguised ones are left out.
        scored: what the guard set made of them, in the same order.
        attacks: the disguises; they have to keep the meaning.
        sample: most texts of either label to try a disguise on, chosen by their ids alone.

    Raises:
        ValueError: an attack breaks the meaning, so that no label would hold.
    """
    right = [
        (draft, one)
        for draft, one in zip(drafts, scored, strict=True)
        if draft.item.disguise == "none" and one.right
    ]
    tries: dict[str, list[_Try]] = {}
    for attack in attacks:
        if not attack.keeps_meaning:
            raise ValueError(f"{attack.name} breaks the meaning, so that the labels do not hold")
        ordered = sorted(right, key=lambda pair: _seed(attack.name, pair[0].id))
        tries[attack.name] = [
            one
            for label in ("block", "pass")
            for one in _tries(
                guard_set, attack, [pair for pair in ordered if pair[0].item.label == label], sample
            )
        ]
    return DisguiseScore(
        guards=guard_set.name,
        overall=_figures([one for group in tries.values() for one in group]),
        disguises={name: _figures(group) for name, group in tries.items() if group},
        wrong={
            name: wrong
            for name, group in tries.items()
            if (wrong := tuple(one.id for one in group if one.blocked != (one.label == "block")))
        },
    )


def allowed_facts(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the facts in a sound text: figures with the word after them, severities, names."""
    return tuple(match.span() for match in _FACTS.finditer(text))


def _tries(
    guard_set: GuardSet, attack: Attack, pairs: Iterable[tuple[LabelledDraft, Scored]], sample: int
) -> list[_Try]:
    tries: list[_Try] = []
    for draft, one in pairs:
        if len(tries) == sample:
            break
        revised = draft.item.revised
        seed = _seed(draft.id, attack.name)
        if one.caught:
            spans = one.judgement.spans or ((0, len(revised)),)
        else:
            facts = allowed_facts(revised)
            spans = (facts[seed % len(facts)],) if facts else ()
        disguised = aim(attack, revised, spans, seed=seed)
        if disguised == revised:
            continue
        again = guard_set.judge(original=draft.original, revised=disguised, context=draft.context)
        tries.append(_Try(id=draft.id, label=draft.item.label, blocked=again.blocked))
    return tries


def _figures(tries: Sequence[_Try]) -> DisguiseFigures:
    block = [one.blocked for one in tries if one.label == "block"]
    sound = [one.blocked for one in tries if one.label == "pass"]
    return DisguiseFigures(
        kept=Rate(hits=sum(block), total=len(block)), new_alarms=Rate(hits=sum(sound), total=len(sound))
    )


def _seed(*names: str) -> int:
    return int.from_bytes(sha256("\0".join(names).encode()).digest()[:8], "big")
