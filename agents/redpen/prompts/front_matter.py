"""The front matter of a prompt: YAML, but no more of it than a few keys with a plain value each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_STRING = "tag:yaml.org,2002:str"
_SHOWN_CHARS = 60
_EXPECTED = "it holds keys with a plain value each, such as `version: v2`"


class FrontMatterError(ValueError):
    """What stands there cannot be read.

    Attributes:
        problem: what is wrong.
        line: of the text, from 1.
    """

    def __init__(self, problem: str, line: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.line = line


def read_mapping(text: str) -> dict[str, str | None]:
    """Return keys and values; None for a value that is no text, such as a number.

    Args:
        text: what stands between the two fences.

    Raises:
        FrontMatterError: it is not valid YAML, or something else than keys with a plain value each.
    """
    import yaml

    if text.startswith("%") or "\n%" in text:
        # The parser holds each directive against all that came before.
        raise FrontMatterError(_EXPECTED, 1)
    # Event by event: nothing is built of what is not expected, be it nested ever so deep.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        return _mapping(loader, _events(loader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or "cannot be read"
        raise FrontMatterError(problem, mark.line + 1 if mark else 1) from None
    finally:
        loader.dispose()


def _events(loader: Any) -> Iterator[Any]:
    while loader.check_event():
        yield loader.get_event()


def _mapping(loader: Any, events: Iterator[Any]) -> dict[str, str | None]:
    import yaml

    found: dict[str, str | None] = {}
    key: str | None = None
    opened = False
    for event in events:
        line = event.start_mark.line + 1
        match event:
            case yaml.ScalarEvent(anchor=None) if opened and key is None:
                key = event.value
                if key in found:
                    raise FrontMatterError(f"key {key[:_SHOWN_CHARS]!r} appears twice", line)
            case yaml.ScalarEvent(anchor=None) if opened and key is not None:
                tag = loader.resolve(yaml.ScalarNode, event.value, event.implicit)
                found[key] = event.value if (event.tag or tag) == _STRING else None
                key = None
            case yaml.MappingStartEvent(anchor=None, tag=None) if not opened:
                opened = True
            case yaml.MappingEndEvent() | yaml.StreamStartEvent() | yaml.StreamEndEvent():
                pass
            case yaml.DocumentStartEvent(tags=None) | yaml.DocumentEndEvent():
                pass
            case _:
                raise FrontMatterError(_EXPECTED, line)
    return found
