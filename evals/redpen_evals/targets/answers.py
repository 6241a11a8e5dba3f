"""What an agent outside of this process answered: JSON or text."""

from __future__ import annotations

from typing import Any, Final

from redpen_evals.strict_json import parse_json
from redpen_evals.targets.values import UnshownResultError

_JSON_STARTS: Final = ("{", "[", '"')


def read_answer(content: bytes, what: str) -> Any:
    """Return an answer: a JSON object, array or string as such, all else as text.

    Args:
        content: UTF-8; the line break that ends it is left out.
        what: names it in messages.

    Raises:
        UnshownResultError: it is no UTF-8.
    """
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnshownResultError(f"{what} is no UTF-8 text: at byte {error.start}") from error
    # A bare number or word is more likely what somebody is told than a value.
    if text.lstrip().startswith(_JSON_STARTS):
        try:
            return parse_json(text)
        except ValueError:
            return text.rstrip("\r\n")
    return text.rstrip("\r\n")
