"""What differs in requests from run to run, such as ids and dates: named by a setting, never guessed."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from redpen.errors import ConfigurationError
from redpen_evals.cassettes.encoding import JsonBody, body_bytes, parse_body

MASK: Final = "(volatile)"
"""What stands in a recording in the place of a volatile value."""

_STEP: Final = re.compile(r"\.([A-Za-z_][\w-]{0,99})|\[\"([^\"]{1,200})\"\]|\[(\*|[0-9]{1,6})\]")
_HEADER: Final = re.compile(r"header:([A-Za-z0-9-]{1,100})")

Step = str | int | None
"""A key, a position in a list, or None for every position."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatile:
    """Places whose values are neither compared nor kept.

    Attributes:
        names: as the setting has them, for reports.
        paths: places in JSON bodies of requests, as steps from the outermost value.
        headers: names of response headers, in lower case.
    """

    names: tuple[str, ...] = ()
    paths: tuple[tuple[Step, ...], ...] = ()
    headers: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether any body is changed."""
        return bool(self.paths)

    def masked(self, content: bytes) -> bytes:
        """Return a request's body with the mask in the place of each volatile value."""
        body = parse_body(content)
        if not isinstance(body, JsonBody):
            return content
        value: Any = json.loads(body_bytes(body))
        changed = [_mask(value, path) for path in self.paths]
        return body_bytes(JsonBody(value)) if any(changed) else content


def read_volatile(names: Iterable[str]) -> Volatile:
    """Return what a setting names.

    Args:
        names: ``$.metadata.user_id``, ``$.messages[*].id`` or ``header:x-request-id`` each.

    Raises:
        ConfigurationError: a name is neither a path nor a header.
    """
    kept = tuple(dict.fromkeys(name.strip() for name in names if name.strip()))
    paths, headers = [], set()
    for name in kept:
        if match := _HEADER.fullmatch(name):
            headers.add(match[1].lower())
        else:
            paths.append(_path(name))
    return Volatile(names=kept, paths=tuple(paths), headers=frozenset(headers))


def _path(name: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    at = 1
    while name.startswith("$") and at < len(name) and (step := _STEP.match(name, at)):
        key = step[1] or step[2]
        steps.append(key if key is not None else None if step[3] == "*" else int(step[3]))
        at = step.end()
    if not steps or at != len(name):
        raise ConfigurationError(
            f"redpen_volatile: {name!r} is no place in a body: write $.metadata.user_id, "
            '$.messages[*].id, $["a key"], or header:x-request-id'
        )
    return tuple(steps)


def _mask(value: Any, path: tuple[Step, ...]) -> bool:
    step, *rest = path
    places: list[Any]
    if isinstance(value, dict) and isinstance(step, str):
        places = [step] if step in value else []
    elif isinstance(value, list) and not isinstance(step, str):
        every = range(len(value))
        places = list(every) if step is None else [step] if step in every else []
    else:
        return False
    for place in places:
        if rest:
            _mask(value[place], tuple(rest))
        else:
            value[place] = MASK
    return bool(places)
