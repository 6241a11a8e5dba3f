"""The thresholds file: what each guard set has to reach, and what it last reached."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redpen.errors import ConfigurationError
from redpen_evals.toml_file import read_toml
from redpen_evals.whole_file import replace_file

Measure = Literal["catch", "false_alarms", "right_code", "concerns", "kept", "new_alarms"]
"""``kept`` and ``new_alarms`` are catch and false alarms after a disguise."""

CEILINGS: frozenset[Measure] = frozenset({"false_alarms", "concerns", "new_alarms"})
"""Measures that must not be above their threshold; the others must not be below."""

Percent = Annotated[float, Field(ge=0, le=100)]
Limits = dict[Measure, Percent]

_SHOWN_CHARS = 200
_HEADER = """\
# What the scorecard is held to, in percent, on the items of the split `test`.
#
# `overall` is set by hand: floors, and ceilings for false_alarms, concerns and new_alarms.
# `families` and `disguises` are recorded: `pytest evals/suites -k scorecard --update-scorecard` writes what
# is reached, and makes nothing laxer unless told `--update-scorecard=lower`.
"""


class GuardThresholds(BaseModel):
    """What one guard set is held to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    overall: Limits = Field(default_factory=dict, description="Floors and ceilings over everything.")
    families: dict[str, Limits] = Field(default_factory=dict, description="Recorded figures by family.")
    disguises: dict[str, Limits] = Field(default_factory=dict, description="Recorded figures by disguise.")


Thresholds = Mapping[str, GuardThresholds]
"""By the name of the guard set."""


def read_thresholds(path: Path) -> dict[str, GuardThresholds]:
    """Return the thresholds of a file; none if there is no such file.

    Raises:
        ConfigurationError: the file cannot be read, or says what no threshold is.
    """
    try:
        _, value = read_toml(path)
    except FileNotFoundError:
        return {}
    thresholds = {}
    for name, table in value.items():
        try:
            thresholds[name] = GuardThresholds.model_validate(table)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            place = ".".join(str(part) for part in (name, *first["loc"]) if part != "[key]")[:_SHOWN_CHARS]
            raise ConfigurationError(f"{path}: {place}: {first['msg']}") from error
    return thresholds


def write_thresholds(path: Path, thresholds: Thresholds) -> None:
    """Write the thresholds, one line a family, so that a change reads as one."""
    lines = [_HEADER]
    for name, table in thresholds.items():
        lines += [f"[{_key(name)}.overall]", *(f"{key} = {value}" for key, value in table.overall.items())]
        for part, groups in (("families", table.families), ("disguises", table.disguises)):
            if groups:
                lines += ["", f"[{_key(name)}.{part}]"]
                lines += [f"{_key(group)} = {_inline(limits)}" for group, limits in sorted(groups.items())]
        lines.append("")
    replace_file(path, "\n".join(lines).encode("utf-8"))


def _inline(limits: Mapping[Measure, float]) -> str:
    return "{ " + ", ".join(f"{key} = {value}" for key, value in limits.items()) + " }"


def _key(name: str) -> str:
    if name.replace("-", "").replace("_", "").isalnum() and name.isascii():
        return name
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
