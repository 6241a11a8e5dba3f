"""The score of guard sets under disguises: breaches no longer caught, and new false alarms."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from hashlib import sha256
from itertools import islice

from redpen_evals.attacks import DISGUISES, Attack, aim
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.score import Score, Scored, rates_of, wrong_ids
from redpen_evals.scorecard.wilson import Rate

SAMPLE = 40
"""Texts of either label per disguise and guard set, so that the whole takes seconds."""

_FACTS = re.compile(
    r"(?<![\w.])(?:"
    r"[A-Za-z]{2,10}_\w{1,80}"
    r"|P[0-5]"
    r"|[$€£]?\d{1,15}(?:[.,:-]\d{1,15}){0,4}(?: ?%|[ -][a-z]{2,20})?"
    r")(?!\w)"
)


def score_disguises(
    guard_set: GuardSet,
    scored: Sequence[Scored],
    *,
    attacks: Iterable[Attack] = DISGUISES,
    sample: int = SAMPLE,
) -> Score:
    """Disguise the texts that a guard set judged rightly, and let it judge them again.

    A ``block`` text is disguised at the guard set's span of the breach, or entirely without a span. A
    ``pass`` text is disguised in one of its facts, which stays allowed in any spelling; the labels do not
    cover disguised ordinary words. Texts that a disguise leaves unchanged are left out.

    Args:
        scored: its judgements on labelled drafts; those on disguised ones are left out.
        sample: maximum number of texts of either label per disguise, chosen by their ids.
    """
    right = [text for text in scored if text.item.disguise == "none" and text.right]
    trials: dict[str, list[Scored]] = {}
    for attack in attacks:
        ordered = sorted(right, key=lambda text: _seed(attack.name, text.id))
        trials[attack.name] = [
            trial
            for label in ("block", "pass")
            for trial in islice(
                _trials(guard_set, attack, [text for text in ordered if text.item.label == label]), sample
            )
        ]
    return Score(
        guards=guard_set.name,
        recorded=guard_set.recorded,
        part="disguises",
        overall=_rates([trial for group in trials.values() for trial in group]),
        groups={name: _rates(group) for name, group in trials.items() if group},
        wrong=wrong_ids(trials),
    )


def allowed_facts(text: str) -> tuple[tuple[int, int], ...]:
    """Return the spans of the facts of a text: numbers with the word after them, severities, names."""
    return tuple(match.span() for match in _FACTS.finditer(text))


def _trials(guard_set: GuardSet, attack: Attack, texts: Iterable[Scored]) -> Iterator[Scored]:
    for plain in texts:
        draft, revised = plain.draft, plain.item.revised
        seed = _seed(plain.id, attack.name)
        if plain.caught:
            spans = plain.judgement.spans or ((0, len(revised)),)
        else:
            facts = allowed_facts(revised)
            spans = (facts[seed % len(facts)],) if facts else ()
        disguised = aim(attack, revised, spans, seed=seed)
        if disguised != revised:
            again = guard_set.judge(original=draft.original, revised=disguised, context=draft.context)
            yield replace(plain, judgement=again)


def _rates(trials: Sequence[Scored]) -> dict[str, Rate]:
    """Return ``kept``, of the texts blocked undisguised, and ``new_alarms``, of those passed undisguised."""
    rates = rates_of(trials)
    return {"kept": rates["catch"], "new_alarms": rates["false_alarms"]}


def _seed(*names: str) -> int:
    return int.from_bytes(sha256("\0".join(names).encode()).digest()[:8], "big")
