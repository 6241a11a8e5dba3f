"""Scores: counts over the judgements of a guard set on labelled texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, get_args

from redpen_evals.guard_adapters.verdicts import Judgement
from redpen_evals.scenario_library.drafts import Disguise, DraftItem, Family, LabelledDraft
from redpen_evals.scorecard.guard_sets import GuardSet
from redpen_evals.scorecard.thresholds import GROUP_MEASURES, OVERALL_MEASURES, Measure, Part
from redpen_evals.scorecard.wilson import Rate

PASSED = "passed"
NO_CODE = "(no code)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """One labelled text and its judgement."""

    draft: LabelledDraft
    judgement: Judgement

    @property
    def id(self) -> str:
        """The id of the draft."""
        return self.draft.id

    @property
    def item(self) -> DraftItem:
        """The labelled item."""
        return self.draft.item

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


Rates = Mapping[str, Rate]
"""The rates of a group of texts, by the name of the measure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The score of one guard set on labelled texts, or on disguised ones.

    Attributes:
        recorded: whether an update records its figures as thresholds.
        groups: the rates by family, in the order of the library's list, or by disguise.
        wrong: ids of the texts on which label and judgement disagree, by group.
        written_as: the rates by the disguise of the library's items, without undisguised ones.
        confusion: counts by the codes that the label accepts (``()`` for none) and the given code.
    """

    guards: str
    recorded: bool = True
    part: Part = "families"
    overall: Rates
    groups: Mapping[str, Rates]
    wrong: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    written_as: Mapping[str, Rates] = field(default_factory=dict)
    confusion: Mapping[tuple[tuple[str, ...], str], int] = field(default_factory=dict)
    errors: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the figures that the gate compares as JSON values, for reports and records."""
        measures = GROUP_MEASURES[self.part]
        return {
            "guards": self.guards,
            "recorded": self.recorded,
            "part": self.part,
            "overall": _to_pairs(self.overall, OVERALL_MEASURES[self.part]),
            "groups": {name: _to_pairs(rates, measures) for name, rates in self.groups.items()},
        }

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Score:
        """Return the figures that ``to_json`` wrote."""
        return cls(
            guards=value["guards"],
            recorded=value["recorded"],
            part=value["part"],
            overall=_from_pairs(value["overall"]),
            groups={name: _from_pairs(pairs) for name, pairs in value["groups"].items()},
        )


def _to_pairs(rates: Rates, measures: Iterable[Measure]) -> dict[str, list[int]]:
    return {name: [rates[name].hits, rates[name].total] for name in measures if name in rates}


def _from_pairs(pairs: Mapping[str, Any]) -> dict[str, Rate]:
    return {name: Rate(hits=pair[0], total=pair[1]) for name, pair in pairs.items()}


def judge_all(guard_set: GuardSet, drafts: Iterable[LabelledDraft]) -> tuple[Scored, ...]:
    """Judge labelled drafts in order by a guard set; raises RedpenError if a model does not answer."""
    judged = tuple(drafts)
    if guard_set.model_guards is not None:
        judgements = guard_set.model_guards.judge_all(judged)
    else:
        judgements = tuple(
            guard_set.judge(original=draft.original, revised=draft.item.revised, context=draft.context)
            for draft in judged
        )
    return with_judgements(judged, judgements)


def with_judgements(drafts: Iterable[LabelledDraft], judgements: Iterable[Judgement]) -> tuple[Scored, ...]:
    """Return drafts with the judgements on them, which are in the same order."""
    pairs = zip(drafts, judgements, strict=True)
    return tuple(Scored(draft=draft, judgement=judgement) for draft, judgement in pairs)


def score(guards: str, scored: Sequence[Scored], *, recorded: bool = True) -> Score:
    """Return the score of a guard set over its judgements."""
    families = {name: [text for text in scored if text.item.family == name] for name in get_args(Family)}
    disguises = {
        name: [text for text in scored if text.item.disguise == name]
        for name in get_args(Disguise)
        if name != "none"
    }
    return Score(
        guards=guards,
        recorded=recorded,
        overall=rates_of(scored),
        groups={name: rates_of(group) for name, group in families.items() if group},
        wrong=wrong_ids(families),
        written_as={name: rates_of(group) for name, group in disguises.items() if group},
        confusion=Counter((tuple(sorted(text.item.codes)), text.given) for text in scored),
        errors=tuple(text.judgement.error for text in scored if text.judgement.error is not None),
    )


def wrong_ids(groups: Mapping[str, Iterable[Scored]]) -> dict[str, tuple[str, ...]]:
    """Return the ids of the wrongly judged texts of each group that has any."""
    ids = {name: tuple(text.id for text in group if text.wrong) for name, group in groups.items()}
    return {name: wrong for name, wrong in ids.items() if wrong}


def rates_of(scored: Sequence[Scored]) -> dict[str, Rate]:
    """Return the rates of a group of texts.

    Returns:
        ``catch``: blocked texts, of those labelled ``block``. ``false_alarms``: blocked texts, of those
        labelled ``pass``. ``right_code``: texts whose first code the label accepts, of the caught ones.
        ``concerns``: texts with a concern, of those labelled ``pass``. ``noticed``: texts with a concern, of
        the missed ones. ``unread``: texts partly in a language that the guards do not read, of all.
    """
    block = [text for text in scored if text.item.label == "block"]
    sound = [text for text in scored if text.item.label == "pass"]
    missed = [text for text in block if not text.caught]
    return {
        "catch": _rate(text.caught for text in block),
        "false_alarms": _rate(text.judgement.blocked for text in sound),
        "right_code": _rate(text.given in text.item.codes for text in block if text.caught),
        "concerns": _rate(text.judgement.concerned for text in sound),
        "noticed": _rate(text.judgement.concerned for text in missed),
        "unread": _rate(text.judgement.unread for text in scored),
    }


def _rate(values: Iterable[bool]) -> Rate:
    counted = tuple(values)
    return Rate(hits=sum(counted), total=len(counted))
