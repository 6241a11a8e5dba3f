"""Keys planted in every possible source, and a search for them in all output."""

from __future__ import annotations

import base64
import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from fault_campaigns.sessions import Session, SessionProcess, environment
from fault_campaigns.small_library import write_library
from fault_campaigns.small_project import own_sources
from fault_campaigns.tally import Tally
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.scenario_library.layout import Layout

KEY = "canary-" + "7f3kq9zx2m5v8b1n4c6d"
_MODEL = "real-model"
_SCENARIO = "self-critique/approved"
_ARGUMENTS = (
    *("--record=all", f"--model={_MODEL}", "-vv", "--showlocals", "-k", f"[{_SCENARIO}]"),
    *("--log-level=DEBUG", "--log-file=log.txt", "--junitxml=junit.xml"),
    *("--report=report.html", "--report=report.md", "--report=report.json"),
)
_ENVIRON = {"OPENAI_API_KEY": KEY, "OPENAI_TIMEOUT_SECONDS": "5", "OPENAI_LOG": "debug"}
_APPROVAL = {"decision": "approve", "severity": "low", "risks": [], "required_changes": []}
_DRAFT = {"json": {"draft": "Checkout in the US is degraded; about 27% of attempts are affected."}}


def canaries(root: Path) -> Tally:
    """Record a live model that returns the key, in every place, and search for it in all output.

    Args:
        root: an empty folder; each place gets a project of its own in it.
    """
    reported = find_canaries(root, canary_places())
    return Tally(
        fault="the key returned by the server, or set in the environment",
        claim="it is in no cassette, record, report, log or terminal line",
        tried=len(reported),
        broken=tuple(f"{place}: {', '.join(found)}" for place, found in reported.items() if found),
    )


def canary_places() -> tuple[str, ...]:
    """Return the names of the places where a key is planted."""
    return tuple(place for place, _ in _places())


def find_canaries(root: Path, places: Sequence[str]) -> Mapping[str, tuple[str, ...]]:
    """Plant a key in one place after another, record, and return the output that contains it.

    Args:
        root: an empty folder.
        places: some of ``canary_places``.

    Returns:
        Names of files, or the terminal, by place.
    """
    replies = dict(_places())
    projects = {place: root / f"place{number}" for number, place in enumerate(places)}
    outputs = {place: root / f"output{number}" for number, place in enumerate(places)}
    with ExitStack() as stack:
        sessions = []
        for place in places:
            _write_project(projects[place])
            server = ScriptedEndpoint(parse_replies(replies[place]), model=_MODEL, loop=True)
            environ = _planted(place, stack.enter_context(server).base_url)
            sessions.append(
                Session(
                    folder=str(projects[place]),
                    arguments=_ARGUMENTS,
                    output=str(outputs[place]),
                    errors=str(outputs[place]),
                    environ=environ,
                )
            )
        process = stack.enter_context(SessionProcess({**environment(own_sources()), **_ENVIRON}))
        for session in sessions:
            process.run(session)
    return {place: tuple(_found(projects[place], outputs[place].read_bytes())) for place in places}


def _found(project: Path, output: bytes) -> Iterator[str]:
    for path in _files(project):
        if _holds_key(path.read_bytes()):
            yield str(path.relative_to(project))
    if _holds_key(output):
        yield "the terminal"
    if b"INTERNALERROR" in output or b" scenarios =" not in output:
        yield "a run without a summary"


def _places() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    message = f"Your key is {KEY}."
    error = {"message": message, "type": message, "code": message}
    approval = {"json": {**_APPROVAL, "reason": message}}
    packed = base64.b64encode(gzip.compress(message.encode())).decode()
    yield "the draft", [{"json": {"draft": message}}, {"json": _APPROVAL}]
    yield "the reason of a critique", [_DRAFT, approval]
    yield "an unknown field", [{"json": {"draft": "Checkout is degraded.", "key": KEY}}, {"json": _APPROVAL}]
    yield "a text that is not valid JSON", [{"content": message}]
    yield "escaped letters", [{"content": "".join(f"\\u{ord(letter):04x}" for letter in message)}]
    yield "a refusal", [{"refusal": message}]
    yield "a tool call", [{"tool_calls": [{"id": KEY, "name": KEY, "args": {KEY: KEY}}]}]
    yield "choices", [{"choices": [{"message": KEY}]}]
    yield "an error of the account", [{"status": 401, "error": error}]
    yield "an error of the request", [{"status": 400, "error": error}]
    yield "an error of the server", [{"status": 500, "error": error, "times": 9}]
    yield "an error page", [{"status": 502, "body": f"<html>{message}</html>", "times": 9}]
    yield (
        "packed bytes",
        [
            {"status": 200, "body_base64": packed, "headers": {"content-encoding": "gzip"}},
        ],
    )
    yield (
        "response headers",
        [
            {
                **_DRAFT,
                "headers": {"set-cookie": f"key={KEY}", "x-request-id": KEY, "x-echo": f"Bearer {KEY}"},
            },
            {"json": _APPROVAL, "headers": {"openai-organization": KEY}},
        ],
    )
    yield "a redirect", [{"status": 307, "body": "", "headers": {"location": f"/v1/{KEY}"}, "times": 9}]
    yield "the environment", [_DRAFT, {"json": _APPROVAL}]
    yield "the address", [_DRAFT, {"json": _APPROVAL}]
    yield "the query of the address", [_DRAFT, {"json": _APPROVAL}]


def _write_project(project: Path) -> None:
    layout = Layout(scenarios=project / "scenarios", cassettes=project / "cassettes")
    write_library(layout, goal="Tell customers.")
    (project / "pytest.ini").write_text("[pytest]\naddopts = -p no:cacheprovider\n", encoding="utf-8")
    test = "def test_agent(scenario_run):\n    scenario_run.check()\n"
    (project / "test_agents.py").write_text(test, encoding="utf-8")
    plugin = 'pytest_plugins = ["redpen_evals.plugin"]\n'
    (project / "conftest.py").write_text(plugin, encoding="utf-8")


def _planted(place: str, address: str) -> dict[str, str]:
    match place:
        case "the address":
            return {"OPENAI_BASE_URL": address.replace("://", f"://user:{KEY}@")}
        case "the query of the address":
            return {"OPENAI_BASE_URL": f"{address}?api_key={KEY}"}
        case "the environment":
            return {
                "OPENAI_BASE_URL": address,
                "OPENAI_ORG_ID": KEY,
                "OPENAI_PROJECT_ID": KEY,
                "OPENAI_CUSTOM_HEADERS": f"X-Key: {KEY}",
            }
        case _:
            return {"OPENAI_BASE_URL": address}


def _files(project: Path) -> Iterator[Path]:
    return (path for path in sorted(project.rglob("*")) if path.is_file() and path.suffix != ".pyc")


def _holds_key(content: bytes) -> bool:
    forms: Mapping[str, bytes] = {
        "plain": KEY.encode(),
        "Base64": base64.b64encode(KEY.encode()).rstrip(b"="),
        "JSON escapes": "".join(f"\\u{ord(letter):04x}" for letter in KEY).encode(),
    }
    lower = content.lower()
    return any(form.lower() in lower for form in forms.values()) or json.dumps(KEY).encode() in content
