"""Other values at places of a project's modules, for one run."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath
from typing import Any

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.errors import TargetError
from redpen_evals.targets.loading import import_module


@contextlib.contextmanager
def attributes_set(values: Mapping[str, Any], *, root: Path | None = None) -> Iterator[None]:
    """Put values at places of modules for as long.

    Args:
        values: by place, ``support.mailer:PROMPT``; a text becomes a path where there is one now.
        root: folder of the project, for messages.

    Raises:
        ConfigurationError: there is no such place, or nothing can be put there.
    """
    with contextlib.ExitStack() as stack:
        for place, value in values.items():
            stack.callback(_put(place, value, root))
        yield


def _put(place: str, value: Any, root: Path | None) -> Any:
    owner, name = _find(place, root)
    before = getattr(owner, name)
    # What a class inherits, or a module makes when asked, is not its own to be put back.
    has_own = name in getattr(owner, "__dict__", {name: before})
    kept = getattr(owner, "__dict__", {}).get(name, before)
    try:
        setattr(owner, name, type(before)(value) if _names_path(before, value) else value)
    except (AttributeError, TypeError) as error:
        raise ConfigurationError(f"--variants attr.{place}: {error}") from None
    return lambda: setattr(owner, name, kept) if has_own else delattr(owner, name)


def _names_path(before: object, value: object) -> bool:
    return isinstance(before, PurePath) and isinstance(value, str)


def _find(place: str, root: Path | None) -> tuple[Any, str]:
    module, _, path = place.partition(":")
    try:
        owner = import_module(module, root)
    except TargetError as error:
        raise ConfigurationError(f"--variants attr.{place}: {error}") from error
    *parents, name = path.split(".")
    for part in parents:
        owner = _part(owner, part, place)
    _part(owner, name, place)
    return owner, name


def _part(owner: Any, part: str, place: str) -> Any:
    if not hasattr(owner, part):
        known = [one for one in dir(owner) if not one.startswith("_")]
        raise ConfigurationError(f"--variants attr.{place}: there is no {part!r}{suggestion(part, known)}")
    return getattr(owner, part)
