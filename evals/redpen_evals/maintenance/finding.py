"""The cassette that somebody asks for."""

from __future__ import annotations

import shlex
from pathlib import Path

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.store import SCRIPTED_MODEL, CassetteLocation, list_locations


def find_cassette(
    root: Path, scenario: str, *, model: str, variant: str = "", sample: int = 1
) -> CassetteLocation:
    """Return the place of a cassette that is there.

    Args:
        root: the folder of all cassettes.
        scenario: scenario id.
        model: ``scripted``, or the name of a live model.
        variant: label of the variant; empty for the base.
        sample: number of the independent answer, from 1.

    Raises:
        ConfigurationError: there is no such cassette; the message names those that come near.
    """
    wanted = CassetteLocation(root=root, model=model, scenario=scenario, variant=variant, sample=sample)
    if wanted.path.is_file():
        return wanted
    locations = list_locations(root)
    of_scenario = [location for location in locations if location.scenario == scenario]
    if not of_scenario:
        hint = suggestion(scenario, {location.scenario for location in locations})
        raise ConfigurationError(f"no cassette of {scenario!r}{hint}; `redpen cassettes` lists them")
    there = "\n".join(map(_command, of_scenario))
    raise ConfigurationError(f"{wanted.path}: there is no such cassette; of that scenario there are\n{there}")


def _command(location: CassetteLocation) -> str:
    words = ["redpen", "cassettes", "show", location.scenario]
    words += ["--model", location.model] if location.model != SCRIPTED_MODEL else []
    words += ["--variant", location.variant] if location.variant else []
    words += ["--sample", str(location.sample)] if location.sample > 1 else []
    return f"  {shlex.join(words)}"
