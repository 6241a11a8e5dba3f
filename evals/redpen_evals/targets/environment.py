"""The environment variables of model clients during a run."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from redpen.chat.secret_logs import redact
from redpen.text.keys import REDACTED
from redpen_evals.spellings import redact_spellings

KEY_VARIABLES: Final = (
    "OPENAI_API_KEY",
    "ANTHROPIC_API_KEY",
    "AZURE_OPENAI_API_KEY",
    "GEMINI_API_KEY",
    "GOOGLE_API_KEY",
    "GROQ_API_KEY",
    "MISTRAL_API_KEY",
    "OPENROUTER_API_KEY",
)
ADDRESS_VARIABLES: Final = (
    "OPENAI_BASE_URL",
    "OPENAI_API_BASE",
    "ANTHROPIC_BASE_URL",
    "AZURE_OPENAI_ENDPOINT",
)
PLACEHOLDER: Final = "redpen-placeholder-key"
"""Placeholder key for replay, because clients require a key."""

_SECRET_NAME: Final = re.compile(r"(?i)(?:key|token|secret|passw(?:or)?d|credential)s?(?:$|_)")
_MIN_SECRET_CHARS: Final = 8
_AWS: Final = {
    "AWS_ACCESS_KEY_ID": PLACEHOLDER,
    "AWS_SECRET_ACCESS_KEY": PLACEHOLDER,
    "AWS_SESSION_TOKEN": None,
}


def offline_environment(addresses: Mapping[str, str]) -> dict[str, str | None]:
    """Return the variables of a run that calls no model: no key, and the addresses of its recording."""
    keys = dict.fromkeys(KEY_VARIABLES, PLACEHOLDER)
    return {**keys, **_AWS, **{name: addresses.get(name) for name in ADDRESS_VARIABLES}}


def placeholder_keys() -> dict[str, str]:
    """Return placeholders for unset keys, for modules that create their client on import."""
    return {name: PLACEHOLDER for name in KEY_VARIABLES if not os.environ.get(name)}


@contextmanager
def placeholders_for(failure: str) -> Iterator[bool]:
    """Set placeholders inside the block if a failure names an unset key; yield whether it does."""
    missing = placeholder_keys()
    if not any(name in failure for name in missing):
        yield False
        return
    os.environ.update(missing)
    try:
        yield True
    finally:
        for name in missing:
            os.environ.pop(name, None)


def recorded_addresses() -> dict[str, str]:
    """Return the addresses of models that are currently set."""
    return {name: value for name in ADDRESS_VARIABLES if (value := os.environ.get(name))}


def is_secret_name(name: str) -> bool:
    """Return whether a variable of that name counts as a secret."""
    return _SECRET_NAME.search(name) is not None


def secret_values() -> tuple[str, ...]:
    """Return the values of variables such as ``…_KEY`` or ``…_TOKEN``, longest first."""
    values = {value for name, value in os.environ.items() if is_secret_name(name)}
    # The address of a database may contain a password.
    values |= {_password(value) for value in os.environ.values() if "@" in value and "://" in value}
    secrets = (value for value in values if len(value) >= _MIN_SECRET_CHARS and value != PLACEHOLDER)
    return tuple(sorted(secrets, key=len, reverse=True))


def _password(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:
        return ""


class SeenSecrets:
    """The secrets that the environment has held so far, including those that an agent read from a file."""

    def __init__(self) -> None:
        self.seen: tuple[str, ...] = ()
        """The longest first."""
        self._last_environment: dict[str, str] = {}

    def note(self) -> tuple[str, ...]:
        """Add the secrets of the current environment, and return all."""
        # Called for every event of a run, while the environment hardly ever changes.
        now = dict(os.environ)
        if now == self._last_environment:
            return self.seen
        self._last_environment = now
        if new := set(secret_values()).difference(self.seen):
            self.seen = tuple(sorted((*self.seen, *new), key=len, reverse=True))
        return self.seen

    def redacted(self, text: str) -> str:
        """Return a text with all of them redacted."""
        for secret in self.note():
            text = redact_spellings(redact(text, secret), secret, REDACTED)
        return text


SECRETS: Final = SeenSecrets()
"""The secrets of this process."""
