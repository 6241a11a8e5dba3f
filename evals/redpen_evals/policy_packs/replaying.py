"""What another policy would have decided: the library replayed under two packs."""

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

_MOST_CHARS = 400
_MOST_FINDINGS = 3
_OF_DRAFTS = frozenset({"invalid_draft:ungrounded"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A scenario of which two packs decide otherwise.

    Attributes:
        before: its result under the one.
        after: under the other.
    """

    before: ScenarioResult
    after: ScenarioResult

    @property
    def is_undecided(self) -> bool:
        """Whether one of the two asks its model what was never recorded, or cannot be run."""
        return any(one.outcome in {"stale", "errored"} for one in (self.before, self.after))

    @property
    def texts(self) -> tuple[str, ...]:
        """What was published, or refused, on either side; each once."""
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
        """Yield it for people; ``packs`` are those that it was replayed under."""
        yield self.before.scenario
        width = max(len(pack.name) for pack in packs)
        for pack, result in zip(packs, (self.before, self.after), strict=True):
            yield f"  {pack.name:<{width}}  {shown(decision(result))}"
            for found in _violations(result, pack):
                yield f"  {'':<{width}}  {found}"
        for text in self.texts:
            cut = text if len(text) <= _MOST_CHARS else f"{text[:_MOST_CHARS]}…"
            yield f"  {'text':<{width}}  {shown(cut)}"


def replayed(
    evaluator: Evaluator, names: tuple[str, str], scenarios: Iterable[str]
) -> Iterator[Change | None]:
    """Replay scenarios under two packs, and yield for each what changes, or None.

    Args:
        evaluator: of the project, which replays and records nothing.
        names: of the packs.
        scenarios: ids.
    """
    base = base_variant(SCRIPTED_MODEL)
    one, other = (replace(base, label=f"{PACK}={name}", pack=name) for name in names)
    for scenario in scenarios:
        before, after = (evaluator.evaluate(scenario, variant=variant) for variant in (one, other))
        is_same = decision(before) == decision(after) and before.answer == after.answer
        yield None if is_same else Change(before=before, after=after)


def decision(result: ScenarioResult) -> str:
    """Return what was decided in a run, in one line."""
    if result.outcome in {"stale", "errored"}:
        return f"{result.outcome}: {result.summary}"
    parts = [result.status, result.stop_reason, result.decision]
    # An agent of somebody's own has published by then.
    breaks = ["breaks the policy"] if "policy" in result.broken else []
    return " ".join(filter(None, (*parts, *breaks)))


def _violations(result: ScenarioResult, pack: PolicyPack) -> list[str]:
    found = result.detail.get("violations")
    if not isinstance(found, list):
        return []
    lines = []
    grounding = pack.place_of("grounding")
    for one in found[:_MOST_FINDINGS]:
        place = place_of_finding(pack, one)
        # A revision is held to what is known, whatever a pack says of drafts.
        is_own = place not in {BUILT_IN, grounding} or result.stop_reason in _OF_DRAFTS
        origin = f" ({place})" if is_own and place != BUILT_IN else ""
        lines.append(shown(f"{one.get('code')}: {one.get('reading')}")[:_MOST_CHARS] + origin)
    return lines
