"""Settings of the chat client, read from the environment when a run starts."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, SecretStr

from redpen.errors import ConfigurationError

DEFAULT_BASE_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4.1-mini"
DEFAULT_TIMEOUT_S = 60.0
DEFAULT_RETRIES = 2
_MAX_TIMEOUT_S = 3600.0


class ChatSettings(BaseModel):
    """Connection and sampling settings of a model.

    Attributes:
        api_key: sent as the bearer token; never shown.
        base_url: any server with the OpenAI chat completions API.
        model: name of the model.
        timeout_s: time limit of one HTTP attempt, in seconds.
        retries: maximum number of HTTP attempts after the first; with 0, as in replay, there is no circuit
            breaker either.
        temperature: sampling temperature; 0 is the least random.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    api_key: SecretStr
    base_url: str = DEFAULT_BASE_URL
    model: str = DEFAULT_MODEL
    timeout_s: float = Field(default=DEFAULT_TIMEOUT_S, gt=0, le=_MAX_TIMEOUT_S)
    retries: int = Field(default=DEFAULT_RETRIES, ge=0, le=10)
    temperature: int | float = Field(default=0, ge=0, le=2)


def read_settings(environ: Mapping[str, str] | None = None) -> ChatSettings:
    """Read the settings from the environment.

    Args:
        environ: ``OPENAI_API_KEY`` (required), ``OPENAI_BASE_URL``, ``OPENAI_MODEL`` and
            ``OPENAI_TIMEOUT_SECONDS``; by default the process environment. Empty values are ignored.

    Raises:
        ConfigurationError: the key is missing or empty, or a value is invalid.
    """
    environ = os.environ if environ is None else environ
    api_key = environ.get("OPENAI_API_KEY", "").strip()
    if not api_key:
        raise ConfigurationError(
            "OPENAI_API_KEY is not set, so no model can be called. Set it (to any value for a local server "
            "with OPENAI_BASE_URL), or replay a recorded scenario with `redpen run … --scenario ID`."
        )
    base_url = environ.get("OPENAI_BASE_URL", "").strip() or DEFAULT_BASE_URL
    if not api_key.isascii() or not api_key.isprintable():
        raise ConfigurationError("OPENAI_API_KEY contains characters that are not allowed in an HTTP header")
    if not _is_http_address(base_url):
        raise ConfigurationError(f"OPENAI_BASE_URL: {base_url!r} is not an http:// or https:// URL")
    return ChatSettings(
        api_key=SecretStr(api_key),
        base_url=base_url,
        model=environ.get("OPENAI_MODEL", "").strip() or DEFAULT_MODEL,
        timeout_s=_timeout(environ.get("OPENAI_TIMEOUT_SECONDS", "").strip()),
    )


def _is_http_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        # `port` raises ValueError if it is invalid.
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def _timeout(text: str) -> float:
    if not text:
        return DEFAULT_TIMEOUT_S
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= _MAX_TIMEOUT_S:
        raise ConfigurationError(
            f"OPENAI_TIMEOUT_SECONDS: {text!r} is not a number of seconds above 0, up to {_MAX_TIMEOUT_S:g}"
        )
    return seconds
