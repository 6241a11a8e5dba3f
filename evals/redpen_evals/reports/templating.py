"""The templates of the page and their filters: names, anchors, invisible characters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from importlib import resources
from itertools import groupby
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from redpen.screen import hidden
from redpen_evals.prices import format_usd
from redpen_evals.reports.marking import Piece, State
from redpen_evals.reports.subject import BASE_NAME, variant_name

_SAFE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_./=,+-]{0,300}")


def scenario_anchor(scenario: str) -> str:
    """Return the URL fragment of a scenario: its id, or a digest of an id that cannot be one."""
    # Sections of the page have ids without a slash, which no scenario of a library has.
    if _SAFE.fullmatch(scenario) and ("/" in scenario or "=" in scenario or scenario == BASE_NAME):
        return scenario
    return f"x-{sha256(scenario.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"


def run_anchor(scenario: str, variant: str, sample: int) -> str:
    """Return the URL fragment of one run; the part before its colon is the scenario's."""
    return f"{scenario_anchor(scenario)}:{scenario_anchor(variant_name(variant))}~{sample}"


_PLAIN = re.compile(
    "["
    r"\n\t\x20-\x7e"
    "\u00a1-\u00ac\u00ae-\u02ff"  # Latin
    "\u0400-\u0482"  # Cyrillic
    "\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2190-\u22ff"  # dashes, quotes, currencies, arrows
    "]*"
)


def visible(text: str) -> Markup:
    """Return any text, even with lone surrogates, as HTML that shows every character of it.

    Controls, direction marks, white space other than space, tab and line break, and other invisible
    characters become ``<span class=cp>U+202E</span>``. The attribute has no quotes, so the text cannot
    break out of an attribute either.
    """
    if _PLAIN.fullmatch(text):
        return escape(text)
    # Every part is escaped.
    return Markup("".join(_parts(text, "<span class=cp>U+{:04X}</span>", escape)))  # noqa: S704


def plain(text: str) -> str:
    """Return a text for an attribute or for Markdown, with invisible characters as ``⟨U+202E⟩``."""
    return text if _PLAIN.fullmatch(text) else "".join(_parts(text, "⟨U+{:04X}⟩", str))


def _parts(text: str, code_point: str, of_others: Callable[[str], str]) -> Iterator[str]:
    text = text.replace("\r\n", "\n")
    for is_hidden, group in groupby(zip(text, hidden(text), strict=True), key=lambda pair: pair[1]):
        run = "".join(char for char, _ in group)
        yield "".join(code_point.format(ord(char)) for char in run) if is_hidden else of_others(run)


_PACKAGE = "redpen_evals.reports"
_FOLDER = "templates"
_EXCERPT = re.compile(r"\[-(?P<removed>.*?)-\]|\{\+(?P<added>.*?)\+\}", re.DOTALL)


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the environment, which escapes all output and makes invisible characters visible."""
    templates = Environment(
        loader=PackageLoader(_PACKAGE, _FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
        auto_reload=False,
    )
    templates.filters |= {
        "attribute": attribute,
        "changes": mark_excerpt,
        "knobs": _breakable,
        "stretches": _stretches,
        "number": lambda value: f"{value:,}",
        "usd": format_usd,
        "variant": variant_name,
    }
    return templates


def source(name: str) -> str:
    """Return the text of a file in the templates folder."""
    return resources.files(_PACKAGE).joinpath(_FOLDER, name).read_text(encoding="utf-8")


def attribute(text: str) -> Markup:
    """Return a text for an attribute's value: escaped, with no markup in it."""
    return escape(plain(text))


def mark_excerpt(text: str) -> Markup:
    """Return a stale call's excerpt, with removed ``[-…-]`` and added ``{+…+}``, as HTML."""
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
    """Return a variant's label with optional line breaks between knobs."""
    return Markup(",<wbr>").join(visible(knob) for knob in label.split(","))


def _stretches(pieces: Iterable[Piece]) -> list[tuple[State, list[Piece]]]:
    """Return the pieces grouped by state, so that a change is one element."""
    return [(state, list(group)) for state, group in groupby(pieces, key=lambda piece: piece.state)]


def _finalize(value: Any) -> Any:
    return visible(value) if isinstance(value, str) and not isinstance(value, Markup) else value
