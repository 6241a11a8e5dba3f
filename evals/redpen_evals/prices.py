"""Prices of models, from the user's price table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion
from redpen_evals.cassettes.store import SCRIPTED_MODEL
from redpen_evals.toml_file import key_text, line_of, read_toml

DEFAULT_PRICES: Final = Path("prices.toml")
"""The table, unless the setting ``redpen_prices`` names another."""

_TABLE: Final = "models"
_PER: Final = Decimal(1_000_000)
_MAX_PRICE: Final = 1_000_000
_LEAST_SHOWN: Final = Decimal("0.0001")
_MAX_FAULTS: Final = 20
_SHOWN_CHARS: Final = 200
_PROBLEMS: Final = {
    "missing": "is missing",
    "greater_than_equal": "is negative",
    "less_than_equal": f"is over {_MAX_PRICE:,}",
    "finite_number": "is not a number",
    "dict_type": "is not a table",
    "model_type": "is not a table",
}


def _number(value: object) -> object:
    # TOML's booleans are integers to Python, and pydantic accepts a string as a decimal.
    if isinstance(value, (int, Decimal)) and not isinstance(value, bool):
        return value
    raise PydanticCustomError("finite_number", "not a number")


_UsdPerMillion = Annotated[Decimal, BeforeValidator(_number), Field(ge=0, le=_MAX_PRICE)]


class ModelPrice(BaseModel):
    """The price of one model, in US dollars for a million tokens."""

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
        models: price by the model's exact name; a similar name may cost ten times as much.
    """

    path: Path = DEFAULT_PRICES
    models: dict[str, ModelPrice] = field(default_factory=dict)

    def cost_usd(self, model: str, prompt_tokens: int, completion_tokens: int) -> Decimal | None:
        """Return the cost of calls, in US dollars.

        Args:
            model: the model's name; ``scripted`` costs nothing.
            prompt_tokens: of all requests, at least 0.
            completion_tokens: of all answers, at least 0.

        Returns:
            The exact cost, or None if the model has no price.
        """
        if model == SCRIPTED_MODEL:
            return Decimal(0)
        price = self.models.get(model)
        if price is None:
            return None
        input_cost = prompt_tokens * price.input_usd_per_million
        return (input_cost + completion_tokens * price.output_usd_per_million) / _PER

    def total_usd(self, tokens: Mapping[str, tuple[int, int]]) -> tuple[Decimal, list[str]]:
        """Return the cost of calls in US dollars, and the models without a price, which it excludes.

        Args:
            tokens: number of prompt and completion tokens, by model.
        """
        costs = {model: self.cost_usd(model, *counts) for model, counts in tokens.items()}
        known = [cost for cost in costs.values() if cost is not None]
        return sum(known, start=Decimal(0)), [model for model, cost in costs.items() if cost is None]

    def explain_missing(self, model: str) -> str:
        """Return the message for a model without a price, with the lines that add one."""
        gone = "" if self.path.is_file() else ", there is no such file"
        return (
            f"{self.path}: no price for model {model!r}{gone}{suggestion(model, self.models)}; add\n"
            f"  [{_TABLE}.{key_text(model)}]\n"
            "  input_usd_per_million = …   # a number, for a million tokens of requests\n"
            "  output_usd_per_million = …  # likewise of answers"
        )


def read_prices(path: Path) -> Prices:
    """Read a price table.

    Args:
        path: a TOML file with a table ``[models."NAME"]`` a model; if there is none, no model has a price.

    Raises:
        ConfigurationError: the file cannot be read, is not valid TOML, or holds anything but prices.
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
    """Format an amount with two significant digits at least.

    Args:
        amount: US dollars; negative for savings.

    Returns:
        Such as ``$1,234.50``, ``$0.42``, ``$0.0037``, ``<$0.0001``, ``$0``, ``-$0.42``.
    """
    sign, size = ("-" if amount < 0 else ""), abs(amount)
    if not size:
        return "$0"
    if size < _LEAST_SHOWN:
        return f"{sign}<${_LEAST_SHOWN}"
    # At least cents; 0.0999 is rounded before its digits are counted.
    digits = max(2, 1 - Decimal(f"{size:.1E}").adjusted())
    return f"{sign}${size:,.{digits}f}"


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise ValueError(f"{text[:20]} is out of range") from None


def _faults(path: Path, text: str, error: ValidationError) -> list[str]:
    faults = error.errors(include_input=False)
    lines = []
    for fault in faults[:_MAX_FAULTS]:
        where = [str(part) for part in fault["loc"]]
        if fault["type"] == "extra_forbidden":
            known = [_TABLE] if len(where) == 1 else ModelPrice.model_fields
            problem = f"unknown key{suggestion(where[-1], known)}"
        else:
            problem = _PROBLEMS.get(fault["type"], fault["msg"])
        line = line_of(text, where)
        field_name = ".".join(map(key_text, where))[:_SHOWN_CHARS]
        lines.append(f"{path}{f':{line}' if line else ''}: {field_name}: {problem}")
    if len(faults) > _MAX_FAULTS:
        lines.append(f"{path}: and {len(faults) - _MAX_FAULTS} more faults")
    return lines
