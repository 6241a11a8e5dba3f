"""Which policy pack is in force in a run, and the limits that it sets for the agent."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from redpen.errors import ConfigurationError
from redpen.policy import load_policy
from redpen.policy.pack_loading import load_packs
from redpen.policy.packs import KEYS, PolicyPack, PolicyPacks

if TYPE_CHECKING:
    from redpen_evals.scenario_library.loading import Case
    from redpen_evals.scenario_library.scenario import BuiltInScenario

_REQUEST = "request"


def read_packs(path: Path, *, is_given: bool) -> PolicyPacks:
    """Return the packs of a project.

    Args:
        path: the setting ``redpen_policy``.
        is_given: whether the project sets it; the default file may be missing.

    Raises:
        ConfigurationError: there is nothing at that path.
        FileError: a pack has faults.
    """
    if not is_given and not path.exists() and not path.is_symlink():
        return PolicyPacks()
    # Phrases are parsed by the guards, which are slow to import.
    from redpen_evals.policy_packs.phrases import check_phrases

    return check_phrases(load_packs(path))


def pack_in_force(packs: PolicyPacks, case: Case, *, asked: str | None = None) -> PolicyPack:
    """Return the pack that judges a run.

    Args:
        packs: the packs of the project.
        case: its scenario: ``policy: {pack: NAME}`` names one, else ``tenant`` and ``role`` of its context,
            or of its request, are matched.
        asked: name of the pack that the session uses, which overrides the scenario's.

    Raises:
        ConfigurationError: a pack of that name does not exist; the message names the place.
    """
    if asked is not None:
        return packs.named(asked)
    if (named := case.scenario.pack) is not None:
        try:
            return packs.named(named)
        except ConfigurationError as error:
            raise ConfigurationError(f"{case.place('policy')}: policy.pack: {error}") from None
    return packs.matching(situation_of(case.subject))


def situation_of(subject: Mapping[str, Any] | None) -> dict[str, str]:
    """Return the keys that packs are matched by, as far as a context or request has them."""
    situation: dict[str, str] = {}
    for place in (subject, (subject or {}).get(_REQUEST)):
        if isinstance(place, Mapping):
            situation |= {name: value for name in KEYS if isinstance(value := place.get(name), str)}
    return situation


def limits_under(scenario: BuiltInScenario, pack: PolicyPack) -> Any:
    """Return the policy of a scenario's agent: the pack's, overridden by the scenario's own fields.

    Raises:
        InvalidInputError: the two contradict each other.
    """
    limits = pack.policy_of(type(scenario.limits))
    if not scenario.policy_fields:
        return limits
    values = {name: getattr(limits, name) for name in type(limits).model_fields}
    return load_policy(type(limits), values | scenario.policy_fields)
