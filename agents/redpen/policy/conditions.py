"""Conditions of a policy: paths into a JSON object, and a closed set of operators on their values.

There are no expressions, so that a reader can see what a condition matches without evaluating it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Self, cast

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    RootModel,
    SerializerFunctionWrapHandler,
    WithJsonSchema,
    model_serializer,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from redpen.policy.model import PolicyModel
from redpen.types import JsonValue

Scalar = bool | int | float | str | None

MAX_VALUES: Final = 200
"""Maximum number of values in a list of a condition."""
MAX_PATH_CHARS: Final = 200
"""Maximum length of a path, in characters."""

_SCALAR_SCHEMA = {"type": ["boolean", "number", "string", "null"]}
MISSING: Final = object()
"""Value of a path that does not exist."""


def _scalar(value: object) -> object:
    if value is None or isinstance(value, bool | int | str) or _is_number(value):
        return value
    raise ValueError("must be a text, a number, true, false or null")


def _number(value: object) -> object:
    if _is_number(value):
        return value
    raise ValueError("must be a number")


def _is_number(value: object) -> bool:
    return (isinstance(value, int) and not isinstance(value, bool)) or (
        isinstance(value, float) and math.isfinite(value)
    )


_AnyScalar = Annotated[Any, AfterValidator(_scalar), WithJsonSchema(_SCALAR_SCHEMA)]
_Number = Annotated[float, BeforeValidator(_number)]
_Values = Annotated[tuple[_AnyScalar, ...], Field(min_length=1, max_length=MAX_VALUES)]
_Range = tuple[_Number, _Number]


class Operators(PolicyModel):
    """Operators that the value at one path has to satisfy, all of them.

    Integers and floats compare by value; booleans are not numbers. A value of a type that an operator cannot
    compare satisfies only ``ne`` and ``not_in``; a missing path also satisfies ``exists: false``.

    Attributes:
        eq: the value equals this one.
        ne: the value differs from this one.
        gt: the value is a number greater than this one.
        ge: the value is a number greater than or equal to this one.
        lt: the value is a number less than this one.
        le: the value is a number less than or equal to this one.
        in_: the value is one of these; ``in`` in a file.
        not_in: the value is none of these.
        outside: the value is a number less than the first or greater than the second.
        inside: the value is a number between the first and the second, inclusive.
        exists: whether the path exists; a path with the value null exists.
        contains: the value is a string that contains this one, ignoring case, or a list with this element.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    eq: _AnyScalar = None
    ne: _AnyScalar = None
    gt: _Number | None = None
    ge: _Number | None = None
    lt: _Number | None = None
    le: _Number | None = None
    in_: _Values | None = Field(default=None, alias="in")
    not_in: _Values | None = None
    outside: _Range | None = None
    inside: _Range | None = None
    exists: bool | None = None
    contains: _AnyScalar = None

    @model_validator(mode="before")
    @classmethod
    def _expand_short_forms(cls, given: object) -> object:
        if isinstance(given, list | tuple):
            return {"in": given}
        return given if isinstance(given, Mapping | Operators) else {"eq": given}

    @model_validator(mode="after")
    def _check_operators(self) -> Self:
        if not self.model_fields_set:
            raise ValueError("has no operator")
        for name in ("outside", "inside"):
            ends = getattr(self, name)
            if ends is not None and ends[0] > ends[1]:
                raise ValueError(f"{name}: the first number is greater than the second")
        for name in self.model_fields_set - {"eq", "ne", "contains"}:
            if getattr(self, name) is None:
                raise ValueError(f"{name.rstrip('_')}: has no value")
        return self

    @model_serializer(mode="wrap")
    def _serialize_given_fields(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        values = dump(self)
        return {
            name.rstrip("_"): values.get(name, values.get(name.rstrip("_")))
            for name in type(self).model_fields
            if name in self.model_fields_set
        }

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Return the schema, which includes the short forms, a bare value and a list."""
        return {
            "anyOf": [
                _SCALAR_SCHEMA,
                {"type": "array", "items": _SCALAR_SCHEMA},
                handler(core_schema),
            ]
        }

    def matches(self, value: object) -> bool:
        """Whether a value, or ``MISSING``, satisfies all operators."""
        return all(_satisfies(name, getattr(self, name), value) for name in self.model_fields_set)


class Conditions(RootModel[dict[Annotated[str, Field(min_length=1, max_length=MAX_PATH_CHARS)], Operators]]):
    """Conditions on paths of a JSON object, all of which have to be met; an empty set matches every object.

    ``{severity: [P0, P1], snapshot.eta_minutes: {gt: 120}}``: a bare value means ``eq``, a list means ``in``.
    The steps of a path are separated by dots; an integer is an index into a list, from 0.
    """

    model_config = ConfigDict(frozen=True)

    def __hash__(self) -> int:
        """Return a hash of the paths and their operators."""
        return hash(tuple(self.root.items()))

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths, in the order of the file."""
        return tuple(self.root)

    def matches(self, situation: Mapping[str, JsonValue], *, within: tuple[str, ...] = ()) -> bool:
        """Whether an object meets all conditions.

        Args:
            situation: any JSON object.
            within: keys under which a path is also looked up if the object itself does not have it, e.g.
                ``severity`` under ``incident``.
        """
        return all(
            operators.matches(_find_within(situation, path, within)) for path, operators in self.root.items()
        )


def value_at(situation: object, path: str) -> object:
    """Return the value at a path of a JSON value, or ``MISSING``.

    Keys may contain dots; longer keys are tried first.
    """
    return next(_iter_values_at(situation, path.split(".")), MISSING)


def _find_within(situation: Mapping[str, JsonValue], path: str, within: tuple[str, ...]) -> object:
    found = value_at(situation, path)
    for key in within:
        if found is MISSING:
            found = value_at(situation, f"{key}.{path}")
    return found


def _iter_values_at(value: object, steps: list[str]) -> Iterator[object]:
    if not steps:
        yield value
    elif isinstance(value, Mapping):
        for count in range(len(steps), 0, -1):
            key = ".".join(steps[:count])
            if key in value:
                yield from _iter_values_at(value[key], steps[count:])
    elif isinstance(value, list) and steps[0].isascii() and steps[0].isdecimal() and len(steps[0]) < 10:
        at = int(steps[0])
        if at < len(value):
            yield from _iter_values_at(value[at], steps[1:])


def _satisfies(operator: str, wanted: Any, value: object) -> bool:
    match operator:
        case "exists":
            return (value is not MISSING) is wanted
        case "eq" | "ne":
            return _same(value, wanted) is (operator == "eq")
        case "in_" | "not_in":
            return any(_same(value, item) for item in wanted) is (operator == "in_")
        case "contains":
            return _contains(value, wanted)
        case _:
            return _is_number(value) and _compares(operator, wanted, cast("float", value))


def _compares(operator: str, wanted: Any, value: float) -> bool:
    match operator:
        case "gt":
            return bool(value > wanted)
        case "ge":
            return bool(value >= wanted)
        case "lt":
            return bool(value < wanted)
        case "le":
            return bool(value <= wanted)
        case "outside":
            return bool(value < wanted[0] or value > wanted[1])
        case _:
            return bool(wanted[0] <= value <= wanted[1])


def _same(value: object, wanted: Scalar) -> bool:
    if isinstance(value, bool) or isinstance(wanted, bool):
        return value is wanted
    return value is not MISSING and type(value) in _COMPARABLE_TYPES[type(wanted)] and value == wanted


_NUMBERS = (int, float)
_COMPARABLE_TYPES: Final[Mapping[type, tuple[type, ...]]] = {
    int: _NUMBERS,
    float: _NUMBERS,
    str: (str,),
    type(None): (type(None),),
}


def _contains(value: object, wanted: Scalar) -> bool:
    if isinstance(value, str):
        return isinstance(wanted, str) and wanted.casefold() in value.casefold()
    return isinstance(value, list) and any(_same(item, wanted) for item in value)
