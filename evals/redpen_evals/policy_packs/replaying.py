"""Comparison of two policy packs by replaying the library under both."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from redpen.policy.packs import BUILT_IN, PolicyPack
from redpen.screen import shown
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.evaluation.evaluator import Evaluator
from redpen_evals.policy_packs.explaining import place_of_finding
from redpen_evals.records.model import ScenarioResult
from redpen_evals.variants import PACK, base_variant

_MAX_CHARS = 400
_MAX_FINDINGS = 3
_DRAFT_STOPS = frozenset({"invalid_draft:ungrounded"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A scenario on which two packs decide differently.

    Attributes:
        before: its result under the first pack.
        after: its result under the second.
    """

    before: ScenarioResult
    after: ScenarioResult

    @property
    def is_undecided(self) -> bool:
        """Whether one of the two runs has no recording, or cannot run."""
        return any(result.outcome in {"stale", "errored"} for result in (self.before, self.after))

    @property
    def texts(self) -> tuple[str, ...]:
        """The published or refused texts of both sides, without duplicates."""
        texts = (self.before.answer, self.before.refused, self.after.answer, self.after.refused)
        return tuple(dict.fromkeys(text for text in texts if text))

    def to_dict(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "scenario": self.before.scenario,
            "before": decision(self.before),
            "after": decision(self.after),
            "undecided": self.is_undecided,
            "texts": list(self.texts),
            "found": [*self.after.findings],
        }

    def lines(self, packs: tuple[PolicyPack, PolicyPack]) -> Iterator[str]:
        """Yield the lines of a terminal; ``packs`` are those that it was replayed under."""
        yield self.before.scenario
        width = max(len(pack.name) for pack in packs)
        for pack, result in zip(packs, (self.before, self.after), strict=True):
            yield f"  {pack.name:<{width}}  {shown(decision(result))}"
            for violation in _violations(result, pack):
                yield f"  {'':<{width}}  {violation}"
        for text in self.texts:
            cut = text if len(text) <= _MAX_CHARS else f"{text[:_MAX_CHARS]}…"
            yield f"  {'text':<{width}}  {shown(cut)}"


def replayed(
    evaluator: Evaluator, names: tuple[str, str], scenarios: Iterable[str]
) -> Iterator[Change | None]:
    """Replay scenarios under two packs, and yield for each the change, or None.

    Args:
        evaluator: the evaluator of the project, which only replays.
        names: names of the two packs.
        scenarios: ids.
    """
    base = base_variant(SCRIPTED_MODEL)
    variants = [replace(base, label=f"{PACK}={name}", pack=name) for name in names]
    for scenario in scenarios:
        before, after = (evaluator.evaluate(scenario, variant=variant) for variant in variants)
        is_same = decision(before) == decision(after) and before.answer == after.answer
        yield None if is_same else Change(before=before, after=after)


def decision(result: ScenarioResult) -> str:
    """Return the decision of a run in one line."""
    if result.outcome in {"stale", "errored"}:
        return f"{result.outcome}: {result.summary}"
    parts = [result.status, result.stop_reason, result.decision]
    # The user's own agent has published by then.
    breaks = ["breaks the policy"] if "policy" in result.broken else []
    return " ".join(filter(None, (*parts, *breaks)))


def _violations(result: ScenarioResult, pack: PolicyPack) -> list[str]:
    violations = result.detail.get("violations")
    if not isinstance(violations, list):
        return []
    lines = []
    grounding = pack.place_of("grounding")
    for violation in violations[:_MAX_FINDINGS]:
        place = place_of_finding(pack, violation)
        # A pack can switch grounding off for drafts only, so it is not the origin for revisions.
        is_own = place not in {BUILT_IN, grounding} or result.stop_reason in _DRAFT_STOPS
        origin = f" ({place})" if is_own and place != BUILT_IN else ""
        lines.append(shown(f"{violation.get('code')}: {violation.get('reading')}")[:_MAX_CHARS] + origin)
    return lines
