"""A pydantic-ai agent whose answer is a model with fields.

It shows: structured output, of which a customer reads one field; expectations are of all of them.
"""

import json
from pathlib import Path
from typing import Literal

from pydantic import BaseModel
from pydantic_ai import Agent

PROMPT = (Path(__file__).parent / "prompts" / "notice.md").read_text(encoding="utf-8")


class Notice(BaseModel):
    """A notice for the status page."""

    status: Literal["investigating", "identified", "monitoring"]
    headline: str
    body: str


agent = Agent("openai:gpt-4.1-mini", output_type=Notice, instructions=PROMPT)


async def write_notice(context: dict) -> Notice:
    """Return a notice about an incident."""
    result = await agent.run(json.dumps(context))
    return result.output
