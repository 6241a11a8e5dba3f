"""A plain function that asks a model for the answer to a customer's ticket.

It shows: the client is made when the module is imported, the prompt is a file, the facts come as ``context``.
"""

import json
from pathlib import Path

from openai import OpenAI

PROMPT = (Path(__file__).parent / "prompts" / "reply.md").read_text(encoding="utf-8")

client = OpenAI()


class UnknownOrderError(LookupError):
    """The ticket is about an order that is not in the books."""


def write_reply(ticket: str, order_id: int, context: dict) -> str:
    """Return the text of the e-mail that answers a ticket."""
    order = next((order for order in context["orders"] if order["id"] == order_id), None)
    if order is None:
        raise UnknownOrderError(order_id)
    completion = client.chat.completions.create(
        model="gpt-4.1-mini",
        temperature=0,
        messages=[
            {"role": "system", "content": PROMPT},
            {"role": "user", "content": json.dumps({"ticket": ticket, "order": order})},
        ],
    )
    return completion.choices[0].message.content or ""
