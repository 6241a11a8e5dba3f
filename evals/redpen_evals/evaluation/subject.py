"""What is evaluated: a scenario with its variant and sample, and where its recordings are."""

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
    """What is evaluated.

    Attributes:
        case: the scenario, and what it refers to.
        variant: what the run is done with.
        sample: number of the independent answer, from 1.
        layout: where recordings are.
        target: called in place of what the scenario names, such as a function that a test hands over.
        arguments: given to it in place of the scenario's input; values of any kind.
        test: node id of the test that makes the run by itself; empty for a scenario's.
        pack: the policy pack that the run is held to.
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
        """The scenario, if it is of an agent of somebody's own."""
        scenario = self.case.scenario
        return scenario if isinstance(scenario, OwnAgentScenario) else None

    @property
    def limits(self) -> Any:
        """The policy of a built-in agent in this run; raises InvalidInputError where its parts do not fit."""
        return self.variant.policy_of(limits_under(self.case.built_in, self.pack))

    @property
    def model(self) -> str | None:
        """The model that an agent of somebody's own is told to ask; None where it chooses by itself."""
        return self.variant.model if self.variant.model != SCRIPTED_MODEL else None

    @property
    def sets_script_aside(self) -> bool:
        """Whether a real model is asked in place of the scripted replies, for which `expect` was written."""
        return self.variant.model != SCRIPTED_MODEL and bool(self.case.scenario.replies)

    @property
    def location(self) -> CassetteLocation:
        """Where the run's own recording is."""
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
        """Recordings with fewer knobs turned, the nearest first: a variant needs one of its own only where
        it asks otherwise.
        """
        return tuple(location for location in with_fewer_knobs(self.location) if location.path.exists())


def with_fewer_knobs(location: CassetteLocation) -> Iterator[CassetteLocation]:
    """Yield where a recording with fewer knobs turned would be, the nearest first."""
    knobs = location.variant.split(",") if location.variant else []
    for count in range(len(knobs) - 1, -1, -1):
        for left in itertools.combinations(knobs, count):
            yield replace(location, variant=",".join(left))


def recorded_model(case: Case, variant: Variant) -> str:
    """Return whose recordings a run of a scenario uses: the name of their folder."""
    is_scripted = not isinstance(case.scenario, OwnAgentScenario) or bool(case.scenario.replies)
    if variant.model == SCRIPTED_MODEL and not is_scripted:
        # Nothing scripts its model, so recording asks the one that the agent itself chooses.
        return AGENTS_OWN_MODEL
    return variant.model
