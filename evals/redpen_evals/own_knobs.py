"""Knobs of agents of somebody's own: arguments, environment variables, and values at places of modules."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen.text.json_values import parse_json
from redpen.text.suggestion import suggestion
from redpen_evals.targets.environment import is_secret_name

ARGUMENT: Final = "arg."
ENVIRONMENT: Final = "env."
ATTRIBUTE: Final = "attr."
OWN_KNOBS: Final = (ARGUMENT, ENVIRONMENT, ATTRIBUTE)

_FILE: Final = "file:"
_MAX_FILE_BYTES: Final = 1_000_000
_FORMS: Final = {
    ARGUMENT: (re.compile(r"[^\W\d]\w*"), "arg.NAME=a,b, NAME being a parameter of the agent"),
    ENVIRONMENT: (re.compile(r"[A-Za-z_][A-Za-z0-9_]*"), "env.NAME=a,b"),
    ATTRIBUTE: (
        re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*"),
        "attr.package.module:NAME=a,b",
    ),
}


def is_own_knob(name: str) -> bool:
    """Return whether a knob is one that only agents of somebody's own have."""
    return name.startswith(OWN_KNOBS)


def check_own_knob(name: str) -> None:
    """Refuse a name that means no place; raises ConfigurationError."""
    kind = next(kind for kind in OWN_KNOBS if name.startswith(kind))
    form, example = _FORMS[kind]
    if not form.fullmatch(name.removeprefix(kind)):
        raise ConfigurationError(f"--variants {name}: write {example}")
    if kind == ENVIRONMENT and is_secret_name(name):
        raise ConfigurationError(
            f"--variants {name}: variants name folders and stand in reports, no place for a key"
        )


def own_values(name: str, values: list[str]) -> list[str]:
    """Return the values of a knob as its labels show them.

    Args:
        name: of the knob.
        values: as they are written; where the first is a file, the others are files too.
    """
    if name.startswith(ENVIRONMENT) or not values[0].startswith(_FILE):
        return values
    return [value if value.startswith(_FILE) else f"{_FILE}{value}" for value in values]


def read_own_value(name: str, text: str, root: Path) -> Any:
    """Return what a knob is set to.

    Args:
        name: of the knob.
        text: JSON where it is such, the text of a file with ``file:PATH``, else the text itself; an
            environment variable is always the text itself.
        root: folder of the project, from which files are named.

    Raises:
        ConfigurationError: the value cannot be used.
    """
    if not text.isprintable():
        raise ConfigurationError(f"--variants {name}={text!r}: a value has printable characters only")
    if name.startswith(ENVIRONMENT):
        return text
    if text.startswith(_FILE):
        return _read_file(name, text.removeprefix(_FILE), root)
    try:
        return parse_json(text)
    except ValueError:
        if text.startswith(("[", "{")):
            raise ConfigurationError(
                f"--variants {name}={text}: commas part the values, so that no list or object can be one"
            ) from None
        return text


def _read_file(name: str, written: str, root: Path) -> str:
    path = root / written
    try:
        if path.stat().st_size > _MAX_FILE_BYTES:
            raise ConfigurationError(f"--variants {name}: {written} is larger than {_MAX_FILE_BYTES:,} bytes")
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ConfigurationError(f"--variants {name}: {written} is no UTF-8 text") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ConfigurationError(
            f"--variants {name}: {written}: {reason}{_nearest_file(written, root)}"
        ) from None


def _nearest_file(written: str, root: Path) -> str:
    folder = (root / written).parent
    try:
        known = [(Path(written).parent / one.name).as_posix() for one in folder.iterdir() if one.is_file()]
    except (OSError, ValueError):
        return ""
    return suggestion(written, known)
