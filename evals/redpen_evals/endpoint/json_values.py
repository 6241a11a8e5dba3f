"""Checks that a value from a YAML file is a JSON value, and says where it is not."""

import math
from typing import Annotated, Any, Final, TypeAlias

from pydantic import BeforeValidator, JsonValue, ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

MAX_DEPTH: Final = 100
"""Deepest nesting of a value in a scenario file; a deeper one is written as text."""

MAX_NODES: Final = 100_000
"""Most items of one value: YAML aliases let a short file stand for an endless one."""

_Place: TypeAlias = tuple[str | int, ...]


def check_json_value(value: object) -> Any:
    """Return a value as it is if JSON can hold it.

    Args:
        value: what a YAML or JSON reader made of a file.

    Returns:
        The same object.

    Raises:
        ValidationError: naming every place that JSON cannot hold: a non-finite number, a key that is no
            text, a date or another type, nesting beyond ``MAX_DEPTH`` or more than ``MAX_NODES`` items.
    """
    problems: dict[_Place, str] = {}
    pending: list[tuple[_Place, object]] = [((), value)]
    nodes = 0
    while pending:
        place, item = pending.pop()
        nodes += 1
        if nodes > MAX_NODES:
            problems[()] = f"the value has more than {MAX_NODES} items"
            break
        if len(place) > MAX_DEPTH:
            problems[place] = (
                f"the value nests deeper than {MAX_DEPTH} levels; write such JSON as text under `content`"
            )
        elif isinstance(item, dict):
            for key in item:
                if not isinstance(key, str):
                    problems[*place, str(key)] = f"the key {key!r} is not text; put it in quotes"
            pending.extend(((*place, str(key)), part) for key, part in reversed(item.items()))
        elif isinstance(item, list):
            pending.extend(((*place, index), item[index]) for index in reversed(range(len(item))))
        elif problem := _scalar_problem(item):
            problems[place] = problem
    if problems:
        title = "JSON value"
        raise ValidationError.from_exception_data(
            title,
            [
                InitErrorDetails(type=PydanticCustomError("json_value", problem), loc=place, input=None)
                for place, problem in problems.items()
            ],
        )
    return value


def _scalar_problem(item: object) -> str | None:
    if isinstance(item, float) and not math.isfinite(item):
        return f"{item} is no JSON number; write such a reply as text under `content`"
    if item is None or isinstance(item, bool | int | float | str):
        return None
    return f"a {type(item).__name__} is no JSON value; put it in quotes to make it text"


CheckedJson = Annotated[JsonValue, BeforeValidator(check_json_value)]
"""Any JSON value; an error names the place inside the value."""
