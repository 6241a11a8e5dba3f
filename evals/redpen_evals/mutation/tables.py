"""The rule tables whose rows are deleted in turn, and the rows of each."""

from __future__ import annotations

import ast
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

FACT_TABLES: dict[str, str] = {
    "redpen.guards.quantities_numbers": "UNITS TENS SCALES GLUED_SCALES PARTS ORDINALS EMPHASIS PLURALS",
    "redpen.guards.quantities_units": (
        "TIME EVERY_ONE BEFORE_UNIT SIGNS SIGN_PREFIXES CODES CURRENCY_WORDS COINS NATIONAL PERCENT SURE "
        "MULTIPLIERS NO_MULTIPLIER_AFTER_DOUBLE COMPARED VAGUE"
    ),
    "redpen.guards.quantities_calendar": "MONTHS WEEKDAYS SHORT_WEEKDAYS _SUFFIXES PARTS_OF_DAY HOW_LATE",
    "redpen.guards.quantities_relative": (
        "_MEALS _MEAL_PREPOSITIONS _SHIFTS _PERIODS _EDGES _PART_PREPOSITIONS RELATIVE_DAYS NAMED_SPANS "
        "CLOSING FEASTS _FEAST_PREPOSITIONS _FIXED_FEASTS _QUARTERS _DEADLINES _ENDED"
    ),
    "redpen.guards.quantities_times": "_HALVES _AROUND NAMED_TIMES ZONES TIME_LEADS",
    "redpen.guards.quantities_words": (
        "LEADS _EVERY _INTERVAL _RECOVERY _CADENCE _EVERYDAY _RANK_NOUNS _LATE _LINES _NAMED_BY_TIME _TIMES "
        "_UNTIL"
    ),
    "redpen.guards.quantities_clock": "_STANDS",
    "redpen.guards.quantities": "_HARMLESS_ZERO",
    "redpen.guards.quantities_lexer": "_OWNERS",
    "redpen.guards.quantities_measures": "_CLOCK_UNITS",
    "redpen.guards.quantities_money": "LETTER_SCALES",
    "redpen.guards.quantifier_words": (
        "AMOUNTS NEARLY LARGE SIZEABLE GREETINGS TEAM SUPERLATIVE HIT MANAGES WELL TELL"
    ),
    "redpen.guards.identifiers": "_LABELS _ERRORS _BETWEEN_LABEL",
    "redpen.guards.severities": "_SEVERITY_WORDS _BEFORE_LEVEL _CHANGED SCHEMES _NUMERALS",
    "redpen.guards.place_names": "REGION_NAMES COUNTRY_NAMES CITY_NAMES COUNTRY_CODES DEMONYMS",
    "redpen.guards.places": "_CAPITAL_ONLY _CODES_IN_CAPITALS _ADJECTIVES_OF_NAMES CLOUD_WORDS",
    "redpen.guards.parties": "VENDORS _CUES _SAYS _COMPANY _ORDINARY _MET _TITLES",
    "redpen.guards.subject_classes": "CLASSES",
    "redpen.guards.subjects": "_SAME GENERIC _RATES _GROUPING",
    "redpen.guards.context_facts": "_KINDS _WAITS _STEPS _REGION_KEYS _SEVERITY_KEYS",
    "redpen.text.folding": "_NAMED LOOK_ALIKES",
    "redpen.text.figures": "_LETTERS",
    "redpen.text.spelt": "_DRAWN_ALIKE",
    "redpen.text.vocabulary": "_SHORT",
    "redpen.text.markup": "_BREAKING",
}
"""By module, the tables whose rows the examples of facts have to hold."""


_EXAMPLE_PACKAGE = "redpen.guards"


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table.

    Attributes:
        module: the module of the table.
        table: its name there.
        place: the row's place in the order of the table.
        label: the row itself, cut short.
        blocks: a text that the row blocks, where it carries one.
        passes: a text that it lets pass, where it carries one.
    """

    module: str
    table: str
    place: int
    label: str
    blocks: str = ""
    passes: str = ""

    @property
    def home(self) -> str:
        """The table as examples and tests name it."""
        return f"{self.module.removeprefix('redpen.')}.{self.table}"


def rows_of(table: Any) -> list[Any]:
    """Return the rows of a table, those of a set in a fixed order; the keys of a mapping."""
    return sorted(table) if isinstance(table, frozenset) else list(table)


def without(table: Any, row: Row) -> Any:
    """Return a table without one row: of a mapping or a set the one so named, else the one at its place."""
    if isinstance(table, (dict, MappingProxyType)):
        kept = {key: value for key, value in table.items() if str(key) != row.label}
        return MappingProxyType(kept) if isinstance(table, MappingProxyType) else kept
    if isinstance(table, frozenset):
        return frozenset(item for item in table if str(item) != row.label)
    return type(table)(item for at, item in enumerate(table) if at != row.place)


def fact_tables() -> Mapping[str, tuple[Row, ...]]:
    """Return, by table, the rows that the recorded examples of facts have to hold."""
    return _by_home(
        Row(name, table, at, str(row))
        for name, tables in FACT_TABLES.items()
        for table in tables.split()
        for at, row in enumerate(rows_of(getattr(importlib.import_module(name), table)))
    )


def example_tables() -> Mapping[str, tuple[Row, ...]]:
    """Return, by table, the rows that carry a text that they block and one that they let pass.

    A table is a tuple of such rows that a module assigns; tables made of other tables count once.
    """
    package = importlib.import_module(_EXAMPLE_PACKAGE)
    found: list[Row] = []
    for info in pkgutil.walk_packages(package.__path__, f"{_EXAMPLE_PACKAGE}."):
        module = importlib.import_module(info.name)
        own = _assigned(Path(str(module.__file__)))
        tables = {name: value for name, value in vars(module).items() if name in own and _has_examples(value)}
        for name, rows in tables.items():
            parts = [row for other in tables.values() if len(other) < len(rows) for row in other]
            found += (
                Row(info.name, name, at, str(row)[:70], row.blocks, row.passes)
                for at, row in enumerate(rows)
                if not any(row is part for part in parts)
            )
    return _by_home(found)


def assigned_names(node: ast.stmt) -> set[str]:
    """Return the names that a statement assigns."""
    targets: list[ast.expr] = []
    if isinstance(node, ast.Assign):
        targets = node.targets
    elif isinstance(node, ast.AnnAssign):
        targets = [node.target]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def _by_home(rows: Iterable[Row]) -> dict[str, tuple[Row, ...]]:
    tables: dict[str, list[Row]] = {}
    for row in rows:
        tables.setdefault(row.home, []).append(row)
    return {home: tuple(found) for home, found in tables.items()}


def _has_examples(value: object) -> bool:
    return isinstance(value, tuple) and bool(value) and all(hasattr(row, "blocks") for row in value)


def _assigned(source: Path) -> set[str]:
    """Return the names that a module assigns itself, but for tables that only join others."""
    found: set[str] = set()
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        value = getattr(node, "value", None)
        joins = isinstance(value, ast.Tuple) and all(
            isinstance(item, (ast.Starred, ast.Name)) for item in value.elts
        )
        found |= set() if joins else assigned_names(node)
    return found
