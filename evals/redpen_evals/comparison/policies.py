"""Policy packs of runs, compared with those that a baseline was accepted under."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from redpen.policy.packs import PolicyPacks
from redpen_evals.records.model import ScenarioResult


def packs_of(results: Iterable[ScenarioResult]) -> dict[str, str]:
    """Return the hashes of the policy packs that judged results, by name, without the built-in one."""
    return {result.policy.pack: result.policy.hash for result in results if result.policy is not None}


def changed_policies(
    accepted: Mapping[str, str] | None, results: Iterable[ScenarioResult], packs: PolicyPacks
) -> str:
    """Return how a run's packs differ from the accepted ones, on one line; empty if they do not.

    `accepted` are hashes by name; None if they are not known.
    """
    if accepted is None:
        return ""
    now = {name: packs.packs[name].hash for name in accepted.keys() & packs.packs.keys()} | packs_of(results)
    differences = [
        f"{name} ({accepted.get(name, 'none')} → {now.get(name, 'none')})"
        for name in sorted(accepted.keys() | now.keys())
        if accepted.get(name) != now.get(name)
    ]
    return ", ".join(differences)
