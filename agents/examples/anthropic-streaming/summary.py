"""A generator that passes on what Anthropic's API streams, as a chat window would show it.

It shows: a streamed answer is recorded whole and replayed event by event; its pieces joined are the answer.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import anthropic

PROMPT = (Path(__file__).parent / "prompts" / "summary.md").read_text(encoding="utf-8")


def summarise(context: dict) -> Iterator[str]:
    """Yield a summary of a case for the customer, piece by piece."""
    client = anthropic.Anthropic()
    with client.messages.stream(
        model="claude-haiku-4-5",
        max_tokens=400,
        system=PROMPT,
        messages=[{"role": "user", "content": json.dumps(context)}],
    ) as stream:
        yield from stream.text_stream
