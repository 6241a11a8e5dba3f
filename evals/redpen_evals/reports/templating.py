"""The templates of the page, and how values become text in them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from importlib import resources
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from redpen_evals.prices import format_usd
from redpen_evals.reports.marking import Piece, State
from redpen_evals.reports.names import variant_name
from redpen_evals.reports.visible import plain, visible

_PACKAGE = "redpen_evals.reports"
_FOLDER = "templates"
_EXCERPT = re.compile(r"\[-(?P<removed>.*?)-\]|\{\+(?P<added>.*?)\+\}", re.DOTALL)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the environment: whatever a template prints is escaped, and shows what is not seen."""
    made = Environment(
        loader=PackageLoader(_PACKAGE, _FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
        auto_reload=False,
    )
    made.filters |= {
        "attribute": attribute,
        "changes": mark_excerpt,
        "knobs": _breakable,
        "stretches": _stretches,
        "number": lambda value: f"{value:,}",
        "usd": format_usd,
        "variant": variant_name,
    }
    return made


def source(name: str) -> str:
    """Return a file of the templates folder as it stands."""
    return resources.files(_PACKAGE).joinpath(_FOLDER, name).read_text(encoding="utf-8")


def attribute(text: str) -> Markup:
    """Return a text for an attribute's value: escaped, with no markup in it."""
    return escape(plain(text))


def mark_excerpt(text: str) -> Markup:
    """Return a stale call's excerpt, in which ``[-…-]`` went and ``{+…+}`` came, as HTML."""
    parts = []
    last = 0
    for match in _EXCERPT.finditer(text):
        parts.append(visible(text[last : match.start()]))
        for name, tag in (("removed", "del"), ("added", "ins")):
            if match[name] is not None:
                parts.append(Markup("<{0}>{1}</{0}>").format(Markup(tag), visible(match[name])))  # noqa: S704
        last = match.end()
    return Markup("").join([*parts, visible(text[last:])])


def _breakable(label: str) -> Markup:
    """Return a variant's label, which may be broken between two knobs."""
    return Markup(",<wbr>").join(visible(knob) for knob in label.split(","))


def _stretches(pieces: Iterable[Piece]) -> list[tuple[State, list[Piece]]]:
    """Return the pieces with those of one state together, so that a change is one element."""
    return [(state, list(group)) for state, group in groupby(pieces, key=lambda piece: piece.state)]


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
