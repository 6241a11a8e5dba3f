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
_SHORTEST_SECRET: Final = 8
_AWS: Final = {
    "AWS_ACCESS_KEY_ID": PLACEHOLDER,
    "AWS_SECRET_ACCESS_KEY": PLACEHOLDER,
    "AWS_SESSION_TOKEN": None,
}


def offline_environment(addresses: Mapping[str, str]) -> dict[str, str | None]:
    """Return the variables of a run that asks no model: no key, and the addresses of the recording.

    Args:
        addresses: what was set when a live model was recorded; empty for a scripted recording.
    """
    found: dict[str, str | None] = dict.fromkeys(KEY_VARIABLES, PLACEHOLDER)
    found |= _AWS
    found |= {name: addresses.get(name) for name in ADDRESS_VARIABLES}
    return found


def placeholder_keys() -> dict[str, str]:
    """Return placeholders for the keys that are not set, for modules that make their client when imported."""
    return {name: PLACEHOLDER for name in KEY_VARIABLES if not os.environ.get(name)}


@contextmanager
def placeholders_for(failure: str) -> Iterator[bool]:
    """Set placeholders for as long, where a failure is about a key that is not set; yield whether it is.

    Args:
        failure: text of the failure, which names the variable.
    """
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
    """Return the addresses of models that are set now."""
    return {name: value for name in ADDRESS_VARIABLES if (value := os.environ.get(name))}


def is_secret_name(name: str) -> bool:
    """Return whether a variable of that name is taken to hold a secret."""
    return _SECRET_NAME.search(name) is not None


def secret_values() -> tuple[str, ...]:
    """Return what the environment holds under names such as ``…_KEY`` or ``…_TOKEN``, longest first."""
    found = {value for name, value in os.environ.items() if is_secret_name(name)}
    # A password may stand in the address of a database.
    found |= {_password(value) for value in os.environ.values() if "@" in value and "://" in value}
    fit = (value for value in found if len(value) >= _SHORTEST_SECRET and value != PLACEHOLDER)
    return tuple(sorted(fit, key=len, reverse=True))


def _password(address: str) -> str:
    try:
        return urlsplit(address).password or ""
    except ValueError:
        return ""


class SeenSecrets:
    """The secrets that the environment has held so far, those that an agent read from a file among them."""

    def __init__(self) -> None:
        self.seen: tuple[str, ...] = ()
        """The longest first."""
        self._looked_at: dict[str, str] = {}

    def note(self) -> tuple[str, ...]:
        """Keep what the environment holds now, and return all."""
        # It is asked for every event of a run, and hardly ever changes.
        now = dict(os.environ)
        if now == self._looked_at:
            return self.seen
        self._looked_at = now
        if new := set(secret_values()).difference(self.seen):
            self.seen = tuple(sorted((*self.seen, *new), key=len, reverse=True))
        return self.seen

    def redacted(self, text: str) -> str:
        """Return a text without any of them."""
        for secret in self.note():
            text = redact_spellings(redact(text, secret), secret, REDACTED)
        return text


SECRETS: Final = SeenSecrets()
"""Those of this process."""
