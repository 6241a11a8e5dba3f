"""The JSON Schemas of the library are up to date and agree with the models."""

from __future__ import annotations

import json

import jsonschema
import pytest

from redpen.yaml_files.problem import FileError
from redpen.yaml_files.source import read_source
from redpen_evals.scenario_library.scenario import BUILT_IN_AGENTS
from redpen_evals.scenario_library.schema import schemas, write_schemas

FOLDERS = {**dict.fromkeys(BUILT_IN_AGENTS, "scenario"), "contexts": "context", "plans": "plan"}


@pytest.fixture(scope="module")
def validators():
    """Give a validator of each schema, by the kind of file."""
    found = {}
    for name, text in schemas().items():
        schema = json.loads(text)
        jsonschema.Draft202012Validator.check_schema(schema)
        found[name.removesuffix(".schema.json")] = jsonschema.Draft202012Validator(schema)
    return found


def _files(checkout):
    for folder, kind in FOLDERS.items():
        paths = sorted((checkout / "scenarios" / folder).rglob("*.y*ml"))
        assert paths, folder
        yield from ((kind, path) for path in paths)


def test_schema_files_are_up_to_date(checkout):
    for name, text in schemas().items():
        path = checkout / "scenarios" / name
        assert path.read_text(encoding="utf-8") == text, f"{path} is old: run `redpen scenarios schema`"


def test_library_files_match_their_schema(checkout, validators):
    broken = [
        f"{path}: {error.json_path}: {error.message[:200]}"
        for kind, path in _files(checkout)
        for error in validators[kind].iter_errors(read_source(path).value)
    ]
    assert broken == []


def test_library_files_name_their_schema(checkout):
    for kind, path in _files(checkout):
        depth = len(path.relative_to(checkout / "scenarios").parts) - 1
        header = f"# yaml-language-server: $schema={'../' * depth}{kind}.schema.json\n"
        assert path.read_text(encoding="utf-8").startswith(header), path


REPLIES = [
    {"json": {"draft": "x"}},
    {"json": [1, None], "finish_reason": "length", "tool_calls": [{"id": "1", "name": "f"}]},
    {"tool_calls": [{"name": "lookup_order", "args": {"id": 81}}]},
    {"content": None},
    {"content": "text", "usage": {"prompt_tokens": 1, "completion_tokens": 2}, "phase": "draft"},
    {"refusal": "no"},
    {"choices": []},
    {"choices": None},
    {"status": 429, "headers": {"Retry-After": 1}},
    {"status": 500, "error": {"message": "x", "type": "y", "code": "z", "param": "p"}},
    {"status": 502, "body": "<html>"},
    {"status": 502, "body_base64": "/w=="},
    {"body": "{", "times": 3},
    {"body_base64": "/w==", "delay_s": 0.5},
    {"fault": "hang"},
]


@pytest.mark.parametrize("reply", REPLIES, ids=" ".join)
def test_every_reply_form_is_valid_in_model_and_schema(library, validators, reply):
    scenario = library.self_critique(replies=[reply])
    assert library.case("self-critique/reply", scenario).scenario.replies
    validators["scenario"].validate(scenario)


@pytest.mark.parametrize(
    "change",
    [
        {"tagz": []},
        {"replies": []},
        {"replies": [{}]},
        {"replies": [{"json": 1, "delay_sec": 1}]},
        {"replies": [{"fault": "hangs"}]},
        {"agent": "critic"},
        {"expect": {"status": "fine"}},
        {"invariants": ["no_such"]},
        {"invariants": ["recipient_cap_holds"]},
        {"context": "Payments"},
    ],
    ids=str,
)
def test_schema_refuses_what_the_scenario_model_refuses(library, validators, change):
    assert not validators["scenario"].is_valid(library.self_critique(**change))


OWN = {"agent": "support.mailer:write_reply", "input": {"ticket": "Where is order 81?"}}


@pytest.mark.parametrize(
    "scenario",
    [
        OWN,
        {**OWN, "agent": "mailer"},
        {"command": ["node", "agent.js"], "replies": [{"content": "Hello"}]},
        {"url": "http://127.0.0.1:8080/reply", "publishes": "email.body"},
    ],
    ids=str,
)
def test_own_agent_scenarios_match_the_schema(validators, scenario):
    validators["scenario"].validate(scenario)


@pytest.mark.parametrize(
    "scenario",
    [
        {},
        {"agent": "self-critique"},
        {**OWN, "goal": "A field of the built-in agents."},
        {**OWN, "agent": "two words"},
        {**OWN, "command": ["node"]},
        {**OWN, "inputs": {}},
        {**OWN, "tools": {"match": "some"}},
        {**OWN, "invariants": ["recipient_cap_holds"]},
        {**OWN, "timeout_s": 0},
    ],
    ids=str,
)
def test_schema_refuses_invalid_own_agent_scenarios(library, validators, scenario):
    assert not validators["scenario"].is_valid(scenario)
    with pytest.raises(FileError):
        library.case("support/own", scenario)


PACK = {"pack": "acme-bank", "match": {"tenant": "acme"}, "concerns": "escalate"}


def test_policy_pack_matches_its_schema(validators):
    rule = {
        "code": "own.late",
        "when": {"clock.hour": {"outside": [8, 20]}},
        "then": "deny",
        "reason": "late",
    }
    validators["policy"].validate({**PACK, "rules": [rule], "limits": {"max_actions": 3}})


@pytest.mark.parametrize(
    "change",
    [
        {"pack": "Acme Bank"},
        {"limit": {}},
        {"concerns": "shout"},
        {"limits": {"max_actions": "many"}},
        {"rules": [{"code": "own.late", "when": {"clock.hour": {"gtt": 1}}, "then": "deny", "reason": "x"}]},
        {"gate": "decide"},
    ],
    ids=str,
)
def test_schema_refuses_invalid_policy_packs(validators, change):
    assert not validators["policy"].is_valid({**PACK, **change})


def test_write_schemas_replaces_link_and_keeps_its_target(tmp_path):
    mine = tmp_path / "mine"
    mine.write_text("mine")
    (tmp_path / "library").mkdir()
    (tmp_path / "library" / "plan.schema.json").symlink_to(mine)
    write_schemas(tmp_path / "library")
    assert mine.read_text() == "mine"
    assert json.loads((tmp_path / "library" / "plan.schema.json").read_text(encoding="utf-8"))
