"""The thresholds file: the figures that each guard set has to reach."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.atomic_write import replace_file
from redpen_evals.attacks import DISGUISES
from redpen_evals.scenario_library.drafts import Family
from redpen_evals.toml_file import key_text, line_of, read_toml

Measure = Literal["catch", "false_alarms", "right_code", "concerns", "kept", "new_alarms"]
"""``kept`` and ``new_alarms`` are catch and false alarms after a disguise."""

CEILINGS: frozenset[Measure] = frozenset({"false_alarms", "concerns", "new_alarms"})
"""Measures whose threshold is a maximum; that of the others is a minimum."""

Part = Literal["families", "disguises"]
GROUP_MEASURES: Mapping[Part, tuple[Measure, ...]] = {
    "families": ("catch", "false_alarms", "right_code"),
    "disguises": ("kept", "new_alarms"),
}
"""The measures that a family, or a disguise, may have thresholds for."""

OVERALL_MEASURES: Mapping[Part, tuple[Measure, ...]] = {
    **GROUP_MEASURES,
    "families": (*GROUP_MEASURES["families"], "concerns"),
}

Percent = Annotated[float, Field(ge=0, le=100)]
Limits = dict[Measure, Percent]

_SHOWN_CHARS = 200
_HEADER = """\
# Thresholds of the scorecard, in percent, on the items of the split `test`.
#
# `overall` is set by hand: floors, and ceilings for false_alarms, concerns and new_alarms.
# `families` and `disguises` are recorded: `pytest evals/suites -k scorecard --update-scorecard` writes the
# figures, and makes none laxer; `--update-scorecard=lower` does.
"""


class GuardThresholds(BaseModel):
    """The thresholds of one guard set."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    overall: Limits = Field(default_factory=dict, description="Floors and ceilings over all items.")
    families: dict[str, Limits] = Field(default_factory=dict, description="Recorded figures by family.")
    disguises: dict[str, Limits] = Field(default_factory=dict, description="Recorded figures by disguise.")

    def groups(self, part: Part) -> Mapping[str, Limits]:
        """Return the thresholds by family, or by disguise."""
        return self.families if part == "families" else self.disguises


Thresholds = Mapping[str, GuardThresholds]
"""By the name of the guard set."""


def read_thresholds(path: Path) -> dict[str, GuardThresholds]:
    """Return the thresholds of a file, none if there is no file; raises ConfigurationError for a fault."""
    try:
        text, value = read_toml(path)
    except FileNotFoundError:
        return {}
    thresholds = {}
    for name, table in value.items():
        try:
            thresholds[name] = GuardThresholds.model_validate(table)
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            where = [name, *(str(part) for part in first["loc"] if part != "[key]")]
            known = tuple(GuardThresholds.model_fields) if len(where) == 2 else get_args(Measure)
            unknown = first["type"] in {"extra_forbidden", "literal_error"}
            problem = f"unknown key{suggestion(where[-1], known)}" if unknown else first["msg"]
            raise _fault(path, text, where, problem) from error
        for where, problem in _misplaced(thresholds[name]):
            raise _fault(path, text, [name, *where], problem)
    return thresholds


def check_names(path: Path, thresholds: Thresholds, names: Collection[str]) -> tuple[str, ...]:
    """Return a line for each table of the file that belongs to no guard set of the session.

    It raises ConfigurationError if the name is similar to that of a guard set without a table.
    """
    notes = []
    for name in thresholds:
        if name in names:
            continue
        text, _ = read_toml(path)
        line = line_of(text, [name])
        if near := suggestion(name, set(names) - set(thresholds)):
            raise _fault(path, text, [name], f"no guard set has this name{near}")
        notes.append(f"{path}:{line}: {name}: no guard set of this session has this name")
    return tuple(notes)


def _misplaced(table: GuardThresholds) -> Iterator[tuple[list[str], str]]:
    """Yield the unusable entries: unknown families and disguises, and measures of the other part."""
    names: Mapping[Part, Collection[str]] = {
        "families": get_args(Family),
        "disguises": [attack.name for attack in DISGUISES],
    }
    for part, known in names.items():
        for group, limits in table.groups(part).items():
            if group not in known:
                yield [part, group], f"has an unknown name{suggestion(group, known)}"
            for measure in limits:
                if measure not in GROUP_MEASURES[part]:
                    measures = ", ".join(sorted(GROUP_MEASURES[part]))
                    yield [part, group, measure], f"{part} have {measures} only"


def _fault(path: Path, text: str, where: Sequence[str], problem: str) -> ConfigurationError:
    line = line_of(text, where)
    place = ".".join(map(key_text, where))[:_SHOWN_CHARS]
    return ConfigurationError(f"{path}{f':{line}' if line else ''}: {place}: {problem}")


def write_thresholds(path: Path, thresholds: Thresholds) -> None:
    """Write the thresholds, one line per family, for readable diffs."""
    lines = [_HEADER]
    for name, table in thresholds.items():
        lines += [f"[{key_text(name)}.overall]", *_pairs(table.overall)]
        for part in GROUP_MEASURES:
            if groups := table.groups(part):
                lines += ["", f"[{key_text(name)}.{part}]"]
                inline = {group: ", ".join(_pairs(limits)) for group, limits in sorted(groups.items())}
                lines += [f"{key_text(group)} = {{ {pairs} }}" for group, pairs in inline.items()]
        lines.append("")
    replace_file(path, "\n".join(lines).encode("utf-8"))


def _pairs(limits: Limits) -> list[str]:
    return [f"{key} = {value}" for key, value in limits.items()]
