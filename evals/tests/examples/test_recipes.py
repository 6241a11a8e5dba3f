"""Every recipe replays what it ships, and what is recorded anew, with no key and a closed network."""

from __future__ import annotations

import re

import pytest

from redpen_evals.exit_codes import EXIT_STALE

pytestmark = pytest.mark.examples

SERVICE = "fastapi-service"
# Its guards are tried in evals/tests/fuzz, which need no more than the project itself.
GUARDS = "guards"
RECIPES = (
    "anthropic-streaming",
    SERVICE,
    "langgraph",
    "node-command",
    "openai-agents-sdk",
    "plain-openai",
    "pydantic-ai",
    "raw-requests",
)


def test_every_recipe_is_tested(checkout):
    assert {path.parent.name for path in (checkout / "agents" / "examples").glob("*/pytest.ini")} == {
        *RECIPES,
        GUARDS,
    }


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_replays_as_shipped_and_as_recorded(recipe, deploy, name):
    copy = recipe(name)
    code, output = copy.pytest()
    assert code == 0, output
    assert copy.attempts == ""
    shipped = copy.results()
    assert {outcome for outcome, _, _ in shipped.values()} == {"passed"}

    copy.forget_recordings()
    if name == SERVICE:
        deploy(copy)
    code, output = copy.pytest("--record=missing", network="loopback")
    assert code == 0, output
    assert copy.attempts == ""
    assert copy.results() == shipped

    code, output = copy.pytest()
    assert code == 0, output
    assert copy.attempts == ""
    assert copy.results() == shipped


@pytest.mark.parametrize(
    ("name", "prompt", "line"), [("plain-openai", "reply.md", 5), ("node-command", "welcome.md", 8)]
)
def test_changed_prompt_word_is_reported_with_file_and_line(recipe, name, prompt, line):
    copy = recipe(name)
    copy.replace(f"prompts/{prompt}", "plain sentences", "short sentences")
    code, output = copy.pytest()
    assert code == EXIT_STALE, output
    assert copy.attempts == ""
    assert "[-plain-] {+short+}" in output
    assert re.search(rf"\bprompts/{re.escape(prompt)}:{line}\b", output)
