"""How guards with one detector judge the labelled drafts, and what another one judges otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from redpen.guards import RevisionRules, check_revision
from redpen.guards.claims.detector import Detector
from redpen_evals.scenario_library.drafts import LabelledDraft
from redpen_evals.scorecard.wilson import Rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Scores:
    """What guards made of drafts.

    Attributes:
        blocked: for each draft whether it was blocked.
        catch: of the drafts to block, how many were.
        false_alarms: of the others, how many were.
    """

    blocked: tuple[bool, ...]
    catch: Rate
    false_alarms: Rate


def score(drafts: list[LabelledDraft], detector: Detector) -> Scores:
    """Judge labelled drafts by the guards with a detector."""
    rules = RevisionRules(detector=detector)
    blocked = tuple(
        not check_revision(
            original=draft.original, revised=draft.item.revised, context=draft.context, rules=rules
        ).ok
        for draft in drafts
    )
    to_block = [hit for hit, draft in zip(blocked, drafts, strict=True) if draft.item.label == "block"]
    to_pass = [hit for hit, draft in zip(blocked, drafts, strict=True) if draft.item.label == "pass"]
    return Scores(
        blocked=blocked,
        catch=Rate(hits=sum(to_block), total=len(to_block)),
        false_alarms=Rate(hits=sum(to_pass), total=len(to_pass)),
    )


def told(rate: Rate) -> str:
    """Return a rate with its interval: ``95.0 % [91.2, 97.4]``."""
    low, high = rate.interval
    return f"{float(rate.percent or 0):.1f} % [{low:.1f}, {high:.1f}]"
