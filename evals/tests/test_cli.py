"""The command `redpen`: standard output, standard error and exit codes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading

import httpx2
import pytest

from redpen.context import build_incident_context
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

APPROVE = "self-critique/approve"
ESCALATE = "reflection/escalate"


@pytest.fixture
def stocked(library, monkeypatch):
    """Give a library, in the working folder, with a scenario of each agent; the text agents' recorded."""
    monkeypatch.chdir(library.root)
    library.add(APPROVE, library.self_critique())
    library.add(ESCALATE, library.reflection())
    library.add("guarded-policy/filed", library.filed_plan())
    library.record(APPROVE)
    library.record(ESCALATE)
    return library


@pytest.fixture
def model(monkeypatch):
    """Give a function that starts a local server and points `OPENAI_*` to it."""
    servers = []

    def start(*replies):
        server = ScriptedEndpoint(parse_replies(list(replies)))
        servers.append(server)
        monkeypatch.setenv("OPENAI_API_KEY", "local-key-of-this-test")
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        return server

    yield start
    for server in servers:
        server.close()


@pytest.fixture
def write(tmp_path):
    """Give a function that writes a file, or leaves it out for None, and returns its path."""

    def write_it(name, content):
        path = tmp_path / name
        if content is not None:
            path.write_bytes(content)
        return path

    return write_it


def _result(done):
    """Return the JSON object on standard output and assert that nothing else is there."""
    value = json.loads(done.stdout)
    assert isinstance(value, dict)
    assert done.stdout == json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    return value


def _replies(draft):
    return [
        {"phase": "draft", "json": {"draft": draft}},
        {"phase": "critique", "json": {"decision": "approve"}},
    ]


class TestRunWithScenario:
    def test_run_without_key_replays_cassette(self, stocked, redpen):
        before = stocked.cassettes()
        done = redpen("run", "self-critique", "--scenario", APPROVE)
        assert (done.exit_code, done.stderr) == (0, "")
        assert _result(done)["outcome"] == "approved_direct"
        assert stocked.cassettes() == before

    def test_stopped_run_exits_1(self, stocked, redpen):
        assert stocked.layout.scenarios.is_dir()
        done = redpen("run", "reflection", "--scenario", ESCALATE)
        assert done.exit_code == 1
        assert _result(done)["stop_reason"] == "policy_escalation"

    def test_run_without_model_needs_neither_key_nor_cassette(self, stocked, redpen):
        assert stocked.layout.scenarios.is_dir()
        done = redpen("run", "guarded-policy", "--scenario", "guarded-policy/filed")
        assert done.exit_code == 0
        assert _result(done)["outcome"] == "policy_guarded_success"

    def test_run_with_key_asks_live_model(self, stocked, redpen, model):
        assert stocked.layout.scenarios.is_dir()
        server = model({"json": {"draft": "Live words."}}, {"json": {"decision": "approve"}})
        done = redpen("run", "self-critique", "--scenario", APPROVE)
        assert _result(done)["answer"] == "Live words."
        assert len(server.requests) == 2
        assert json.loads(server.requests[0].body["messages"][1]["content"])["goal"] == "Tell customers."

    def test_blank_key_counts_as_no_key(self, stocked, redpen, monkeypatch):
        assert stocked.layout.scenarios.is_dir()
        monkeypatch.setenv("OPENAI_API_KEY", "  ")
        assert redpen("run", "self-critique", "--scenario", APPROVE).exit_code == 0

    @pytest.mark.parametrize("kept", [0, 1])
    def test_replay_with_changed_script_exits_2(self, stocked, redpen, kept):
        replies = [{"phase": "draft", "json": {"draft": "Other words."}}]
        sound = stocked.self_critique()["replies"]
        stocked.add(APPROVE, stocked.self_critique(replies=[*replies, *sound[1:]] if kept else sound[:1]))
        done = redpen("run", "--replay", "--scenario", APPROVE)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "pytest --record=stale" in done.stderr

    def test_hidden_characters_in_answer_are_escaped(self, stocked, redpen):
        message = "Our team \x9bm is \u202e working \u2028 on it."
        stocked.add(APPROVE, stocked.self_critique(replies=_replies(message)))
        stocked.record(APPROVE)
        done = redpen("run", "--replay", "--scenario", APPROVE)
        assert done.exit_code == 0
        assert not {"\x9b", "\u202e", "\u2028"} & set(done.stdout)
        assert json.loads(done.stdout)["answer"] == message

    def test_hidden_characters_in_usage_error_are_escaped(self, redpen):
        done = redpen("check", "--claims", "\u202ehint\x9b")
        assert done.exit_code == 2
        assert not {"\x9b", "\u202e"} & set(done.stderr)
        assert "\\u202ehint" in done.stderr

    def test_run_with_stale_cassette_exits_2_and_shows_record_command(self, stocked, redpen):
        stocked.add(APPROVE, stocked.self_critique(goal="Tell all customers."))
        done = redpen("run", "self-critique", "--scenario", APPROVE)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.splitlines() == [
            f"redpen: {APPROVE}: call 1 of 2 (draft): messages[1].content → goal changed",
            "  Tell {+all +}customers.",
            f"  to fix it: pytest --record=stale -k '[{APPROVE}]'",
        ]

    def test_run_with_missing_cassette_exits_2(self, stocked, redpen):
        stocked.cassette(APPROVE).unlink()
        done = redpen("run", "self-critique", "--scenario", APPROVE)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "there is no recording" in done.stderr
        assert f"-k '[{APPROVE}]'" in done.stderr

    def test_folder_options_override_working_folder(self, stocked, redpen, monkeypatch, tmp_path_factory):
        monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
        folders = ("--scenarios", stocked.layout.scenarios, "--cassettes", stocked.layout.cassettes)
        assert redpen(*folders, "run", "self-critique", "--scenario", APPROVE).exit_code == 0
        done = redpen("run", "self-critique", "--scenario", APPROVE)
        assert done.exit_code == 2
        assert "scenarios: no such folder" in done.stderr

    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("reflection", "--scenario", APPROVE), "is a scenario of self-critique, not of reflection"),
            (("self-critique", "--scenario", "self-critique/aprove"), f"(did you mean `{APPROVE}`?)"),
            (("self-critique", "--scenario", "../../etc/passwd"), "no scenario '../../etc/passwd'"),
            (("self-critique", "--scenario", APPROVE, "--goal", ""), "has its own context and goal"),
            (("self-critique", "--scenario", APPROVE, "--context", "x.json"), "has its own context"),
            (("no-such-agent",), "'no-such-agent' is not one of"),
            ((), "name an agent"),
            (("self-critique", "--scenari"), "--scenario"),
        ],
    )
    def test_usage_error_exits_2_with_message(self, stocked, redpen, args, message):
        assert stocked.layout.scenarios.is_dir()
        done = redpen("run", *args)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr

    def test_broken_scenario_error_names_file_and_line(self, stocked, redpen):
        stocked.add(APPROVE, stocked.self_critique(titel="x"))
        done = redpen("run", "self-critique", "--scenario", APPROVE)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "scenarios/self-critique/approve.yaml:24: titel: unknown key" in done.stderr


class TestRunWithContext:
    @pytest.mark.parametrize("agent", ["self-critique", "reflection", "guarded-policy"])
    def test_run_with_context_without_key_exits_2(self, redpen, agent):
        done = redpen("run", agent)
        assert (done.exit_code, done.stdout) == (2, "")
        assert done.stderr.startswith("redpen: OPENAI_API_KEY is not set")

    def test_default_context_is_the_example_incident(self, redpen, model):
        server = model({"json": {"draft": "Words."}}, {"json": {"decision": "approve"}})
        done = redpen("run", "self-critique")
        assert done.exit_code == 0
        payload = json.loads(server.requests[0].body["messages"][1]["content"])
        assert payload["incident_context"] == build_incident_context()
        assert payload["goal"].strip()

    @pytest.mark.parametrize(
        ("name", "text"),
        [
            ("own.json", json.dumps({**build_incident_context(region="EU"), "note": "🙂 ü"})),
            ("own.json", json.dumps({**build_incident_context(region="EU"), "note": "🙂 ü"}, indent="\t")),
            ("own.yaml", "report_date: 2026-03-06\nregion: EU\nnote: 🙂 ü\nincident: {severity: P1}\n"),
        ],
    )
    def test_context_and_goal_options_reach_the_model(self, redpen, model, tmp_path, name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        server = model({"json": {"draft": "Words."}}, {"json": {"decision": "approve"}})
        assert redpen("run", "self-critique", "--context", path, "--goal", "Mine.").exit_code == 0
        payload = json.loads(server.requests[0].body["messages"][1]["content"])
        assert payload["goal"] == "Mine."
        assert (payload["incident_context"]["region"], payload["incident_context"]["note"]) == ("EU", "🙂 ü")

    def test_guarded_policy_context_reaches_the_model(self, redpen, model, tmp_path, library):
        path = tmp_path / "request.yaml"
        path.write_text("request: {report_date: 2026-03-06, region: EU, incident_id: inc_7}\n")
        server = model({"json": {"actions": library.plan()}})
        done = redpen("run", "guarded-policy", "--context", path)
        assert done.exit_code == 0
        assert "inc_7" in server.requests[0].body["messages"][1]["content"]

    @pytest.mark.parametrize(
        ("file", "message"),
        [
            (("none.json", None), "cannot be read: "),
            (("empty.yaml", b""), ":1: the file is empty"),
            (("empty.json", b""), "invalid JSON: "),
            (("list.json", b"[]"), "has to hold an object"),
            (("list.yaml", b"- 1"), "has to hold an object"),
            (("torn.json", b'{"region": '), "invalid JSON: "),
            (("twice.json", b'{"region": "US", "region": "EU"}'), "an object repeats a key"),
            (("torn.yaml", b"region: ["), "not valid YAML: "),
            (("latin.yaml", b"region: \xfc"), "not UTF-8"),
            (("latin.json", b'{"region": "\xfc"}'), "not UTF-8"),
        ],
    )
    def test_unusable_context_exits_2_before_any_request(self, redpen, model, write, file, message):
        server = model({"json": {"draft": "Words."}})
        path = write(*file)
        done = redpen("run", "self-critique", "--context", path)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr
        assert server.requests == ()

    @pytest.mark.parametrize("goal", ["", "  "])
    def test_blank_goal_exits_2(self, redpen, model, goal):
        model({"json": {"draft": "Words."}})
        done = redpen("run", "self-critique", "--goal", goal)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "goal" in done.stderr

    def test_model_failure_exits_1_with_stopped_result(self, redpen, model):
        model({"status": 401})
        done = redpen("run", "reflection")
        assert done.exit_code == 1
        result = _result(done)
        assert result["stop_reason"] == "llm_auth"
        assert "local-key-of-this-test" not in done.output

    @pytest.mark.parametrize(
        ("name", "value"), [("OPENAI_BASE_URL", "ftp://x"), ("OPENAI_TIMEOUT_SECONDS", "soon")]
    )
    def test_invalid_setting_exits_2_and_is_named(self, redpen, model, monkeypatch, name, value):
        model()
        monkeypatch.setenv(name, value)
        done = redpen("run", "self-critique")
        assert (done.exit_code, done.stdout) == (2, "")
        assert name in done.stderr


class TestScenarios:
    def test_scenarios_list_shows_expectation_and_tags(self, stocked, redpen):
        assert stocked.layout.scenarios.is_dir()
        done = redpen("scenarios")
        assert done.exit_code == 0
        assert done.stdout.splitlines() == [
            "guarded-policy/filed   ok",
            "reflection/escalate    policy_escalation",
            "self-critique/approve  approved_direct    base",
        ]

    def test_scenarios_list_filters_by_agent_and_tag(self, stocked, redpen):
        assert stocked.layout.scenarios.is_dir()
        assert redpen("scenarios", "--agent", "reflection").stdout.startswith(ESCALATE)
        assert redpen("scenarios", "--tag", "base").stdout.startswith(APPROVE)
        assert redpen("scenarios", "--agent", "critic").exit_code == 2

    def test_check_of_valid_library_exits_0(self, stocked, redpen):
        assert stocked.layout.scenarios.is_dir()
        done = redpen("scenarios", "check")
        assert (done.exit_code, done.stdout, done.stderr) == (
            0,
            "",
            "3 scenarios, 0 files of drafts, 0 faults\n",
        )

    def test_check_warns_of_personal_data_and_exits_0(self, stocked, redpen):
        stocked.write("plans/own.yaml", "title: x\nactions: [ask anna@gmail.com]\n")
        done = redpen("scenarios", "check")
        assert (done.exit_code, done.stdout, done.stderr) == (
            0,
            (
                "scenarios/plans/own.yaml:2: warning: an e-mail address, maybe a real one; "
                "write one of a domain kept free for examples, such as example.com\n"
            ),
            "3 scenarios, 0 files of drafts, 0 faults, 1 warnings\n",
        )

    def test_check_names_every_fault_and_exits_1(self, stocked, redpen):
        stocked.add("self-critique/broken", stocked.self_critique(titel="x"))
        stocked.write("contexts/torn.yaml", "region: [")
        stocked.write("plans/sound.yml", "x: 1")
        stocked.write("self-critique/two words.yaml", stocked.self_critique())
        (stocked.layout.scenarios / "reflection" / "escalate.yaml").unlink()
        done = redpen("scenarios", "check")
        assert done.exit_code == 1
        places = [line.split(": ")[0] for line in done.stdout.splitlines()]
        assert places == [
            "scenarios/contexts/torn.yaml:2",
            "scenarios/plans/sound.yml:1",
            "scenarios/self-critique/broken.yaml:24",
            "scenarios/self-critique/two words.yaml:1",
            "cassettes/scripted/reflection/escalate.json:1",
            "scenarios/reflection:1",
        ]
        assert done.stdout.endswith("scenarios/reflection:1: warning: holds no file\n")
        assert done.stderr == "4 scenarios, 0 files of drafts, 5 faults, 1 warnings\n"

    @pytest.mark.parametrize("command", [("scenarios",), ("scenarios", "check")])
    def test_scenarios_without_library_exits_2(self, redpen, tmp_path, monkeypatch, command):
        monkeypatch.chdir(tmp_path)
        done = redpen(*command)
        assert (done.exit_code, done.stdout) == (2, "")
        assert "scenarios: no such folder" in done.stderr

    def test_schema_command_writes_schemas_beside_library(self, stocked, redpen):
        done = redpen("scenarios", "schema")
        assert done.exit_code == 0
        names = {"scenario.schema.json", "context.schema.json", "plan.schema.json", "drafts.schema.json"}
        names.add("policy.schema.json")
        assert {line.rpartition("/")[2] for line in done.stdout.splitlines()} == names
        assert all(json.loads((stocked.layout.scenarios / name).read_text()) for name in names)


class TestEndpoint:
    @pytest.mark.parametrize(
        ("args", "message"),
        [
            (("--scenario", "guarded-policy/filed"), "calls no model, so there is nothing to serve"),
            (("--scenario", "self-critique/none"), "no scenario 'self-critique/none'"),
            (("--scenario", APPROVE, "--port", "99999"), "99999 is not in the range"),
            (("--scenario", APPROVE, "--host", "192.0.2.1"), "cannot listen on 192.0.2.1:0: "),
            ((), "Missing option '--scenario'"),
        ],
    )
    def test_endpoint_that_cannot_serve_exits_2(self, stocked, redpen, args, message):
        assert stocked.layout.scenarios.is_dir()
        done = redpen("endpoint", *args)
        assert (done.exit_code, done.stdout) == (2, "")
        assert message in done.stderr

    def test_endpoint_on_taken_port_exits_2_and_names_address(self, stocked, redpen):
        assert stocked.layout.scenarios.is_dir()
        with ScriptedEndpoint([]) as other:
            port = other.base_url.rpartition(":")[2].removesuffix("/v1")
            done = redpen("endpoint", "--scenario", APPROVE, "--port", port)
        assert done.exit_code == 2
        assert f"cannot listen on 127.0.0.1:{port}: " in done.stderr

    @pytest.mark.skipif(sys.platform == "win32", reason="Ctrl-C is sent to a process group there")
    def test_endpoint_prints_base_url_serves_and_ends_on_ctrl_c(self, stocked, checkout):
        with _redpen_process(checkout, stocked.root, "endpoint", "--scenario", APPROVE) as process:
            base_url = process.stdout.readline().strip()
            assert base_url.startswith("http://127.0.0.1:")
            body = {"model": "any", "messages": [{"role": "user", "content": "x"}]}
            answer = httpx2.post(f"{base_url}/chat/completions", json=body, trust_env=False).json()
            assert json.loads(answer["choices"][0]["message"]["content"])["draft"].startswith("Checkout")
            assert httpx2.get(f"{base_url}/models", trust_env=False).json()["data"]
            process.send_signal(signal.SIGINT)
            rest, errors = process.communicate(timeout=60)
        assert (process.returncode, rest, errors) == (0, "", "")


def _redpen_process(checkout, folder, *args):
    paths = os.pathsep.join([str(checkout / "agents"), str(checkout / "evals")])
    # A background job of a shell script inherits that interrupts are ignored.
    listening = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    return subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", f"{listening}; from redpen_evals.cli import main; main()", *args],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )


def test_run_process_prints_only_json_and_exits_1_when_stopped(stocked, checkout):
    with _redpen_process(checkout, stocked.root, "run", "reflection", "--scenario", ESCALATE) as process:
        out, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (1, "")
    assert json.loads(out)["trace"]


def test_help_imports_no_heavy_package(checkout, tmp_path):
    code = (
        "import sys\n"
        "from redpen_evals.cli import main\n"
        "main(['--help'], standalone_mode=False)\n"
        "sys.exit(str(sorted({'openai', 'vcr', 'httpx2', 'redpen.agents'} & set(sys.modules))))\n"
    )
    paths = os.pathsep.join([str(checkout / "agents"), str(checkout / "evals")])
    done = subprocess.run(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "scenarios" in done.stdout
    assert done.stderr.strip() == "[]"


def test_python_m_redpen_evals_runs_the_command(checkout, tmp_path):
    paths = os.pathsep.join([str(checkout / "agents"), str(checkout / "evals")])
    done = subprocess.run(
        [sys.executable, "-m", "redpen_evals", "scenarios"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("redpen: scenarios: no such folder")


def test_terminal_escapes_in_error_are_escaped(stocked, redpen):
    path = stocked.root / "odd\x1b[2J.yaml"
    path.write_text("a: [", encoding="utf-8")
    done = redpen("run", "self-critique", "--context", path)
    assert done.exit_code == 2
    assert "odd\\x1b[2J.yaml:2: not valid YAML" in done.stderr
    assert "\x1b" not in done.stderr


def test_context_is_read_from_named_pipe(stocked, redpen):
    pipe = stocked.root / "pipe"
    os.mkfifo(pipe)
    texts = [stocked.root / name for name in ("original.txt", "revised.txt")]
    for text in texts:
        text.write_text("Checkout is degraded.", encoding="utf-8")
    context = json.dumps(build_incident_context())
    writer = threading.Thread(target=pipe.write_text, args=(context,))
    writer.start()
    done = redpen("check", "--context", pipe, "--original", texts[0], "--revised", texts[1])
    writer.join()
    assert done.exit_code == 0


def test_version_works_in_uninstalled_checkout(redpen):
    done = redpen("--version")
    assert done.exit_code == 0
    assert "redpen" in done.stdout
