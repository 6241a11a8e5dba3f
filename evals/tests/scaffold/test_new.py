"""`redpen new`: writes a scenario from one run, with its answer as expectation."""

from __future__ import annotations

import json

import pytest
import yaml
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

ID = "support/order"
AGENTS = """
import json
import os
from openai import OpenAI


class OrderNotFound(LookupError):
    pass


def _ask(text):
    messages = [{"role": "user", "content": text}]
    return OpenAI().chat.completions.create(model="some-model", messages=messages).choices[0].message


def write_reply(ticket):
    return _ask(ticket).content


def write_mail(ticket, context):
    return {
        "answer": _ask(ticket).content,
        "order": {"id": context["id"], "parts": ["a", "b"]},
        "long": "x" * 600,
        "tags": [],
        "odd.key": 1,
    }


def look_up(ticket):
    return _ask(ticket).tool_calls[0].function.name


def refuse(ticket):
    raise OrderNotFound(ticket)


def add(ticket):
    return len(ticket)


def tell_secret(ticket):
    return os.environ["SHOP_TOKEN"]


CALLS = []


def count(ticket):
    CALLS.append(ticket)
    return f"This is answer {len(CALLS)}."
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Give a project with agents, a context, and a file of one reply."""
    (tmp_path / "pytest.ini").write_text("[pytest]\nredpen_agents = mailer = new_agents:write_reply\n")
    (tmp_path / "new_agents.py").write_text(AGENTS)
    contexts = tmp_path / "scenarios" / "contexts"
    contexts.mkdir(parents=True)
    (contexts / "order.yaml").write_text("id: 81\ntext: Order 81 is on its way.\n")
    (tmp_path / "replies.yaml").write_text("replies:\n  - content: Order 81 is on its way.\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def new(project):
    """Give a function that runs `redpen new` with a ticket and returns the result."""

    def run(agent, *options, name=ID, ticket="ticket=Where?"):
        asked = ["new", name, "--agent", agent, *options, *(["--input", ticket] if ticket else [])]
        return CliRunner().invoke(main, asked, catch_exceptions=False)

    assert project.is_dir()
    return run


def _scenario(project, name=ID):
    return yaml.safe_load((project / "scenarios" / f"{name}.yaml").read_text())


SCRIPTED = ("--replies", "replies.yaml")


class TestExpectation:
    def test_text_answer_becomes_contains(self, project, new):
        done = new("mailer", *SCRIPTED)
        assert done.exit_code == 0, done.output
        assert done.stdout.splitlines() == [
            "written  scenarios/support/order.yaml",
            "written  cassettes/scripted/support/order.json",
            "next: read what it expects, then run it: pytest -k '[support/order]'",
        ]
        found = _scenario(project)
        assert found.pop("title")
        assert found == {
            "agent": "mailer",
            "input": {"ticket": "Where?"},
            "replies": [{"content": "Order 81 is on its way."}],
            "expect": {"contains": ["Order 81 is on its way."]},
        }

    def test_values_become_fields_except_published_and_long_ones(self, project, new):
        done = new("new_agents:write_mail", "--context", "order", *SCRIPTED)
        assert done.exit_code == 0, done.output
        assert "not expected, for number, length or path: values of the result: 2" in done.stdout
        fields = {"order.id": 81, "order.parts[0]": "a", "order.parts[1]": "b", "tags": []}
        assert _scenario(project)["expect"] == {"fields": fields, "contains": ["Order 81 is on its way."]}

    def test_tool_calls_become_expected_tools(self, project, new):
        replies = [{"tool_calls": [{"name": "lookup_order", "args": {"id": 81}}]}]
        (project / "tools.json").write_text(json.dumps(replies))
        done = new("new_agents:look_up", "--replies", "tools.json")
        assert done.exit_code == 0, done.output
        calls = [{"name": "lookup_order", "args": {"id": 81}}]
        assert _scenario(project)["tools"] == {"match": "exact", "calls": calls}

    def test_exception_becomes_raises(self, project, new):
        assert new("new_agents:refuse").exit_code == 0
        assert _scenario(project)["expect"] == {"raises": "OrderNotFound"}

    def test_missing_customer_text_is_reported(self, project, new):
        done = new("new_agents:add")
        # Whether the text is elsewhere, or there is none, only the author knows.
        assert done.exit_code == 1
        assert "its replay is failed" in done.stdout
        assert "publishes: no_personal_data read nothing: the result is " in done.stdout
        assert "no text for customers was found" in done.stdout
        assert "the run made no call, so nothing is recorded" in done.stdout
        assert not (project / "cassettes").exists()

    def test_failed_replay_is_reported_and_exits_1(self, project, new):
        done = new("new_agents:count")
        assert done.exit_code == 1
        assert "its replay is failed" in done.stdout
        assert "contains: expected 'This is answer 1.'" in done.stdout
        assert (project / "scenarios" / f"{ID}.yaml").is_file()

    def test_input_option_accepts_json_object(self, project, new):
        done = new("mailer", "--input", '{"ticket": "a=b"}', *SCRIPTED, ticket=None)
        assert done.exit_code == 0
        assert _scenario(project)["input"] == {"ticket": "a=b"}

    def test_schema_header_is_written_when_schema_exists(self, project, new):
        (project / "scenarios" / "scenario.schema.json").write_text("{}")
        new("mailer", *SCRIPTED)
        first = (project / "scenarios" / f"{ID}.yaml").read_text().splitlines()[0]
        assert first == "# yaml-language-server: $schema=../scenario.schema.json"


class TestLiveRun:
    def test_new_without_replies_records_the_live_model(self, project, new, monkeypatch):
        with ScriptedEndpoint(parse_replies([{"content": "A live answer."}])) as model:
            monkeypatch.setenv("OPENAI_API_KEY", "local-key-of-this-test")
            monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
            done = new("mailer")
        assert done.exit_code == 0, done.output
        assert _scenario(project)["expect"] == {"contains": ["A live answer."]}
        recorded = project / "cassettes" / "live" / f"{ID}.json"
        assert "local-key-of-this-test" not in recorded.read_text()

    def test_run_with_key_asks_live_model_and_saves_nothing(self, project, new, monkeypatch):
        assert new("mailer", *SCRIPTED).exit_code == 0
        before = {path: path.read_bytes() for path in project.rglob("cassettes/**/*.json")}
        with ScriptedEndpoint(parse_replies([{"content": "A live answer."}])) as model:
            monkeypatch.setenv("OPENAI_API_KEY", "local-key-of-this-test")
            monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
            done = CliRunner().invoke(main, ["run", "--scenario", ID])
            replayed = CliRunner().invoke(main, ["run", "--scenario", ID, "--replay"])
        assert json.loads(done.stdout)["answer"] == "A live answer."
        assert json.loads(replayed.stdout)["answer"] == "Order 81 is on its way."
        assert {path: path.read_bytes() for path in project.rglob("cassettes/**/*.json")} == before


class TestBadInput:
    @pytest.mark.parametrize(
        ("args", "options", "message"),
        [
            (("mailr",), {}, "--agent: there is no agent 'mailr' (did you mean `mailer`?)"),
            (("reflection",), {}, "--agent: reflection is built in"),
            (("new_agents:write_repl",), {}, "(did you mean `write_reply`?)"),
            (("mailer",), {"ticket": "tickt=Where?"}, "has no parameter 'tickt' (did you mean `ticket`?)"),
            (("mailer",), {"ticket": "Where?"}, "--input: 'Where?': write key=text"),
            (("mailer",), {"ticket": "{"}, "--input: is not valid JSON"),
            (("mailer", "--input", "ticket=b"), {}, "--input: 'ticket' is given twice"),
            (
                ("mailer", "--context", "ordr"),
                {},
                "no context 'ordr' in scenarios/contexts (did you mean `order`?)",
            ),
            (("mailer", "--context", "Or der"), {}, "--context: "),
            (("mailer", "--replies", "nowhere.yaml"), {}, "nowhere.yaml"),
            (("mailer", "--replies", "pytest.ini"), {}, "pytest.ini"),
            (("mailer",), {"name": "order"}, "'order' is not a scenario id"),
            (("mailer",), {"name": "../../order"}, "is not a scenario id"),
            (("mailer",), {"name": "contexts/order"}, "the folder 'contexts' is reserved"),
            (("mailer",), {"name": "reflection/order"}, "the folder 'reflection' is reserved"),
        ],
    )
    def test_invalid_input_exits_2_and_writes_nothing(self, project, new, args, options, message):
        done = new(*args, *(() if "--replies" in args else SCRIPTED), **options)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr
        assert not list(project.rglob("cassettes/**/*.json"))
        assert [path.name for path in (project / "scenarios").rglob("*.yaml")] == ["order.yaml"]

    def test_invalid_reply_is_reported(self, project, new):
        (project / "bad.yaml").write_text("- conten: x\n")
        assert "bad.yaml: [0]: a reply needs one of" in new("mailer", "--replies", "bad.yaml").stderr

    def test_existing_scenario_is_refused(self, project, new):
        assert new("mailer", *SCRIPTED).exit_code == 0
        before = (project / "scenarios" / f"{ID}.yaml").read_bytes()
        done = new("mailer", *SCRIPTED)
        assert done.exit_code == 2
        assert "exists already" in done.stderr
        assert (project / "scenarios" / f"{ID}.yaml").read_bytes() == before

    def test_existing_recording_is_refused(self, project, new):
        assert new("mailer", *SCRIPTED).exit_code == 0
        (project / "scenarios" / f"{ID}.yaml").unlink()
        done = new("mailer", *SCRIPTED)
        assert done.exit_code == 2
        assert "redpen cassettes prune" in done.stderr
        assert (project / "cassettes" / "scripted" / f"{ID}.json").is_file()

    def test_file_in_place_of_folder_is_refused(self, project, new):
        (project / "scenarios" / "support").write_text("")
        assert "scenarios/support: is a file, not a folder" in new("mailer", *SCRIPTED).stderr

    def test_secret_in_answer_is_not_written(self, project, new, monkeypatch):
        monkeypatch.setenv("SHOP_TOKEN", "canary-of-the-shop")
        done = new("new_agents:tell_secret")
        assert done.exit_code == 2
        assert "holds a secret" in done.stderr
        assert "canary-of-the-shop" not in done.output
        assert not (project / "scenarios" / "support").exists()
