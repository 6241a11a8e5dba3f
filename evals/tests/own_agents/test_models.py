"""``model=`` and ``--model`` for own agents: a parameter or a configured environment variable."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from redpen_evals.exit_codes import EXIT_ERRORED, EXIT_STALE

pytestmark = pytest.mark.usefixtures("provider")


class Model(BaseHTTPRequestHandler):
    """A stand-in for a provider that answers with the name of the requested model."""

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))["model"]
        body = {
            "id": "1",
            "object": "chat.completion",
            "model": asked,
            "choices": [{"index": 0, "message": {"role": "assistant", "content": f"Hello from {asked}."}}],
            "usage": {"prompt_tokens": 10, "completion_tokens": 4},
        }
        content = json.dumps(body).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_args):
        pass


@pytest.fixture
def provider(monkeypatch):
    """Serve a model on loopback and set `OPENAI_BASE_URL` to it."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Model)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
    monkeypatch.setenv("OPENAI_API_KEY", "key-of-the-house-4711")
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def unscripted(project):
    """Give the project with a scenario without replies."""
    scenario = project.scenario(expect={"contains": ["Hello"]}, context=None)
    for field in ("replies", "tools", "context"):
        del scenario[field]
    project.scenario_library.add("mail/order", scenario)
    return project


def _answers(project):
    return {variant: result.answer for (_, variant, _), result in project.results.items()}


def test_live_recording_without_digest_passes_with_a_warning(unscripted, monkeypatch):
    unscripted.record()
    monkeypatch.delenv("OPENAI_API_KEY")
    path = unscripted.scenario_library.layout.cassettes / "live" / "mail" / "order.json"
    recording = json.loads(path.read_text())
    del recording["sha256"]
    path.write_text(json.dumps({**recording, "redpen_cassette": 1}))
    done = unscripted.run()
    assert done.ret == 0
    done.stdout.fnmatch_lines(
        ["redpen: mail/order: cassettes/live/mail/order.json has no digest (sha256), so *--record=all *"]
    )
    (result,) = unscripted.results.values()
    assert result.warnings[0].startswith("cassettes/live/mail/order.json has no digest")


def test_each_model_has_its_own_cassette_folder(unscripted, monkeypatch):
    unscripted.record("--variants", "model=large,scripted")
    assert unscripted.cassettes == ["large/mail/order.json", "live/mail/order.json"]
    monkeypatch.delenv("OPENAI_API_KEY")
    unscripted.run("--variants", "model=large,scripted").assert_outcomes(passed=2)
    assert _answers(unscripted) == {"model=large": "Hello from large.", "": "Hello from small."}


def test_model_option_and_knob_share_recordings(unscripted):
    unscripted.record("--model", "large")
    unscripted.run("--variants", "model=large").assert_outcomes(passed=1)
    assert _answers(unscripted) == {"model=large": "Hello from large."}


def test_model_is_set_in_configured_variables(unscripted):
    path = unscripted.root / "support" / "mailer.py"
    source = (
        path.read_text()
        .replace(", model=None)", ")")
        .replace('model or os.environ.get("OPENAI_MODEL"', 'os.environ.get("MAILER_MODEL"')
    )
    path.write_text(source)
    done = unscripted.run("--record=missing", "--model", "large")
    assert done.ret == EXIT_ERRORED
    message = "*the agent called small, not large: give it a parameter `model`*; without --model its own *"
    done.stdout.fnmatch_lines([message])
    assert unscripted.cassettes == []
    ini = unscripted.root / "tox.ini"
    ini.write_text(ini.read_text() + "\nredpen_model_variables =\n    MAILER_MODEL\n")
    unscripted.record("--model", "large")
    assert _answers(unscripted) == {"": "Hello from large."}


def test_real_model_ignores_scripted_replies_and_expectation(project):
    # The scenario expects the answer and the tool call of its script.
    project.record()
    project.record("--variants", "model=large")
    assert project.cassettes == ["large/mail/order.json", "scripted/mail/order.json"]
    assert _answers(project) == {"model=large": "Hello from large."}
    project.run("--variants", "model=large,scripted").assert_outcomes(passed=2)


def test_invariants_apply_to_real_model(project):
    project.scenario_library.add("mail/order", project.scenario(never_publishes=["hello"]))
    done = project.run("--record=missing", "--model", "large")
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*never_publishes: the answer contains 'hello'*"])


def test_stale_summary_estimates_tokens_of_live_recordings(unscripted):
    unscripted.record()
    unscripted.write("prompts/reply.md", "You write to customers.\nAnswer in two kind sentences about it.\n")
    done = unscripted.run()
    assert done.ret == EXIT_STALE
    done.stdout.fnmatch_lines(["*prompts/reply.md:2*", "*to record again*10 prompt and 4 completion tokens*"])
    assert "free" not in done.stdout.str()
