"""Keys planted wherever one could turn up, and a search through everything that comes out."""

from __future__ import annotations

import base64
import gzip
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fault_campaigns.small_library import write_library
from fault_campaigns.small_project import own_sources
from fault_campaigns.tally import Tally
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.scenario_library.layout import Layout

KEY = "canary-" + "7f3kq9zx2m5v8b1n4c6d"
_MODEL = "real-model"
_SCENARIO = "self-critique/approved"
_TIMEOUT_S = 120
_APPROVAL = {"decision": "approve", "severity": "low", "risks": [], "required_changes": []}
_DRAFT = {"json": {"draft": "Checkout in the US is degraded; about 27% of attempts are affected."}}


def canaries(root: Path) -> Tally:
    """Record a live model that gives the key back, in every place, and look for it in all that is written.

    Args:
        root: an empty folder; each place gets a project of its own in it.
    """
    places = canary_places()
    told = {place: find_canary(root / f"place{number}", place) for number, place in enumerate(places)}
    return Tally(
        fault="the key given back by the server or the surroundings",
        claim="it is in no cassette, record, report, log or terminal line",
        tried=len(places),
        broken=tuple(f"{place}: {', '.join(found)}" for place, found in told.items() if found),
    )


def canary_places() -> tuple[str, ...]:
    """Return the names of the places where a key is planted."""
    return tuple(place for place, _ in _places())


def find_canary(project: Path, place: str) -> tuple[str, ...]:
    """Plant a key in one place, record, and return what holds it afterwards: files, or the terminal.

    Args:
        project: a folder that does not exist yet.
        place: one of ``canary_places``.
    """
    _write_project(project)
    output = _record(project, dict(_places())[place], place)
    found = [str(path.relative_to(project)) for path in _files(project) if _holds_key(path.read_bytes())]
    found += ["the terminal"] * _holds_key(output)
    if b"INTERNALERROR" in output or b" scenarios =" not in output:
        found.append("a run that did not end in words")
    return tuple(found)


def _places() -> Iterator[tuple[str, list[dict[str, Any]]]]:
    told = f"Your key is {KEY}."
    error = {"message": told, "type": told, "code": told}
    approval = {"json": {**_APPROVAL, "reason": told}}
    packed = base64.b64encode(gzip.compress(told.encode())).decode()
    yield "the draft", [{"json": {"draft": told}}, {"json": _APPROVAL}]
    yield "the reason of a critique", [_DRAFT, approval]
    yield "an unknown field", [{"json": {"draft": "Checkout is degraded.", "key": KEY}}, {"json": _APPROVAL}]
    yield "a text that is no JSON", [{"content": told}]
    yield "escaped letters", [{"content": "".join(f"\\u{ord(letter):04x}" for letter in told)}]
    yield "a refusal", [{"refusal": told}]
    yield "a tool call", [{"tool_calls": [{"id": KEY, "name": KEY, "args": {KEY: KEY}}]}]
    yield "choices", [{"choices": [{"message": KEY}]}]
    yield "an error of the account", [{"status": 401, "error": error}]
    yield "an error of the request", [{"status": 400, "error": error}]
    yield "an error of the server", [{"status": 500, "error": error, "times": 9}]
    yield "an error page", [{"status": 502, "body": f"<html>{told}</html>", "times": 9}]
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


def _record(project: Path, replies: list[dict[str, Any]], place: str) -> bytes:
    with ScriptedEndpoint(parse_replies(replies), model=_MODEL, loop=True) as server:
        address = server.base_url
        if place == "the address":
            address = address.replace("://", f"://user:{KEY}@")
        elif place == "the query of the address":
            address += f"?api_key={KEY}"
        environ = _environment(address)
        if place == "the environment":
            environ |= {
                "OPENAI_ORG_ID": KEY,
                "OPENAI_PROJECT_ID": KEY,
                "OPENAI_CUSTOM_HEADERS": f"X-Key: {KEY}",
            }
        done = subprocess.run(  # noqa: S603 - our own interpreter
            [
                *(sys.executable, "-m", "pytest", "--record=all", f"--model={_MODEL}", "-vv", "--showlocals"),
                *("--log-level=DEBUG", "--log-file=log.txt", "--junitxml=junit.xml", "-k", f"[{_SCENARIO}]"),
                *("--report=report.html", "--report=report.md", "--report=report.json"),
            ],
            cwd=project,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_TIMEOUT_S,
            check=False,
        )
    return done.stdout


def _environment(address: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("OPENAI_", "PYTEST_"))}
    paths = os.pathsep.join([*map(str, own_sources()), kept.get("PYTHONPATH", "")])
    return {
        **kept,
        "PYTHONPATH": paths,
        "OPENAI_API_KEY": KEY,
        "OPENAI_BASE_URL": address,
        "OPENAI_TIMEOUT_SECONDS": "5",
        "OPENAI_LOG": "debug",
    }


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
