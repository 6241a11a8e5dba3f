"""The ``redpen fuzz`` command: the guards recipe, programs, saved drafts and exit codes."""

from __future__ import annotations

import json
import shutil
import sys

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.scenario_library.drafts import check_drafts, load_all_drafts
from redpen_evals.scenario_library.layout import Layout

ORDER = ("--context", "orders-eu", "--property", "order", "--rounds", "1")


def fuzz(*arguments):
    return CliRunner().invoke(main, ["fuzz", *arguments], catch_exceptions=False)


@pytest.fixture
def recipe(tmp_path, checkout, monkeypatch):
    """Work in a copy of the recipe with a fresh import of its module."""
    shutil.copytree(checkout / "agents" / "examples" / "guards", tmp_path / "guards")
    monkeypatch.chdir(tmp_path / "guards")
    monkeypatch.delitem(sys.modules, "guards", raising=False)
    yield tmp_path / "guards"
    sys.modules.pop("guards", None)


@pytest.mark.usefixtures("recipe")
@pytest.mark.parametrize("guard", ["guards:gateway", "guards:NoRefunds"])
def test_guards_of_the_recipe_have_holes(guard):
    done = fuzz(guard, "--property", "breaches", "--rounds", "1")
    assert done.exit_code == 1
    assert "[[No data was lost.]]" in done.stdout
    assert "families" in done.stdout.splitlines()[-1]


def test_shipped_judge_is_replayed_and_stale_when_prompt_changes(recipe):
    done = fuzz("guards:judge", *ORDER)
    assert (done.exit_code, "no property is broken" in done.stdout) == (0, True)
    prompt = recipe / "prompts" / "judge.md"
    prompt.write_text(prompt.read_text(encoding="utf-8").replace("promises", "guarantees"), encoding="utf-8")
    del sys.modules["guards"]
    done = fuzz("guards:judge", *ORDER)
    assert done.exit_code == 11
    assert "not tried: the model calls that it needs are not recorded" in done.stdout


def test_record_missing_records_only_new_judge_calls(recipe, monkeypatch):
    shutil.rmtree(recipe / "cassettes")
    replies = parse_replies([{"content": '{"blocked": false}'}])
    with ScriptedEndpoint(replies, loop=True) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
        assert fuzz("guards:judge", *ORDER, "--record", "missing").exit_code == 0
        asked = len(model.requests)
        assert asked > 0
        assert fuzz("guards:judge", *ORDER, "--record", "missing").exit_code == 0
        assert len(model.requests) == asked
        assert fuzz("guards:judge", *ORDER[:-1], "2", "--record", "missing").exit_code == 0
        assert len(model.requests) > asked
    monkeypatch.delenv("OPENAI_BASE_URL")
    done = fuzz("guards:judge", *ORDER[:-1], "2")
    assert (done.exit_code, "2 rounds" in done.stdout) == (0, True)
    assert CliRunner().invoke(main, ["cassettes", "check"]).exit_code == 0


def test_edited_recording_is_refused_until_recorded_again(recipe, monkeypatch):
    with ScriptedEndpoint(parse_replies([{"content": '{"blocked": false}'}]), loop=True) as model:
        monkeypatch.setenv("OPENAI_BASE_URL", model.base_url)
        assert fuzz("guards:judge", *ORDER, "--record", "all").exit_code == 0
        path = recipe / "cassettes" / "live" / "guards" / "guards.judge.json"
        path.write_text(path.read_text(encoding="utf-8").replace("false", "true"), encoding="utf-8")
        refused = fuzz("guards:judge", *ORDER)
        assert refused.exit_code != 0
        assert "was edited after it was recorded" in refused.output
        assert fuzz("guards:judge", *ORDER, "--record", "all").exit_code == 0
    recording = json.loads(path.read_text(encoding="utf-8"))
    del recording["sha256"]
    path.write_text(json.dumps({**recording, "redpen_cassette": 1}), encoding="utf-8")
    older = fuzz("guards:judge", *ORDER)
    assert older.exit_code == 0
    assert "guards.judge.json has no digest" in older.output


def test_saved_counterexamples_are_drafts_tried_by_next_run(library, monkeypatch):
    monkeypatch.chdir(library.root)
    broken = fuzz("regex", "--property", "breaches", "--rounds", "1", "--save")
    assert broken.exit_code == 1
    assert "saved as scenarios/drafts/found/breach-party-" in broken.stdout
    assert check_drafts(library.layout) == ()
    drafts = load_all_drafts(library.layout)
    assert {draft.item.label for draft in drafts} == {"block"}
    again = fuzz("regex", "--property", "known")
    assert again.exit_code == 1
    first = again.stdout.splitlines()[3].split()
    assert first[:3] == ["known", str(len(drafts)), str(len(drafts))]
    assert fuzz("redpen", "--property", "known").exit_code == 0


def test_save_without_library_stores_context_in_draft(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.yaml").write_text("refund_usd: 45\n", encoding="utf-8")
    done = fuzz("regex", "--context", "own.yaml", "--property", "breaches", "--rounds", "1", "--save")
    assert "saved as scenarios/drafts/found/" in done.stdout
    drafts = load_all_drafts(Layout(scenarios=tmp_path / "scenarios", cassettes=tmp_path / "cassettes"))
    assert {str(draft.context) for draft in drafts} == {"{'refund_usd': 45}"}
    assert CliRunner().invoke(main, ["scenarios", "check"]).exit_code == 0


def test_program_is_tried_except_for_memory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guard.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    asked = json.loads(line)\n"
        "    print(json.dumps({'ok': asked['revised'] == asked['original']}), flush=True)\n",
        encoding="utf-8",
    )
    command = f"{sys.executable} -S guard.py"
    options = ("--rounds", "1", "--property", "breaches", "--property", "memory")
    done = fuzz("--command", command, *options)
    assert (done.exit_code, "not tried: it runs in another process" in done.stdout) == (0, True)


def test_nothing_to_try_exits_10(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = fuzz("redpen", "--property", "known")
    assert done.exit_code == 10
    assert "nothing was tried" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "name a guard"),
        (("nowhere:guard",), "No module named 'nowhere'"),
        (("redpen", "--context", "nothing"), "no context 'nothing'"),
        (("redpen", "--property", "faithfull"), "faithfull"),
        (("--command", "./nowhere"), "'./nowhere' cannot be started"),
    ],
)
def test_invalid_arguments_exit_2(tmp_path, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    done = fuzz(*arguments)
    assert done.exit_code == 2
    assert message in done.output
