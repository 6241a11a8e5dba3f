"""Fixtures of the judges' tests: a judge in a file, and a scripted model."""

from __future__ import annotations

from contextlib import ExitStack

import pytest
from pydantic import SecretStr

from redpen.chat import ChatClient, ChatSettings
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

JUDGE = """\
---
name: tone
version: v1
questions:
  - {id: promise, ask: "Does `text` promise anything?", on_yes: block, family: commitment}
  - {id: blame, ask: "Does `text` blame anybody?", on_yes: concern}
gate: {catch: 50, false_alarms: 20}
---
You judge the tone.
"""


@pytest.fixture
def judge_folder(tmp_path):
    """Give a folder with the judge ``tone``."""
    (tmp_path / "tone.md").write_text(JUDGE, encoding="utf-8")
    return tmp_path


@pytest.fixture
def scripted_chat():
    """Script the model: the answers to `promise` and `blame` of each call, or a whole reply."""
    with ExitStack() as stack:

        def start(*replies):
            forms = [{"json": reply if isinstance(reply, dict) else answers(*reply)} for reply in replies]
            endpoint = stack.enter_context(ScriptedEndpoint(parse_replies(forms)))
            settings = ChatSettings(api_key=SecretStr("k-1"), base_url=endpoint.base_url, retries=0)
            return ChatClient(settings), endpoint

        yield start


def answers(promise=None, blame=None):
    """Return a reply that answers yes with the quote, or no for None."""
    quotes = {"promise": promise, "blame": blame}
    return {
        "answers": [
            {"id": name, "answer": "no" if quote is None else "yes", "quote": quote or ""}
            for name, quote in quotes.items()
        ]
    }
