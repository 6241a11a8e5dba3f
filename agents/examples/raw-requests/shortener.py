"""A class that posts to a model's HTTP API with ``requests``, without any SDK.

It shows: whatever the HTTP client, its calls are recorded; the answer revises an ``original``.
"""

import os
from pathlib import Path

import requests

PROMPT = (Path(__file__).parent / "prompts" / "shorten.md").read_text(encoding="utf-8")


class Shortener:
    """Makes text messages out of notices."""

    def __init__(self) -> None:
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {os.environ['OPENAI_API_KEY']}"

    def shorten(self, notice: str, max_chars: int = 160) -> str:
        """Return a notice in so many characters."""
        base_url = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
        messages = [
            {"role": "system", "content": PROMPT.format(max_chars=max_chars)},
            {"role": "user", "content": notice},
        ]
        body = {"model": "gpt-4.1-mini", "temperature": 0, "messages": messages}
        response = self.session.post(f"{base_url}/chat/completions", json=body, timeout=20)
        response.raise_for_status()
        return response.json()["choices"][0]["message"]["content"]
