"""Fixture of the own-agent tests: a small project with its own library."""

from __future__ import annotations

import pytest

from redpen_evals.cassettes.store import CassetteLocation, load
from redpen_evals.model_calls.reading import read_calls
from redpen_evals.records import read_record
from redpen_evals.records.places import RunFolder

INI = """
[pytest]
addopts = -p no:cacheprovider -p no:hypothesispytest
pythonpath = .
redpen_agents = mailer = support.mailer:write_reply
redpen_baseline = accepted
"""
MODULE = "def test_agent(scenario_run):\n    scenario_run.check()\n"
AGENT = """
import json
import os
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]
PROMPT = (ROOT / os.environ.get("PROMPT_FILE", "prompts/reply.md")).read_text(encoding="utf-8")


class Limits:
    MAX_CALLS = 5


def write_reply(ticket, tone="plain", model=None):
    messages = [
        {"role": "system", "content": PROMPT},
        {"role": "user", "content": json.dumps({"ticket": ticket, "tone": tone})},
    ]
    for _ in range(Limits.MAX_CALLS):
        message = ask(messages, model or os.environ.get("OPENAI_MODEL", "small"))
        if not message.get("tool_calls"):
            return {"email": {"body": message["content"]}}
        messages.append(message)
        messages += [
            {"role": "tool", "tool_call_id": call["id"], "content": "on its way"}
            for call in message["tool_calls"]
        ]


def ask(messages, model):
    request = urllib.request.Request(
        os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:9/v1") + "/chat/completions",
        json.dumps({"model": model, "messages": messages}).encode(),
        {
            "content-type": "application/json",
            "authorization": "Bearer " + os.environ["OPENAI_API_KEY"],
        },
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]
"""
PROMPT = "You write to customers.\nAnswer in two short sentences about the order.\n"
OTHER_PROMPT = "You write to customers.\nAnswer in one warm sentence about the order.\n"
ANSWER = "Your order 81 is on its way."


class Project:
    """A project with its own agent, which calls a model and a tool."""

    def __init__(self, pytester, library):
        self.pytester = pytester
        self.scenario_library = library
        self.root = pytester.path
        self.runs = RunFolder(path=self.root / ".redpen" / "runs")

    def write(self, name, text):
        """Write a file of the project."""
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def scenario(self, **changes):
        """Return a scenario in which the model calls a tool, then answers."""
        return {
            "agent": "mailer",
            "title": "A customer asks for an order.",
            "context": "orders",
            "input": {"ticket": "Where is order 81?"},
            "publishes": "email.body",
            "replies": [
                {"tool_calls": [{"name": "lookup_order", "args": {"id": 81}}]},
                {"content": ANSWER},
            ],
            "expect": {"contains": ["order 81"]},
            "tools": {"calls": [{"name": "lookup_order", "args": {"id": 81}}]},
            **changes,
        }

    def run(self, *arguments):
        """Run a session in this process and return it."""
        return self.pytester.runpytest_inprocess(*arguments)

    def record(self, *arguments):
        """Run a session that records missing cassettes and assert that it passes."""
        done = self.run("--record=missing", *arguments)
        assert done.ret == 0, done.stdout.str()
        return done

    @property
    def last(self):
        """The record of the last session."""
        return read_record(self.runs.find("last"))

    @property
    def results(self):
        """The results of the last session, by scenario, variant and sample."""
        return {result.key: result for result in self.last.results}

    def calls(self, *, model="scripted", variant=""):
        """Return the recorded calls of the scenario."""
        place = CassetteLocation(
            root=self.scenario_library.layout.cassettes, model=model, scenario="mail/order", variant=variant
        )
        return read_calls(load(place).calls)

    @property
    def cassettes(self):
        """The recordings, as paths below their folder."""
        folder = self.scenario_library.layout.cassettes
        return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.json"))


@pytest.fixture
def project(pytester, make_library):
    """Give a project with one scenario of its own agent and no recordings."""
    pytester.makeini(INI)
    pytester.makeconftest('pytest_plugins = ["redpen_evals.plugin"]\n')
    pytester.makepyfile(test_agents=MODULE)
    made = Project(pytester, make_library(pytester.path))
    made.write("support/__init__.py", "")
    made.write("support/mailer.py", AGENT)
    made.write("prompts/reply.md", PROMPT)
    made.write("prompts/warm.md", OTHER_PROMPT)
    made.scenario_library.write("contexts/orders.yaml", {"order": 81, "state": "on its way"})
    made.scenario_library.add("mail/order", made.scenario())
    return made
