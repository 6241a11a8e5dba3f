"""``redpen.toml``: the settings of a project, for pytest and for the command alike."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.settings import PREFIX, SETTINGS, Setting
from redpen_evals.toml_file import read_toml

NAME: Final = "redpen.toml"
_SHOWN_CHARS: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class RedpenToml:
    """What a ``redpen.toml`` says.

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
        above: whether the folders above are looked into as well: where nothing else names the root.

    Raises:
        ConfigurationError: it cannot be read, or a setting is none, or of another type.
    """
    for folder in (root, *(root.parents if above else ())):
        if (folder / NAME).is_file():
            return _read(folder / NAME)
    return RedpenToml()


def line_of(text: str, key: str) -> int | None:
    """Return the line on which a key of a settings file is given, by its name in quotes or without."""
    found = re.search(rf"""(?m)^[ \t]*["']?{re.escape(key)}["']?[ \t]*[=:]""", text)
    return None if found is None else text.count("\n", 0, found.start()) + 1


def refuse_unknown(name: str, place: str, known: Mapping[str, object]) -> None:
    """Raise ConfigurationError for a setting that there is not, with the nearest one that there is."""
    if name not in known:
        raise ConfigurationError(
            f"{place}: {name[:_SHOWN_CHARS]}: unknown setting{suggestion(name, known)}; "
            "`redpen config` shows them all"
        )


def _read(path: Path) -> RedpenToml:
    text, table = read_toml(path)
    known = {setting.key: setting for setting in SETTINGS}
    values: dict[str, object] = {}
    origins: dict[str, str] = {}
    for key, given in table.items():
        line = line_of(text, key)
        place = f"{path}:{line}" if line else str(path)
        refuse_unknown(key, place, known)
        is_switch = known[key].is_switch and isinstance(given, bool)
        value = str(given).lower() if is_switch else given
        _check_type(known[key], value, place)
        values[f"{PREFIX}{key}"] = value
        origins[f"{PREFIX}{key}"] = place
    return RedpenToml(path=path, values=values, origins=origins)


def _check_type(setting: Setting, value: object, place: str) -> None:
    if isinstance(setting.default, str):
        if not isinstance(value, str):
            raise ConfigurationError(f"{place}: {setting.key}: has to be a text")
    elif not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigurationError(f"{place}: {setting.key}: has to be a list of texts")
