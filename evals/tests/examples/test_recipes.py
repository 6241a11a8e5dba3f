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
        SERVICE,
        GUARDS,
    }


def _results(recipe, *options, network="none"):
    """Run a recipe, which has to pass and to try no network, and return what its results are."""
    code, output = recipe.pytest(*options, network=network)
    assert code == 0, output
    assert recipe.attempts == ""
    found = recipe.results()
    assert {outcome for outcome, _, _ in found.values()} == {"passed"}
    return found


@pytest.mark.parametrize("name", RECIPES)
def test_recipe_replays_as_shipped_and_records_the_same(recipe, name):
    copy = recipe(name)
    shipped, recordings = _results(copy), copy.recordings()
    assert recordings
    # What equals the recordings that were replayed need not be replayed again.
    copy.forget_recordings()
    assert _results(copy, "--record=missing", network="loopback") == shipped
    assert copy.recordings() == recordings


def test_service_replays_as_shipped_and_as_recorded(recipe, deploy):
    copy = recipe(SERVICE)
    shipped = _results(copy)
    copy.forget_recordings()
    deploy(copy)
    assert _results(copy, "--record=missing", network="loopback") == shipped
    assert _results(copy) == shipped


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
