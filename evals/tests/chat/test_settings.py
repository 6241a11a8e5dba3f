"""Settings of the chat client, read from the environment when a run starts."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError

from redpen import run_reflection_agent, run_self_critique_agent
from redpen.chat import ChatClient, ChatSettings, read_settings
from redpen.errors import ConfigurationError
from redpen_evals.endpoint.server import ScriptedEndpoint

KEY = {"OPENAI_API_KEY": "k-1"}


def test_default_settings() -> None:
    settings = read_settings(KEY)
    assert settings.api_key.get_secret_value() == "k-1"
    assert settings.base_url == "https://api.openai.com/v1"
    assert settings.model == "gpt-4.1-mini"
    assert settings.timeout_s == 60.0


def test_every_variable_is_read() -> None:
    settings = read_settings(
        {
            "OPENAI_API_KEY": " k-1 ",
            "OPENAI_BASE_URL": "http://localhost:8000/v1",
            "OPENAI_MODEL": "other",
            "OPENAI_TIMEOUT_SECONDS": "2.5",
        }
    )
    expected = ChatSettings(
        api_key=SecretStr("k-1"), base_url="http://localhost:8000/v1", model="other", timeout_s=2.5
    )
    assert settings == expected


def test_empty_values_count_as_absent() -> None:
    empty = dict.fromkeys(("OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_TIMEOUT_SECONDS"), " ")
    assert read_settings({**KEY, **empty}) == read_settings(KEY)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("OPENAI_API_KEY", None),
        ("OPENAI_API_KEY", ""),
        ("OPENAI_API_KEY", " \n"),
        ("OPENAI_API_KEY", "ключ"),
        ("OPENAI_API_KEY", "two\nlines"),
        ("OPENAI_TIMEOUT_SECONDS", "soon"),
        ("OPENAI_TIMEOUT_SECONDS", "0"),
        ("OPENAI_TIMEOUT_SECONDS", "-1"),
        ("OPENAI_TIMEOUT_SECONDS", "nan"),
        ("OPENAI_TIMEOUT_SECONDS", "inf"),
        ("OPENAI_TIMEOUT_SECONDS", "1e9"),
        ("OPENAI_BASE_URL", "localhost:8000"),
        ("OPENAI_BASE_URL", "ftp://example.com"),
        ("OPENAI_BASE_URL", "http://"),
        ("OPENAI_BASE_URL", "http://[::1"),
        ("OPENAI_BASE_URL", "http://localhost:port"),
        ("OPENAI_BASE_URL", "http://localhost:99999"),
    ],
)
def test_invalid_variable_is_named_in_error(name: str, value: str | None) -> None:
    environ = {key: given for key, given in {**KEY, name: value}.items() if given is not None}
    with pytest.raises(ConfigurationError, match=name) as caught:
        read_settings(environ)
    if name == "OPENAI_API_KEY" and value and value.strip():
        assert value not in str(caught.value)


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1", "https://h/v1/", "http://[::1]:8000/v1", "HTTPS://h"]
)
def test_valid_base_urls_are_accepted(address: str) -> None:
    assert ChatClient.from_environment({**KEY, "OPENAI_BASE_URL": address})


def test_key_is_not_in_repr_or_dump() -> None:
    settings = read_settings({"OPENAI_API_KEY": "very-secret"})
    assert "very-secret" not in f"{settings!r} {settings} {settings.model_dump_json()}"


@pytest.mark.parametrize(
    "changes", [{"timeout_s": 0}, {"timeout_s": float("nan")}, {"retries": -1}, {"other": 1}]
)
def test_invalid_settings_are_rejected(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        ChatSettings(api_key=SecretStr("k"), **changes)


@pytest.mark.parametrize("run", [run_self_critique_agent, run_reflection_agent])
def test_missing_key_is_a_configuration_error(run: Callable[..., Any]) -> None:
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        run(goal="Inform.", incident_context={"incident": {}})


def test_environment_is_read_when_a_run_starts(
    serve: Callable[..., ScriptedEndpoint], monkeypatch: pytest.MonkeyPatch
) -> None:
    for model in ("first-model", "second-model"):
        endpoint = serve({"json": {"draft": "One update."}}, {"json": {"decision": "approve"}})
        monkeypatch.setenv("OPENAI_API_KEY", "k")
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
        monkeypatch.setenv("OPENAI_MODEL", model)
        assert run_reflection_agent(goal="Inform.", incident_context={}).status == "ok"
        assert [request.body["model"] for request in endpoint.requests] == [model, model]


def test_import_reads_no_environment_and_loads_no_client() -> None:
    # The values are invalid, so an import that read them would fail.
    program = (
        "import sys, redpen, redpen.chat, redpen.agents.self_critique, redpen.agents.guarded_policy\n"
        "print(sorted({'openai', 'httpx2', 'vcr', 'pytest'} & set(sys.modules)))"
    )
    done = subprocess.run(  # noqa: S603 - this interpreter, with a constant program
        [sys.executable, "-c", program],
        env={
            "OPENAI_TIMEOUT_SECONDS": "soon",
            "OPENAI_BASE_URL": "nowhere",
            "PYTHONPATH": ":".join(sys.path),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == "[]"
