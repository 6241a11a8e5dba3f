"""What models cost, from the price table that the user keeps."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.toml_file import read_toml

DEFAULT_PRICES: Final = Path("prices.toml")
"""The table, unless the setting ``redpen_prices`` names another."""

_TABLE: Final = "models"
_PER: Final = Decimal(1_000_000)
_DEAREST: Final = 1_000_000
_LEAST_SHOWN: Final = Decimal("0.0001")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_MAX_FAULTS: Final = 20
_SHOWN_CHARS: Final = 200
_PROBLEMS: Final = {
    "missing": "is missing",
    "greater_than_equal": "is negative",
    "less_than_equal": f"is over {_DEAREST:,}",
    "finite_number": "is no number",
    "dict_type": "is no table",
    "model_type": "is no table",
}


def _number(value: object) -> object:
    # TOML's booleans are integers to Python, and pydantic takes a text for a decimal.
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return value
    raise PydanticCustomError("finite_number", "no number")


_UsdPerMillion = Annotated[Decimal, BeforeValidator(_number), Field(ge=0, le=_DEAREST)]


class ModelPrice(BaseModel):
    """What one model costs, in US dollars for a million tokens."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input_usd_per_million: _UsdPerMillion = Field(description="Tokens of requests.")
    output_usd_per_million: _UsdPerMillion = Field(description="Tokens of answers.")


class _PriceFile(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    models: dict[str, ModelPrice] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class Prices:
    """The prices of a file.

    Attributes:
        path: the file, which need not exist.
        models: price by the model's exact name: a near name may cost ten times as much.
    """

    path: Path = DEFAULT_PRICES
    models: dict[str, ModelPrice] = field(default_factory=dict)

    def cost_usd(self, model: str, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
        """Return what calls cost, in US dollars.

        Args:
            model: the model's name; ``scripted`` costs nothing.
            prompt_tokens: of all requests, at least 0.
            completion_tokens: of all answers, at least 0.

        Returns:
            The exact cost, or None where the model has no price.
        """
        if model == SCRIPTED_MODEL:
            return Decimal(0)
        price = self.models.get(model)
        if price is None:
            return None
        asked = prompt_tokens * price.input_usd_per_million
        return (asked + completion_tokens * price.output_usd_per_million) / _PER

    def explain_missing(self, model: str) -> str:
        """Say that a model has no price, and which lines give it one."""
        gone = "" if self.path.is_file() else ", there is no such file"
        return (
            f"{self.path}: no price for model {model!r}{gone}{suggestion(model, self.models)}; add\n"
            f"  [{_TABLE}.{_key(model)}]\n"
            "  input_usd_per_million = …   # a number, for a million tokens of requests\n"
            "  output_usd_per_million = …  # likewise of answers"
        )


def read_prices(path: Path) -> Prices:
    """Read a price table.

    Args:
        path: a TOML file with a table ``[models."NAME"]`` a model; if there is none, no model has a price.

    Raises:
        ConfigurationError: the file cannot be read, is no TOML, or holds something else than prices.
    """
    try:
        text, value = read_toml(path, parse_float=_decimal)
    except FileNotFoundError:
        return Prices(path=path)
    try:
        return Prices(path=path, models=_PriceFile.model_validate(value).models)
    except ValidationError as error:
        raise ConfigurationError("\n".join(_faults(path, text, error))) from error


def format_usd(amount: Decimal) -> str:
    """Write an amount with the digits that count.

    Args:
        amount: US dollars; negative for what is saved.

    Returns:
        Such as ``$1,234.50``, ``$0.42``, ``$0.0037``, ``<$0.0001``, ``$0``, ``-$0.42``.
    """
    sign, size = ("-" if amount < 0 else ""), abs(amount)
    if not size:
        return "$0"
    if size < _LEAST_SHOWN:
        return f"{sign}<${_LEAST_SHOWN}"
    # Two significant digits, and never less than cents; 0.0999 rounds to one more place than it has.
    digits = max(2, 1 - Decimal(f"{size:.1E}").adjusted())
    return f"{sign}${size:,.{digits}f}"


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text[:20]} is out of range") from None


def _faults(path: Path, text: str, error: ValidationError) -> list[str]:
    faults, lines = error.errors(include_input=False), _lines(text)
    found = []
    for fault in faults[:_MAX_FAULTS]:
        where = [str(part) for part in fault["loc"]]
        if fault["type"] == "extra_forbidden":
            known = [_TABLE] if len(where) == 1 else ModelPrice.model_fields
            problem = f"unknown key{suggestion(where[-1], known)}"
        else:
            problem = _PROBLEMS.get(fault["type"], fault["msg"])
        line = _line_of(lines, where)
        field_name = ".".join(map(_key, where))[:_SHOWN_CHARS]
        found.append(f"{path}{f':{line}' if line else ''}: {field_name}: {problem}")
    if len(faults) > _MAX_FAULTS:
        found.append(f"{path}: and {len(faults) - _MAX_FAULTS} more faults")
    return found


def _lines(text: str) -> list[tuple[str, list[str]]]:
    """Return the lines of a text, each with the name of the table that it stands in."""
    table: list[str] = []
    found = []
    for line in map(str.strip, text.splitlines()):
        if line.startswith("["):
            table = _header(line)
        found.append((line, table))
    return found


def _line_of(lines: Sequence[tuple[str, list[str]]], where: list[str]) -> int | None:
    # The parser keeps no lines. Tables written with a header are found; what is written inline is not.
    header = None
    for number, (line, table) in enumerate(lines, start=1):
        if line.startswith("["):
            if table[: len(where)] == where or table == where[:-1]:
                header = number
        elif table == where[:-1] and _starts_key(line, where[-1]):
            return number
    return header


def _header(line: str) -> list[str]:
    name: list[str] = []
    try:
        value: object = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        # Inside a list over several lines a line may begin like a header.
        return name
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        name.append(key)
    return name


def _starts_key(line: str, key: str) -> bool:
    return any(re.match(rf"{re.escape(form)}\s*=", line) for form in (key, _quoted(key), f"'{key}'"))


def _key(name: str) -> str:
    return name if _BARE_KEY.fullmatch(name) else _quoted(name)


def _quoted(name: str) -> str:
    # JSON's escapes are TOML's too.
    return json.dumps(name, ensure_ascii=False)
