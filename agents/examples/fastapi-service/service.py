"""An agent behind HTTP, as it is deployed: `uvicorn service:app --port 8080`.

It shows: a service is tested over its own API, recorded and replayed as one call; replaying needs no service.
"""

import json
from pathlib import Path

from fastapi import FastAPI
from openai import AsyncOpenAI
from pydantic import BaseModel

PROMPT = (Path(__file__).parent / "prompts" / "reply.md").read_text(encoding="utf-8")

app = FastAPI()


class Reply(BaseModel):
    """What the customer reads."""

    subject: str
    body: str


@app.post("/reply")
async def reply(request: dict) -> Reply:
    """Answer a question about an order."""
    async with AsyncOpenAI() as client:
        completion = await client.chat.completions.create(
            model="gpt-4.1-mini",
            temperature=0,
            messages=[
                {"role": "system", "content": PROMPT},
                {"role": "user", "content": json.dumps(request)},
            ],
        )
    body = completion.choices[0].message.content or ""
    return Reply(subject=f"Your order {request['order']['id']}", body=body)
