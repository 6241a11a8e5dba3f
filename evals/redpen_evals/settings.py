"""The settings of a project, from pytest's configuration or ``redpen.toml``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.toml_file import read_toml

PREFIX: Final = "redpen_"
_ON: Final = frozenset(("true", "yes", "on", "1"))
_OFF: Final = frozenset(("false", "no", "off", "0"))
_SHOWN_CHARS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """One setting of a project.

    Attributes:
        name: in pytest's configuration; ``redpen.toml`` has it without ``redpen_``.
        about: its description.
        default: its value unless a project sets it: a string, or lines.
    """

    name: str
    about: str
    default: str | tuple[str, ...]

    @property
    def key(self) -> str:
        """Its name in ``redpen.toml``."""
        return self.name.removeprefix(PREFIX)

    @property
    def is_switch(self) -> bool:
        """Whether it is on or off: ``true`` or ``false``."""
        return self.default in ("true", "false")


SETTINGS: Final = (
    Setting(name="redpen_scenarios", about="folder of the scenario library", default="scenarios"),
    Setting(name="redpen_cassettes", about="folder of the cassettes", default="cassettes"),
    Setting(name="redpen_runs", about="folder of the run records", default=".redpen/runs"),
    Setting(name="redpen_baseline", about="folder of the accepted outcomes", default="baseline"),
    Setting(name="redpen_prompts", about="folder of your own versions of the prompts", default=""),
    Setting(
        name="redpen_judges",
        about="folder of your own judges, and of the figures that judges reached on labelled drafts",
        default="judges",
    ),
    Setting(
        name="redpen_agents",
        about="short names of your own agents, a line each: mailer = support.mailer:write_reply",
        default=(),
    ),
    Setting(
        name="redpen_tools",
        about="module:factory that makes the tools of guarded-policy, in place of the canned ones",
        default="",
    ),
    Setting(
        name="redpen_policy",
        about="file with a policy pack, or folder of several; the default may be missing",
        default="redpen.policy.yaml",
    ),
    Setting(
        name="redpen_volatile",
        about="what differs in requests from run to run, a line each: $.metadata.user_id, $.messages[*].id, "
        "header:x-request-id",
        default=(),
    ),
    Setting(
        name="redpen_telemetry",
        about="telemetry services that agents may report to while they run, a line each: langsmith",
        default=(),
    ),
    Setting(
        name="redpen_model_variables",
        about="environment variables from which your own agents read the name of their model, a line each",
        default=("OPENAI_MODEL",),
    ),
    Setting(
        name="redpen_redact",
        about="true: replace personal data and organisation ids that a live model answers, in its recordings",
        default="false",
    ),
    Setting(
        name="redpen_events",
        about="where runs write events: jsonl:PATH, sqlite:///PATH or postgresql://…; default: nowhere",
        default="",
    ),
    Setting(
        name="redpen_events_texts",
        about="false: events hold no texts, only names, codes, numbers and hashes",
        default="true",
    ),
    Setting(
        name="redpen_reviews",
        about="where runs that wait for a reviewer are stored: sqlite:///PATH or postgresql://…",
        default="sqlite:///reviews.db",
    ),
    Setting(name="redpen_prices", about="price table, for the cost of recordings", default="prices.toml"),
    Setting(
        name="redpen_scorecard",
        about="thresholds file of the scorecard",
        default="evals/suites/scorecard.toml",
    ),
    Setting(
        name="redpen_fuzz_profile",
        about="how thoroughly properties are tested: quick, ci, dev or nightly; ci with -m fuzz, else quick",
        default="",
    ),
)
"""Every setting, in the order in which they are shown."""

KNOWN: Final[Mapping[str, Setting]] = MappingProxyType({setting.name: setting for setting in SETTINGS})
"""The settings by their names in pytest's configuration."""

DEFAULTS: Final[Mapping[str, str]] = MappingProxyType(
    {setting.name: setting.default for setting in SETTINGS if isinstance(setting.default, str)}
)
"""Default values of the settings of one line."""


def read_switch(name: str, value: object) -> bool:
    """Return the value of a switch.

    Args:
        name: of the setting, for the error.
        value: a bool, or a word for one: ``true``, ``yes``, ``on``, ``1`` or their opposites.

    Raises:
        ConfigurationError: the value is neither.
    """
    text = str(value).strip().lower()
    if text in _ON:
        return True
    if text in _OFF:
        return False
    raise ConfigurationError(f"{name}: {text[:_SHOWN_CHARS]!r} is neither `true` nor `false`")


NAME: Final = "redpen.toml"


@dataclass(frozen=True, slots=True, kw_only=True)
class RedpenToml:
    """The contents of a ``redpen.toml``.

    Attributes:
        path: the file; None where there is none.
        values: settings by their names in pytest's configuration.
        origins: ``file:line`` of each.
    """

    path: Path | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    origins: Mapping[str, str] = field(default_factory=dict)


def find_redpen_toml(root: Path, *, above: bool) -> RedpenToml:
    """Read the ``redpen.toml`` of a project.

    Args:
        root: folder of the project.
        above: whether to search the folders above as well, if nothing else defines the root.

    Raises:
        ConfigurationError: it cannot be read, or a setting is unknown or of another type.
    """
    for folder in (root, *(root.parents if above else ())):
        if (folder / NAME).is_file():
            return _read(folder / NAME)
    return RedpenToml()


def line_of(text: str, key: str) -> int | None:
    """Return the line of a key in a settings file, quoted or not; None if it has none."""
    match = re.search(rf"""(?m)^[ \t]*["']?{re.escape(key)}["']?[ \t]*[=:]""", text)
    return None if match is None else text.count("\n", 0, match.start()) + 1


def refuse_unknown(name: str, place: str, known: Mapping[str, object]) -> None:
    """Raise ConfigurationError for an unknown setting, with the nearest known one."""
    if name not in known:
        raise ConfigurationError(
            f"{place}: {name[:_SHOWN_CHARS]}: unknown setting{suggestion(name, known)}; "
            "`redpen config` lists all settings"
        )


def _read(path: Path) -> RedpenToml:
    text, table = read_toml(path)
    known = {setting.key: setting for setting in SETTINGS}
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for key, raw in table.items():
        line = line_of(text, key)
        place = f"{path}:{line}" if line else str(path)
        refuse_unknown(key, place, known)
        is_switch = known[key].is_switch and isinstance(raw, bool)
        value = str(raw).lower() if is_switch else raw
        _check_type(known[key], value, place)
        values[f"{PREFIX}{key}"] = value
        origins[f"{PREFIX}{key}"] = place
    return RedpenToml(path=path, values=values, origins=origins)


def _check_type(setting: Setting, value: object, place: str) -> None:
    if isinstance(setting.default, str):
        if not isinstance(value, str):
            raise ConfigurationError(f"{place}: {setting.key}: has to be a string")
    elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigurationError(f"{place}: {setting.key}: has to be a list of strings")
