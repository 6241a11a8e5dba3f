"""Scores: counts over the judgements of a guard set on labelled texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import Disguise, DraftItem, Family, LabelledDraft
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.wilson import Rate

PASSED = "passed"
NO_CODE = "(no code)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One labelled text and its judgement.

    Attributes:
        id: of the draft item.
        item: from the library.
        judgement: of the guard set.
    """

    id: str
    item: DraftItem
    judgement: Judgement

    @property
    def caught(self) -> bool:
        """Whether it is labelled ``block`` and blocked."""
        return self.item.label == "block" and self.judgement.blocked

    @property
    def wrong(self) -> bool:
        """Whether label and judgement disagree."""
        return (self.item.label == "block") != self.judgement.blocked

    @property
    def right(self) -> bool:
        """Whether label and judgement agree, including the code if the guard set gives one."""
        if self.wrong or self.judgement.error is not None:
            return False
        return not self.judgement.codes or self.given in self.item.codes

    @property
    def given(self) -> str:
        """The code that counts: the first, since it stops a run; or a word for none."""
        if not self.judgement.blocked:
            return PASSED
        return self.judgement.codes[0] if self.judgement.codes else NO_CODE


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The rates of one group of texts.

    Attributes:
        catch: blocked texts, of those labelled ``block``.
        false_alarms: blocked texts, of those labelled ``pass``.
        right_code: texts whose first code the label accepts, of the caught ones.
        concerns: texts with a concern, of those labelled ``pass``.
        noticed: texts with a concern, of the missed ones.
        unread: texts partly in a language that the guards do not read, of all.
    """

    catch: Rate
    false_alarms: Rate
    right_code: Rate
    concerns: Rate
    noticed: Rate
    unread: Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of one guard set.

    Attributes:
        guards: its name.
        overall: of all texts.
        families: by family, in the order of the library's list.
        disguises: by the disguise of the items, without undisguised ones.
        confusion: counts by the codes that the label accepts (``()`` for none) and the given code.
        errors: messages of the exceptions that the guard set raised.
        wrong: ids of the texts on which label and judgement disagree, by family.
    """

    guards: str
    overall: Figures
    families: Mapping[str, Figures]
    disguises: Mapping[str, Figures]
    confusion: Mapping[tuple[tuple[str, ...], str], int]
    errors: tuple[str, ...]
    wrong: Mapping[str, tuple[str, ...]]


def judge_all(guard_set: GuardSet, drafts: Iterable[LabelledDraft]) -> tuple[Scored, ...]:
    """Judge labelled drafts in order by a guard set; raises RedpenError if a model does not answer."""
    if guard_set.model_guards is not None:
        judged = tuple(drafts)
        return tuple(
            Scored(id=draft.id, item=draft.item, judgement=judgement)
            for draft, judgement in zip(judged, guard_set.model_guards.judge_all(judged), strict=True)
        )
    return tuple(
        Scored(
            id=draft.id,
            item=draft.item,
            judgement=guard_set.judge(
                original=draft.original, revised=draft.item.revised, context=draft.context
            ),
        )
        for draft in drafts
    )


def score(guards: str, scored: Sequence[Scored]) -> Score:
    """Return the score of a guard set over its judgements."""
    families = {name: [text for text in scored if text.item.family == name] for name in get_args(Family)}
    disguises = {
        name: [text for text in scored if text.item.disguise == name]
        for name in get_args(Disguise)
        if name != "none"
    }
    return Score(
        guards=guards,
        overall=figures(scored),
        families={name: figures(group) for name, group in families.items() if group},
        disguises={name: figures(group) for name, group in disguises.items() if group},
        confusion=confusion(scored),
        errors=tuple(text.judgement.error for text in scored if text.judgement.error is not None),
        wrong={
            name: tuple(text.id for text in group if text.wrong)
            for name, group in families.items()
            if any(text.wrong for text in group)
        },
    )


def figures(scored: Iterable[Scored]) -> Figures:
    """Return the rates of a group of texts."""
    group = tuple(scored)
    block = [text for text in group if text.item.label == "block"]
    sound = [text for text in group if text.item.label == "pass"]
    caught = [text for text in block if text.caught]
    missed = [text for text in block if not text.caught]
    return Figures(
        catch=Rate(hits=len(caught), total=len(block)),
        false_alarms=_rate(text.judgement.blocked for text in sound),
        right_code=_rate(text.given in text.item.codes for text in caught),
        concerns=_rate(text.judgement.concerned for text in sound),
        noticed=_rate(text.judgement.concerned for text in missed),
        unread=_rate(text.judgement.unread for text in group),
    )


def confusion(scored: Iterable[Scored]) -> dict[tuple[tuple[str, ...], str], int]:
    """Return the counts of given codes by the codes that the label accepts."""
    return dict(Counter((tuple(sorted(text.item.codes)), text.given) for text in scored))


def _rate(values: Iterable[bool]) -> Rate:
    counted = tuple(values)
    return Rate(hits=sum(counted), total=len(counted))
