"""Evaluation of a scenario: replay, recording, and how each of the four outcomes comes about."""

from __future__ import annotations

import json
import os
import shlex
import socket

import pytest

from redpen.chat.settings import read_settings
from redpen_evals.cassettes import file
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.errors import CassetteError
from redpen_evals.evaluation import StaleRecordingError, built_in, judging, replay_result
from redpen_evals.records import ScenarioResult
from redpen_evals.scenario_library.loading import load_case
from redpen_evals.targets import tools as tool_module

APPROVE = "self-critique/approve"
KEY = "local-key-of-this-test"


@pytest.fixture
def recorded(library):
    """Give a library with one recorded scenario."""
    library.add(APPROVE, library.self_critique())
    library.record(APPROVE)
    return library


@pytest.fixture
def live(monkeypatch):
    """Give a function that starts a server as the live model and returns its settings."""
    servers = []

    def start(replies, *, key=KEY):
        server = ScriptedEndpoint(parse_replies(replies), model="real-model")
        servers.append(server)
        monkeypatch.setenv("OPENAI_API_KEY", key)
        monkeypatch.setenv("OPENAI_BASE_URL", server.base_url)
        return read_settings(), server

    yield start
    for server in servers:
        server.close()


def _edit(path, change):
    """Change the values of a cassette."""
    value = json.loads(path.read_text(encoding="utf-8"))
    change(value)
    path.write_text(json.dumps(value), encoding="utf-8")


def _without_time(data):
    return {**json.loads(data), "recorded": None}


class TestReplay:
    def test_recorded_scenario_passes(self, recorded):
        before = recorded.cassettes()
        verdict = recorded.evaluate(APPROVE)
        assert (verdict.outcome, verdict.reasons, verdict.command) == ("passed", (), None)
        assert (verdict.scenario, verdict.agent) == (APPROVE, "self-critique")
        assert recorded.cassettes() == before

    @pytest.mark.parametrize("agent", ["reflection", "guarded_policy"])
    def test_recorded_scenario_passes_for_every_agent(self, library, agent):
        scenario = getattr(library, agent)()
        name = library.add(f"{scenario['agent']}/one", scenario)
        library.record(name)
        assert library.evaluate(name).outcome == "passed"

    def test_scenario_without_model_calls_needs_no_cassette(self, library):
        name = library.add("guarded-policy/filed", library.filed_plan())
        for mode in ("none", "missing", "stale", "all"):
            assert library.evaluate(name, record=mode).outcome == "passed"
        assert library.cassettes() == {}

    def test_model_failure_is_recorded_and_replayed(self, library):
        for number, reply in enumerate(
            [
                {"status": 429},
                {"fault": "drop"},
                {"choices": []},
                {"status": 502, "body": "<html>"},
                {"content": "{"},
            ]
        ):
            reason = ["rate_limited", "timeout", "no_choices", "server_error", "invalid_json"][number]
            expect = {"status": "stopped", "stop_reason": f"llm_{reason}", "phase": "draft"}
            scenario = library.self_critique(replies=[reply], expect=expect)
            scenario["invariants"] = ["stopped_runs_publish_nothing"]
            name = library.add(f"self-critique/failure-{number}", scenario)
            verdict = library.evaluate(name, record="all")
            assert verdict.outcome == library.evaluate(name).outcome == "passed", verdict.text

    def test_unmet_expectation_fails_with_difference(self, recorded):
        recorded.add(APPROVE, recorded.self_critique(expect={"status": "ok", "outcome": "revised_once"}))
        verdict = recorded.evaluate(APPROVE)
        assert verdict.outcome == "failed"
        assert verdict.reasons == ('outcome: expected "revised_once", got "approved_direct"',)
        assert verdict.command is None

    def test_broken_invariant_fails(self, recorded):
        recorded.add(APPROVE, recorded.self_critique(never_publishes=["degraded"]))
        verdict = recorded.evaluate(APPROVE)
        assert verdict.outcome == "failed"
        assert verdict.reasons == ("never_publishes: the answer contains 'degraded'",)

    def test_verdict_round_trips_as_json_and_has_one_line_summary(self, recorded):
        recorded.add(APPROVE, recorded.self_critique(goal="Tell hotels."))
        verdict = recorded.evaluate(APPROVE)
        assert ScenarioResult.model_validate_json(verdict.model_dump_json()) == verdict
        assert verdict.text.splitlines()[0] == f"{APPROVE}: stale"
        assert "\n" not in verdict.summary


class TestRefusedRevision:
    def test_refused_revision_is_kept_with_its_violations(self, library):
        change = {
            "decision": "revise",
            "severity": "low",
            "risks": [{"type": "overconfidence", "note": "Say less."}],
            "required_changes": ['ADD "We will tell you more."'],
        }
        revised = "Checkout in the US is degraded for 73% of attempts. We will tell you more."
        scenario = library.self_critique(
            expect={"status": "stopped", "stop_reason": "patch_violation:no_new_facts"},
            invariants=["stopped_runs_publish_nothing"],
            policy={"max_length_increase_pct": 100},
        )
        scenario["replies"][1]["json"] = change
        scenario["replies"].append({"phase": "revise", "json": {"revised_answer": f" {revised} "}})
        library.add(APPROVE, scenario)
        result = library.evaluate(APPROVE, record="all")
        assert result.refused == revised
        assert result.violations == ("no_new_facts",)
        assert library.evaluate(APPROVE).refused == revised

    def test_published_text_is_not_refused(self, recorded):
        assert recorded.evaluate(APPROVE).refused is None


class TestStale:
    def test_changed_request_is_stale_with_call_path_diff_and_command(self, recorded):
        recorded.add(APPROVE, recorded.self_critique(goal="Tell all customers."))
        verdict = recorded.evaluate(APPROVE)
        assert verdict.outcome == "stale"
        assert verdict.reasons[0].splitlines() == [
            "call 1 of 2 (draft): messages[1].content → goal changed",
            "  Tell {+all +}customers.",
        ]
        assert verdict.command == f"pytest --record=stale -k '[{APPROVE}]'"
        assert f"to fix it: {verdict.command}" in verdict.text

    def test_change_in_later_call_names_that_call(self, recorded):
        def reword(cassette):
            content = cassette["calls"][1]["request"]["body"]["messages"][1]["content"]
            (packed,) = content.values()
            packed["draft"] = "Another draft."

        _edit(recorded.cassette(APPROVE), reword)
        reason = recorded.evaluate(APPROVE).reasons[0]
        assert reason.startswith("call 2 of 2 (critique): messages[1].content → draft changed\n")

    def test_changed_prompt_is_stale_with_word_diff(self, recorded):
        path = recorded.cassette(APPROVE)
        text = file.dump(file.read(path))
        assert text.count("customer-facing") >= 1
        path.write_text(text.replace("customer-facing", "partner-facing", 1), encoding="utf-8")
        verdict = recorded.evaluate(APPROVE)
        assert verdict.outcome == "stale"
        head, words = verdict.reasons[0].splitlines()
        assert head == "call 1 of 2 (draft): messages[0].content changed"
        assert "[-partner-facing-] {+customer-facing+}" in words

    def test_replay_miss_is_stale_even_if_agent_swallows_it(self, recorded):
        # The run itself ends with a stop reason, and the scenario even expects it.
        expect = {"status": "stopped", "stop_reason": "llm_timeout", "phase": "draft", "calls": 1}
        recorded.add(APPROVE, recorded.self_critique(goal="Other.", expect=expect))
        assert recorded.evaluate(APPROVE).outcome == "stale"

    def test_call_beyond_the_recording_is_stale(self, recorded):
        _edit(recorded.cassette(APPROVE), lambda cassette: cassette["calls"].pop())
        verdict = recorded.evaluate(APPROVE)
        assert verdict.outcome == "stale"
        (reason,) = verdict.reasons
        head, advice = reason.splitlines()
        assert head.startswith("call 2 (critique): POST http://")
        assert head.endswith("/chat/completions comes after the recorded call")
        assert advice == "  if the agent should have stopped before it, this is the bug; otherwise record it"

    def test_missing_cassette_is_stale_with_record_command(self, library):
        library.add(APPROVE, library.self_critique())
        verdict = library.evaluate(APPROVE)
        assert verdict.outcome == "stale"
        assert verdict.reasons == (f"{library.cassette(APPROVE)}: there is no recording",)
        assert verdict.command is not None
        assert verdict.command.startswith("pytest --record=")
        assert shlex.split(verdict.command)[-2:] == ["-k", f"[{APPROVE}]"]

    def test_record_command_names_the_live_model(self, library):
        library.add(APPROVE, library.self_critique())
        verdict = library.evaluate(APPROVE, model="real model")
        assert "--model 'real model'" in (verdict.command or "")


class TestFailed:
    def test_recorded_calls_beyond_the_script_are_stale(self, recorded):
        def add_calls(cassette):
            last = cassette["calls"][-1]
            cassette["calls"] += [{**last, "phase": "revise"}, {**last, "phase": "revise"}]

        _edit(recorded.cassette(APPROVE), add_calls)
        assert recorded.evaluate(APPROVE).outcome == "stale"

    @pytest.mark.reaches_for_network
    @pytest.mark.parametrize("swallowed", [False, True])
    def test_run_that_tries_the_network_fails(self, library, monkeypatch, swallowed):
        def curious(**_):
            try:
                socket.getaddrinfo("telemetry.example.invalid", 443)
            except Exception:
                if not swallowed:
                    raise
            return {"status": "ok", "data": {}}

        builtin = tool_module.builtin_tools
        monkeypatch.setattr(
            tool_module, "builtin_tools", lambda: {**builtin(), "fetch_incident_snapshot": curious}
        )
        for name, scenario in (("asked", library.guarded_policy()), ("filed", library.filed_plan())):
            library.add(f"guarded-policy/{name}", scenario)
            library.evaluate(f"guarded-policy/{name}", record="missing")
            verdict = library.evaluate(f"guarded-policy/{name}")
            assert verdict.outcome == "failed"
            assert verdict.reasons == (
                "reached for the network: socket.getaddrinfo to telemetry.example.invalid",
            )

    @pytest.mark.reaches_for_network
    def test_replay_blocks_loopback_connections(self, library, monkeypatch):
        def curious(**_):
            with socket.socket() as sock:
                sock.connect(("127.0.0.1", 9))

        builtin = tool_module.builtin_tools
        monkeypatch.setattr(
            tool_module, "builtin_tools", lambda: {**builtin(), "send_status_update": curious}
        )
        verdict = library.evaluate(library.add("guarded-policy/filed", library.filed_plan()))
        assert verdict.reasons == ("reached for the network: socket.connect to 127.0.0.1:9",)


class TestErrored:
    def test_broken_scenario_is_errored_with_file_and_line(self, library):
        library.add(APPROVE, library.self_critique(titel="x"))
        verdict = library.evaluate(APPROVE)
        assert verdict.outcome == "errored"
        assert verdict.agent == "self-critique"
        assert verdict.reasons[0].endswith("approve.yaml:24: titel: unknown key (did you mean `title`?)")

    def test_missing_scenario_is_errored(self, library):
        verdict = library.evaluate("self-critique/gone")
        assert (verdict.outcome, verdict.reasons[0][:33]) == ("errored", "no scenario 'self-critique/gone';")

    def test_missing_context_is_named(self, library):
        library.add(APPROVE, library.self_critique(context="gone"))
        assert "there is no contexts/gone.yaml" in library.evaluate(APPROVE).summary

    @pytest.mark.parametrize(
        ("damage", "message"),
        [
            (lambda _: b"", "the file is empty"),
            (lambda data: data[: len(data) // 2], "the file is truncated or damaged"),
            (
                lambda data: data.replace(b'"redpen_cassette": 1', b'"redpen_cassette": 3'),
                "has format version 3",
            ),
            (lambda _: b"[]", "is not a cassette"),
            (lambda data: b"\xff" + data, "is not valid UTF-8"),
            (lambda data: data.replace(APPROVE.encode(), b"self-critique/other"), "its path says"),
        ],
        ids=["empty", "torn", "version", "shape", "encoding", "scenario"],
    )
    def test_unusable_cassette_is_errored_until_recorded_again(self, recorded, damage, message):
        path = recorded.cassette(APPROVE)
        path.write_bytes(damage(path.read_bytes()))
        before = recorded.cassettes()
        for mode in ("none", "missing", "stale"):
            verdict = recorded.evaluate(APPROVE, record=mode)
            assert verdict.outcome == "errored"
            assert message in verdict.reasons[0]
            assert verdict.reasons[0].startswith(str(path))
            assert verdict.command == f"pytest --record=all -k '[{APPROVE}]'"
        assert recorded.cassettes() == before
        recorded.record(APPROVE)
        assert recorded.evaluate(APPROVE).outcome == "passed"

    def test_exception_in_harness_is_errored(self, recorded, monkeypatch):
        def broken(*_args):
            raise ZeroDivisionError("in the harness")

        monkeypatch.setattr(judging, "check_expectation", broken)
        verdict = recorded.evaluate(APPROVE)
        assert (verdict.outcome, verdict.reasons) == ("errored", ("ZeroDivisionError: in the harness",))


class TestRecording:
    @pytest.fixture
    def mixed(self, library):
        """Give a library with a fresh, a stale, a torn and a missing recording."""
        names = [f"self-critique/{name}" for name in ("fresh", "stale", "torn", "missing")]
        for name in names[:3]:
            library.add(name, library.self_critique())
            library.record(name)
        library.add(names[1], library.self_critique(goal="Another goal."))
        library.cassette(names[2]).write_bytes(library.cassette(names[2]).read_bytes()[:-20])
        library.add(names[3], library.self_critique())
        return library

    @pytest.mark.parametrize(
        ("mode", "outcomes", "touched"),
        [
            ("none", ("passed", "stale", "errored", "stale"), set()),
            ("missing", ("passed", "stale", "errored", "passed"), {"missing"}),
            ("stale", ("passed", "passed", "errored", "passed"), {"stale", "missing"}),
            ("all", ("passed", "passed", "passed", "passed"), {"fresh", "stale", "torn", "missing"}),
        ],
    )
    def test_record_mode_changes_only_its_files(self, mixed, mode, outcomes, touched):
        names = ("fresh", "stale", "torn", "missing")
        marks = {}
        for name, path in ((name, mixed.cassette(f"self-critique/{name}")) for name in names):
            if path.exists():
                os.utime(path, ns=(1, 1))
                marks[name] = path.read_bytes()
        found = tuple(mixed.evaluate(f"self-critique/{name}", record=mode).outcome for name in names)
        assert found == outcomes
        for name in names:
            path = mixed.cassette(f"self-critique/{name}")
            if name in touched:
                assert path.stat().st_mtime_ns != 1
            elif name in marks:
                assert (path.stat().st_mtime_ns, path.read_bytes()) == (1, marks[name])
            else:
                assert not path.exists()

    def test_recording_writes_only_the_cassette(self, recorded):
        assert list(recorded.cassettes()) == [f"scripted/{APPROVE}.json"]

    def test_recording_twice_differs_only_in_timestamp(self, recorded):
        first = recorded.cassette(APPROVE).read_bytes()
        recorded.record(APPROVE)
        second = recorded.cassette(APPROVE).read_bytes()
        assert _without_time(first) == _without_time(second)
        differing = [
            one for one, other in zip(first.splitlines(), second.splitlines(), strict=True) if one != other
        ]
        assert all(line.strip().startswith(b'"at": ') for line in differing)

    def test_recording_a_run_with_unmet_expectation_fails(self, library):
        library.add(APPROVE, library.self_critique(expect={"status": "ok", "outcome": "revised_once"}))
        assert library.evaluate(APPROVE, record="all").outcome == "failed"
        assert library.evaluate(APPROVE).outcome == "failed"

    def test_script_with_too_few_replies_saves_no_cassette(self, library):
        scenario = library.self_critique()
        library.add(APPROVE, library.self_critique(replies=scenario["replies"][:1]))
        verdict = library.evaluate(APPROVE, record="all")
        assert verdict.outcome == "errored"
        assert "the run made 2 calls (draft, critique) and the scenario scripts 1 replies" in verdict.summary
        assert list(library.layout.cassettes.rglob("*.json")) == []

    def test_script_with_unused_replies_fails(self, library):
        scenario = library.self_critique()
        replies = [*scenario["replies"], {"phase": "revise", "json": {"revised_answer": "x"}}]
        library.add(APPROVE, library.self_critique(replies=replies))
        assert library.evaluate(APPROVE, record="all").reasons == (
            "calls: expected 3, got 2 (draft, critique)",
        )

    @pytest.mark.parametrize("error", [KeyboardInterrupt, RuntimeError])
    def test_interrupted_recording_keeps_the_old_cassette(self, recorded, monkeypatch, error):
        before = recorded.cassettes()
        whole = built_in.run_built_in

        def break_off(case, chat, **knobs):
            whole(case, chat, **knobs)
            raise error("cut")

        monkeypatch.setattr(built_in, "run_built_in", break_off)
        if error is KeyboardInterrupt:
            with pytest.raises(KeyboardInterrupt):
                recorded.evaluate(APPROVE, record="all")
        else:
            assert recorded.evaluate(APPROVE, record="all").outcome == "errored"
        assert recorded.cassettes() == before

    def test_cassette_with_secret_is_not_saved(self, recorded):
        before = recorded.cassettes()
        secret = "sk-" + "proj-a1B2c3D4e5F6g7H8"
        replies = [
            {"phase": "draft", "json": {"draft": f"Use {secret}"}},
            recorded.self_critique()["replies"][1],
        ]
        recorded.add(APPROVE, recorded.self_critique(replies=replies, goal="Other."))
        verdict = recorded.evaluate(APPROVE, record="all")
        assert verdict.outcome == "errored"
        assert "nothing was saved, the recording holds an sk- key" in verdict.text
        assert secret not in verdict.text
        assert recorded.cassettes() == before

    def test_unwritable_cassettes_folder_is_errored(self, library):
        library.layout.cassettes.write_text("a file in the way")
        library.add(APPROVE, library.self_critique())
        verdict = library.evaluate(APPROVE, record="all")
        assert verdict.outcome == "errored"
        assert "cannot be written" in verdict.text


class TestLiveModel:
    def test_live_run_is_judged_by_invariants_and_live_key(self, library, live):
        # The script expects an approval; the live model revises nothing and escalates.
        library.add(APPROVE, library.self_critique(live={"may_stop": ["policy_escalation"]}))
        escalation = {"decision": "escalate", "severity": "high", "reason": "A person should look."}
        settings, server = live([{"json": {"draft": "Checkout is degraded."}}, {"json": escalation}])
        verdict = library.evaluate(APPROVE, model="real-model", record="missing", live=settings)
        assert verdict.outcome == "passed", verdict.text
        assert [request.body["model"] for request in server.requests] == ["real-model"] * 2
        assert list(library.cassettes()) == [f"real-model/{APPROVE}.json"]
        assert library.evaluate(APPROVE, model="real-model").outcome == "passed"
        assert server.remaining == 0

    def test_live_run_that_breaks_invariant_fails(self, library, live):
        library.add(APPROVE, library.self_critique())
        approval = library.self_critique()["replies"][1]
        settings, _ = live([{"json": {"draft": "About 99% of payments fail."}}, approval])
        verdict = library.evaluate(APPROVE, model="real-model", record="all", live=settings)
        assert verdict.reasons == (
            "numbers_come_from_the_context: the answer says 99, which is not in the context",
        )

    def test_live_cassette_holds_no_key(self, library, live):
        library.add(APPROVE, library.self_critique())
        settings, _ = live(library.self_critique()["replies"])
        library.evaluate(APPROVE, model="real-model", record="all", live=settings)
        (data,) = library.cassettes().values()
        assert KEY.encode() not in data
        assert b"authorization" not in data.lower()

    def test_reply_that_repeats_the_key_is_not_saved(self, library, live):
        library.add(APPROVE, library.self_critique())
        settings, _ = live([{"json": {"draft": f"My key is {KEY}"}}, library.self_critique()["replies"][1]])
        verdict = library.evaluate(APPROVE, model="real-model", record="all", live=settings)
        assert verdict.outcome == "errored"
        assert "contains the API key" in verdict.text
        assert KEY not in verdict.text
        assert library.cassettes() == {}

    @pytest.mark.parametrize(
        ("reply", "reason"),
        [
            ({"status": 401}, "llm_auth"),
            ({"status": 404}, "llm_bad_request"),
            ({"status": 429, "headers": {"Retry-After": 0}}, "llm_rate_limited"),
            ({"status": 503}, "llm_server_error"),
            ({"fault": "drop"}, "llm_timeout"),
        ],
    )
    def test_server_error_replaces_no_recording(self, library, live, reply, reason):
        library.add(APPROVE, library.self_critique())
        settings, _ = live(library.self_critique()["replies"])
        assert library.evaluate(APPROVE, model="real-model", record="all", live=settings).outcome == "passed"
        before = library.cassettes()
        settings, _ = live([reply])
        settings = settings.model_copy(update={"retries": 0})
        verdict = library.evaluate(APPROVE, model="real-model", record="all", live=settings)
        assert verdict.outcome == "errored"
        assert verdict.summary.startswith(f"nothing was saved, real-model gave no answer: {reason}: ")
        assert library.cassettes() == before

    def test_refusal_of_live_model_is_recorded(self, library, live):
        library.add(APPROVE, library.self_critique(invariants=["stopped_runs_publish_nothing"]))
        settings, _ = live([{"refusal": "I would rather not."}])
        verdict = library.evaluate(APPROVE, model="real-model", record="all", live=settings)
        assert verdict == library.evaluate(APPROVE, model="real-model").model_copy(
            update={"calls": verdict.calls}
        )
        assert verdict.reasons == ("live: a live model must give a published text, got the stop llm_refused",)

    def test_retried_request_is_replayed_as_one_call(self, library, live):
        library.add(APPROVE, library.self_critique())
        busy = {"status": 429, "headers": {"Retry-After": 0}}
        settings, server = live([busy, *library.self_critique()["replies"]])
        verdict = library.evaluate(APPROVE, model="real-model", record="all", live=settings)
        assert (verdict.outcome, server.remaining) == ("passed", 0)
        assert library.evaluate(APPROVE, model="real-model").outcome == "passed"

    def test_recording_live_model_without_settings_is_errored(self, library):
        library.add(APPROVE, library.self_critique())
        verdict = library.evaluate(APPROVE, model="real-model", record="all")
        assert (verdict.outcome, verdict.summary) == (
            "errored",
            "recording real-model needs a key: set OPENAI_API_KEY",
        )

    def test_recordings_of_two_models_coexist(self, recorded, live):
        settings, _ = live(recorded.self_critique()["replies"])
        before = recorded.cassettes()
        recorded.evaluate(APPROVE, model="org/real:1", record="all", live=settings)
        after = recorded.cassettes()
        assert len(after) == 2
        assert before.items() <= after.items()
        assert recorded.evaluate(APPROVE, model="org/real:1").outcome == "passed"


class TestReplayResult:
    def test_replay_result_is_the_result_of_the_run(self, recorded):
        result = replay_result(recorded.layout, load_case(recorded.layout, APPROVE))
        assert (result["status"], result["outcome"]) == ("ok", "approved_direct")

    def test_stale_cassette_raises_with_record_command(self, recorded):
        recorded.add(APPROVE, recorded.self_critique(goal="Other."))
        with pytest.raises(StaleRecordingError) as caught:
            replay_result(recorded.layout, load_case(recorded.layout, APPROVE))
        assert f"pytest --record=stale -k '[{APPROVE}]'" in str(caught.value)

    def test_missing_cassette_raises(self, library):
        with pytest.raises(CassetteError, match="there is no recording"):
            replay_result(library.layout, library.case(APPROVE, library.self_critique()))
