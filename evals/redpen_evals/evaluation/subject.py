"""The subject of an evaluation: a scenario with variant and sample, and the locations of its recordings."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from redpen.policy.packs import DEFAULT_PACK, PolicyPack
from redpen_evals.cassettes.store import AGENTS_OWN_MODEL, SCRIPTED_MODEL, CassetteLocation
from redpen_evals.policy_packs.in_force import limits_under
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import Case
from redpen_evals.scenario_library.own_agent import OwnAgentScenario
from redpen_evals.variants import Variant


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The subject of an evaluation.

    Attributes:
        sample: number of the independent answer, from 1.
        target: called instead of the scenario's agent, such as a test's function.
        arguments: its arguments instead of the scenario's input; values of any kind.
        test: node id of the test that starts the run itself; empty for the run of a scenario.
    """

    case: Case
    variant: Variant
    sample: int
    layout: Layout
    target: Callable[..., Any] | None = None
    arguments: Mapping[str, Any] | None = field(default=None)
    test: str = ""
    pack: PolicyPack = DEFAULT_PACK

    @property
    def own(self) -> OwnAgentScenario | None:
        """The scenario, if it is of a user's own agent."""
        scenario = self.case.scenario
        return scenario if isinstance(scenario, OwnAgentScenario) else None

    @property
    def limits(self) -> Any:
        """The policy of a built-in agent in this run; raises InvalidInputError if it is inconsistent."""
        return self.variant.policy_of(limits_under(self.case.built_in, self.pack))

    @property
    def model(self) -> str | None:
        """The model for a user's own agent; None if the agent chooses it."""
        return self.variant.model if self.variant.model != SCRIPTED_MODEL else None

    @property
    def sets_script_aside(self) -> bool:
        """Whether a real model is called instead of the scripted replies, for which `expect` was written."""
        return self.variant.model != SCRIPTED_MODEL and bool(self.case.scenario.replies)

    @property
    def location(self) -> CassetteLocation:
        """The location of the run's own recording."""
        return CassetteLocation(
            root=self.layout.cassettes,
            model=recorded_model(self.case, self.variant),
            scenario=self.case.id,
            variant=self.variant.cassette_label,
            sample=self.sample,
            test=self.test,
        )

    @property
    def shared_locations(self) -> tuple[CassetteLocation, ...]:
        """Existing recordings with fewer knobs, the nearest first.

        A variant needs its own recording only if it makes other requests.
        """
        return tuple(location for location in with_fewer_knobs(self.location) if location.path.exists())


def with_fewer_knobs(location: CassetteLocation) -> Iterator[CassetteLocation]:
    """Yield the locations of recordings with fewer knobs, the nearest first."""
    knobs = location.variant.split(",") if location.variant else []
    for count in range(len(knobs) - 1, -1, -1):
        for subset in itertools.combinations(knobs, count):
            yield replace(location, variant=",".join(subset))


def recorded_model(case: Case, variant: Variant) -> str:
    """Return the model in the location of a run's recording."""
    is_scripted = not isinstance(case.scenario, OwnAgentScenario) or bool(case.scenario.replies)
    if variant.model == SCRIPTED_MODEL and not is_scripted:
        # There are no scripted replies, so recording calls the model that the agent chooses.
        return AGENTS_OWN_MODEL
    return variant.model
