"""Fixtures of all tests: a network guard, no API key from the environment, a small scenario library."""

from __future__ import annotations

import gc
import http.server
import inspect
import json
import os
import socket
import ssl
import threading
import time
from contextlib import ExitStack
from pathlib import Path

# An extension module can be loaded once a process; pytester would unload it after a run in this process.
import numpy  # noqa: F401
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import settings

from fault_campaigns.forked import can_fork
from fault_campaigns.imports import import_for_sessions
from fault_campaigns.sessions import Session, SessionProcess, environment
from fault_campaigns.small_project import own_sources
from redpen_evals.cassettes.cassette import TOOL_HEADERS, CallRules, RunCassette
from redpen_evals.cassettes.store import settle
from redpen_evals.cli import main
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.evaluation import Evaluator
from redpen_evals.network import NetworkGuard
from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.loading import load_case
from redpen_evals.targets.calling import LOOPS
from redpen_evals.targets.environment import SECRETS
from redpen_evals.traffic.patching import PATCH
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.scope import RunScope

# Fixed examples and no deadline make the tests deterministic. More examples are tried
# with `--hypothesis-profile=ci`, as .ci/run does.
settings.register_profile("tests", derandomize=True, deadline=None, database=None, max_examples=8)
settings.register_profile("ci", settings.get_profile("tests"), max_examples=30)

_REACHES_OUT = "reaches_for_network"
_HEADER = "# yaml-language-server: $schema=../scenario.schema.json\n"


def pytest_configure(config):
    if not config.getoption("--hypothesis-profile", default=None):
        settings.load_profile("tests")
    config.addinivalue_line(
        "markers", f"{_REACHES_OUT}: the test tries the network on purpose and has to be blocked"
    )


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers():
    """Start half as many workers again as there are processors, unless the environment says how many."""
    number = yield
    # Workers often wait: for processes, and for what is slow on purpose.
    return number if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else number + number // 2


def pytest_itemcollected(item):
    # Suites of the same session use Redpen, whose session guard would report these deliberate attempts.
    item.add_marker(pytest.mark.redpen_network)


def pytest_generate_tests(metafunc):
    # Not every machine has a PostgreSQL server, so its tests are collected only with `-m postgres`.
    if "database_address" in metafunc.fixturenames:
        on_server = pytest.param("postgresql", marks=pytest.mark.postgres)
        asked = "postgres" in str(metafunc.config.getoption("-m"))
        kinds = ["sqlite", on_server] if asked else ["sqlite"]
        metafunc.parametrize("database_address", kinds, indirect=True)


@pytest.fixture(scope="session")
def postgres_server():
    """Give a PostgreSQL server, one per xdist worker."""
    from postgres_server import PostgresServer

    with PostgresServer() as server:
        yield server


@pytest.fixture
def own_server():
    """Give a PostgreSQL server that the test may stop and start."""
    from postgres_server import PostgresServer

    with PostgresServer() as server:
        yield server


@pytest.fixture
def database_address(request, tmp_path):
    """Give the address of an empty database, of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/database.db"
    return request.getfixturevalue("postgres_server").new_database()


@pytest.fixture
def redpen():
    """Give a function that runs the command in this process, with some standard input."""

    def run(*args, stdin=None):
        return CliRunner().invoke(main, list(map(str, args)), input=stdin, catch_exceptions=False)

    return run


@pytest.fixture(scope="session")
def certificates(tmp_path_factory):
    """Give a file with one of the certificates of this machine, or None if it has none."""
    found = ssl.create_default_context().get_ca_certs(binary_form=True)
    if not found:
        return None
    path = tmp_path_factory.mktemp("certificates") / "one.pem"
    path.write_text(ssl.DER_cert_to_PEM_cert(found[0]), encoding="ascii")
    return path


@pytest.fixture(autouse=True)
def offline(request, monkeypatch, certificates):
    """Block every network but loopback; fail an unmarked test that tried to reach another."""
    # Every client loads all certificates, which takes longer than its requests. Only pip needs them.
    if certificates and request.node.get_closest_marker("installed") is None:
        monkeypatch.setenv("SSL_CERT_FILE", str(certificates))
        # A client that is told to ignore the environment loads those of the machine.
        paths = ssl.get_default_verify_paths()._replace(openssl_cafile=str(certificates), openssl_capath="")
        monkeypatch.setattr(ssl, "get_default_verify_paths", lambda: paths)
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_TIMEOUT_SECONDS"):
        monkeypatch.delenv(name, raising=False)
    # What the environment of one test holds is redacted from no other's texts.
    monkeypatch.setattr(SECRETS, "seen", ())
    monkeypatch.setattr(SECRETS, "_last_environment", {})
    with NetworkGuard(allow_loopback=True) as guard:
        yield
    if ROUTER.seen_telemetry:
        # The patch stays active for late telemetry of frameworks; remove it before the next test.
        ROUTER.forget_telemetry()
        with PATCH:
            pass
    if request.node.get_closest_marker(_REACHES_OUT) is None:
        assert guard.attempts == ()


@pytest.fixture(scope="session", autouse=True)
def _share_compiled_modules():
    """Let subprocesses write bytecode, or each of the hundreds compiles every module again."""
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


@pytest.fixture(scope="session")
def _kept_imports():
    """Import what a run needs: pytester undoes the imports of each run, and they cost a second."""
    import_for_sessions()


@pytest.fixture
def pytester(_kept_imports, pytester, monkeypatch):
    """Give pytest's own `pytester`, with the imports of a run made beforehand.

    Its sessions load the plugins that they name: a search for the installed ones takes a quarter of a small
    session's time.
    """
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    # Old versions of pytest collect garbage five times after each run. Nothing stays frozen after the test:
    # Hypothesis asks for the referrers of objects, and gc leaves out frozen ones.
    gc.freeze()
    yield pytester
    gc.unfreeze()


@pytest.fixture
def installed_plugins(pytester, monkeypatch):  # noqa: ARG001 - sets what this deletes
    """Let the sessions of `pytester` search for installed plugins, and find Redpen by its entry point."""
    monkeypatch.delenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD")


@pytest.fixture(scope="session")
def _session_process():
    """Give the process that forks sessions, one per xdist worker."""
    with SessionProcess(environment(own_sources())) as process:
        yield process


@pytest.fixture
def run_forked(pytester, request):
    """Give a function like ``runpytest_subprocess`` that forks a process with all modules imported."""
    if not can_fork():
        return pytester.runpytest_subprocess
    process = request.getfixturevalue("_session_process")

    def run(*options):
        output, errors = pytester.path / "stdout", pytester.path / "stderr"
        session = Session(
            folder=str(pytester.path),
            arguments=(f"--basetemp={pytester.path / 'basetemp'}", *options),
            output=str(output),
            errors=str(errors),
            environ={name: os.environ[name] for name in ("HOME", "PYTEST_DISABLE_PLUGIN_AUTOLOAD")},
        )
        started = time.monotonic()
        code = process.run(session)
        lines = [path.read_text(encoding="utf-8").splitlines() for path in (output, errors)]
        return pytest.RunResult(code, *lines, time.monotonic() - started)

    return run


@pytest.fixture
def closed_port():
    """Give the URL of a port on which nothing listens."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port = listener.getsockname()[1]
    return f"http://127.0.0.1:{port}"


_RECORDED = {}
"""The files of recorded libraries, by what was recorded and the files before."""


def _files(folder):
    """Return path and content of each file in a folder."""
    return frozenset(
        (path.relative_to(folder).as_posix(), path.read_bytes())
        for path in folder.rglob("*")
        if path.is_file()
    )


class Library:
    """A scenario library in its own folder, with one context and one valid plan."""

    def __init__(self, root):
        self.root = root
        self.layout = Layout(scenarios=root / "scenarios", cassettes=root / "cassettes")
        self.write("contexts/payments.yaml", self.context())
        self.write("plans/sound.yaml", {"title": "A sound plan.", "actions": self.plan()})

    def write(self, name, content):
        """Write a file below the scenarios folder, from text, bytes or values; return its path."""
        path = self.layout.scenarios / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            text = content if isinstance(content, str) else _HEADER + _as_yaml(content)
            path.write_text(text, encoding="utf-8")
        return path

    def add(self, name, scenario):
        """Write a scenario and return its id."""
        self.write(f"{name}.yaml", scenario)
        return name

    def case(self, name, scenario):
        """Write a scenario and return it loaded."""
        return load_case(self.layout, self.add(name, scenario))

    def cassette(self, name, model="scripted"):
        """Return the path of a scenario's cassette."""
        return self.layout.cassettes / model / f"{name}.json"

    def cassettes(self):
        """Return the bytes of each file below the cassettes folder, prompts excepted, by path."""
        paths = sorted(self.layout.cassettes.rglob("*"))
        found = (path for path in paths if path.is_file() and path.parent.name != "_prompts")
        return {path.relative_to(self.layout.cassettes).as_posix(): path.read_bytes() for path in found}

    def evaluate(self, name, **options):
        """Evaluate a scenario and return the verdict."""
        return Evaluator(layout=self.layout, **options).evaluate(name)

    def evaluate_as(self, name, *, variant=None, sample=1, **options):
        """Evaluate a variant or sample of a scenario and return the result."""
        return Evaluator(layout=self.layout, **options).evaluate(name, variant=variant, sample=sample)

    def record(self, name):
        """Record a scenario from its script and assert that it passes.

        Many fixtures record the same scenarios: what that wrote is written again.
        """
        before = _files(self.layout.cassettes)
        key = (name, _files(self.layout.scenarios), before)
        if key not in _RECORDED:
            verdict = self.evaluate(name, record="all")
            assert verdict.outcome == "passed", verdict.text
            # As at the end of a session.
            settle(self.layout.cassettes)
            _RECORDED[key] = _files(self.layout.cassettes)
            return
        for path, content in _RECORDED[key] - before:
            target = self.layout.cassettes / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)

    @staticmethod
    def context(**changes):
        return {
            "report_date": "2026-03-06",
            "region": "US",
            "incident": {
                "incident_id": "inc_payments_20260306",
                "severity": "P1",
                "status": "degraded",
                "affected_checkout_pct": 27,
                "failed_payment_rate": 0.034,
            },
            **changes,
        }

    @staticmethod
    def plan():
        request = {"report_date": "2026-03-06", "region": "US", "incident_id": "inc_payments_20260306"}
        update = {
            "channel": "status_page",
            "template_id": "incident_p1_v2",
            "audience_segment": "enterprise_active",
            "max_recipients": 100,
        }
        return [
            {"id": "a1", "tool": "fetch_incident_snapshot", "args": request},
            {"id": "a2", "tool": "send_status_update", "args": update},
        ]

    @staticmethod
    def self_critique(**changes):
        """Return a self-critique scenario of two calls that approves its draft."""
        approval = {"decision": "approve", "severity": "low", "risks": [], "required_changes": []}
        return {
            "title": "An approval.",
            "agent": "self-critique",
            "tags": ["base"],
            "goal": "Tell customers.",
            "context": "payments",
            "replies": [
                {"phase": "draft", "json": {"draft": "Checkout in the US is degraded for 27% of attempts."}},
                {"phase": "critique", "json": approval},
            ],
            "expect": {"status": "ok", "outcome": "approved_direct"},
            "invariants": ["result_is_well_formed", "numbers_come_from_the_context"],
            **changes,
        }

    @staticmethod
    def reflection(**changes):
        """Return a reflection scenario of two calls that ends with an escalation."""
        review = {"decision": "escalate", "issues": [], "fix_plan": [], "reason": "A person should look."}
        return {
            "title": "An escalation.",
            "agent": "reflection",
            "goal": "Tell customers.",
            "context": "payments",
            "replies": [
                {"phase": "draft", "json": {"draft": "Checkout in the US is degraded."}},
                {"phase": "review", "json": review},
            ],
            "expect": {"status": "stopped", "stop_reason": "policy_escalation", "phase": "review"},
            "invariants": ["stopped_runs_publish_nothing"],
            **changes,
        }

    @classmethod
    def guarded_policy(cls, **changes):
        """Return a guarded-policy scenario whose model proposes the valid plan."""
        return {
            "title": "A sound plan.",
            "agent": "guarded-policy",
            "goal": "Tell customers.",
            "replies": [{"phase": "plan", "json": {"actions": cls.plan()}}],
            "expect": {"status": "ok", "trace": ["a1:allow", "a2:allow", "finalize"]},
            "invariants": ["result_is_well_formed", "recipient_cap_holds"],
            **changes,
        }

    @classmethod
    def filed_plan(cls, **changes):
        """Return a guarded-policy scenario whose plan is a file, so that no model is called."""
        return cls.guarded_policy(planner="file", plan="sound", replies=[], **changes)


def _as_yaml(value):
    return yaml.safe_dump(json.loads(json.dumps(value)), sort_keys=False, allow_unicode=True)


@pytest.fixture(scope="session")
def make_library():
    """Give a function that starts a small library in a folder."""
    return Library


@pytest.fixture
def start_project(pytester):
    """Give a function that starts a library in a project whose one test runs its scenarios."""

    def start(settings=""):
        pytester.makeini(f"[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest\n{settings}")
        pytester.makeconftest('pytest_plugins = ["redpen_evals.plugin"]\n')
        pytester.makepyfile(test_agents="def test_agent(scenario_run):\n    scenario_run.check()\n")
        return Library(pytester.path)

    return start


@pytest.fixture
def library(tmp_path):
    """Give a small library in the test's own folder."""
    return Library(tmp_path)


@pytest.fixture
def checkout():
    """Give the folder of the project."""
    return Path(__file__).resolve().parents[2]


class ToolServer(http.server.ThreadingHTTPServer):
    """An HTTP server that is not a model."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, *arguments):
        super().__init__(*arguments)
        self.answers = []
        self.asked = []
        self.url = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, *_):
        """Print nothing about clients that disconnected."""


class ToolHandler(http.server.BaseHTTPRequestHandler):
    """Sends the next answer: status, headers and body chunks; ``None`` closes the connection."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        content = self.rfile.read(int(self.headers.get("content-length") or 0))
        self.server.asked.append((self.command, self.path, content))
        at = min(len(self.server.asked), len(self.server.answers)) - 1
        answer = self.server.answers[at]
        self.close_connection = True
        if answer is None:
            return
        status, headers, chunks = answer
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("connection", "close")
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(chunk)

    do_GET = do_POST  # noqa: N815 - named by its base class

    def log_message(self, *_):
        """Print nothing."""


class Traffic:
    """Records the HTTP calls of some code and replays them without a network."""

    def __init__(self, stack):
        self._stack = stack
        self.scope = None
        """Scope of the last run."""
        self.attempts = ()
        """Attempts to reach a network in the last replay."""

    def serve(self, *replies, **options):
        """Start an endpoint with a script; it is closed after the test."""
        return self._stack.enter_context(ScriptedEndpoint(parse_replies(list(replies)), **options))

    def serve_http(self, *answers):
        """Start a server that sends one answer per request and repeats the last; closed after the test."""
        server = self._stack.enter_context(ToolServer(("127.0.0.1", 0), ToolHandler))
        server.answers = list(answers)
        thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        self._stack.callback(thread.join)
        self._stack.callback(server.shutdown)
        return server

    def record(self, work, **scope):
        """Return the result of some code and the calls that it made."""
        result = self.run(work, None, **scope)
        return result, self.scope.cassette.calls

    def replay(self, work, calls, **scope):
        """Return the result of the code when it is answered from a recording."""
        with NetworkGuard(one_run=True) as guard:
            result = self.run(work, calls, **scope)
        self.attempts = guard.attempts
        return result

    def check_round_trip(self, ask, reply):
        """Record one call that a client makes, and replay it without its server.

        `ask` takes a base URL and gives text and tool calls of the reply, awaited where it has to be.
        """
        endpoint = self.serve(reply)

        def work():
            result = ask(endpoint.base_url)
            # On the loop of the session, as agents run: a client made at import outlives a run.
            return LOOPS.get().run_until_complete(result) if inspect.iscoroutine(result) else result

        recorded, calls = self.record(work)
        asked = len(endpoint.requests)
        endpoint.close()
        assert (asked, len(calls)) == (1, 1)
        tools = [(call["name"], call["args"]) for call in reply.get("tool_calls", [])]
        assert recorded == (reply.get("content"), tools)
        assert self.replay(work, calls) == recorded
        assert (self.attempts, self.scope.cassette.unplayed, self.scope.problems) == ((), (), [])
        assert len(endpoint.requests) == asked

    def run(self, work, calls, *, volatile=None, **scope):
        """Return the result of some code as one run, with calls to replay or None to record them."""
        rules = CallRules(volatile=volatile, headers=TOOL_HEADERS)
        cassette = RunCassette(kind="live", calls=calls, rules=rules)
        self.scope = RunScope(cassette=cassette, **scope)
        with PATCH, ROUTER.running(self.scope):
            return work()


@pytest.fixture
def traffic():
    """Give a recorder and player of the HTTP traffic of a test's code."""
    with ExitStack() as stack:
        yield Traffic(stack)
