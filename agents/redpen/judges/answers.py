"""Parses a model's answers to closed questions: yes with a quote, or no."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from redpen.errors import Stop
from redpen.guards.text import read
from redpen.text.normal import collapse
from redpen.text.phrases import occurrences
from redpen.text.views import View
from redpen.types import JsonValue

MIN_QUOTE_CHARS = 3
"""Shortest quote; a shorter one occurs in any text and proves nothing."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer to one question.

    Attributes:
        yes: whether it is yes.
        span: position of the quote of a yes in the text **as given**; for a no, ``(0, 0)``; for a quote of
            removed words, the empty span at the end of the text.
        quote: the quoted words of a yes; empty for a no.
    """

    yes: bool
    span: Span
    quote: str = ""


def read_answers(
    reply: Mapping[str, JsonValue], ids: Sequence[str], *, phase: str, find: Callable[[str], Span | None]
) -> dict[str, Answer]:
    """Return the answer to each question, by its id, in the order of the questions.

    Args:
        reply: the reply of the model.
        ids: ids of the questions; the reply has to answer each exactly once, and no others.
        phase: phase of the stop.
        find: returns the position of the quote of a yes, or None if it does not occur.

    Raises:
        Stop: ``invalid_judgement:answers`` if there is not exactly one answer for each question,
            ``invalid_judgement:answer`` for one that is neither yes nor no, ``invalid_judgement:quote`` for a
            yes whose quote does not occur; with ``raw_judgement``.
    """

    def invalid(code: str) -> Stop:
        return Stop(f"invalid_judgement:{code}", phase=phase, raw_judgement=dict(reply))

    items = reply.get("answers")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise invalid("answers")
    given = [item for item in items if isinstance(item, dict)]
    by_id = {item["id"]: item for item in given if isinstance(item.get("id"), str)}
    if len(given) != len(ids) or by_id.keys() != set(ids):
        raise invalid("answers")
    answers: dict[str, Answer] = {}
    for name in ids:
        word, quote = by_id[name].get("answer"), by_id[name].get("quote")
        match word.strip().lower() if isinstance(word, str) else None:
            case "no":
                answers[name] = Answer(yes=False, span=(0, 0))
            case "yes":
                span = find(quote) if isinstance(quote, str) and _is_quote(quote) else None
                if span is None or not isinstance(quote, str):
                    raise invalid("quote")
                answers[name] = Answer(yes=True, span=span, quote=collapse(quote))
            case _:
                raise invalid("answer")
    return answers


def find_quote(view: View, quote: str) -> Span | None:
    """Return the position of a quote in the text as given, or None; both are compared as readers see them."""
    for words in dict.fromkeys((quote, read(quote, view.given).text)):
        if spans := occurrences(view.text, words):
            return view.span(*spans[0])
    return None


def _is_quote(quote: str) -> bool:
    return len(quote.strip()) >= MIN_QUOTE_CHARS
