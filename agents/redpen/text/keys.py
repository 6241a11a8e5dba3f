"""Finds and redacts strings that look like a key, a token or a password, before anything is stored."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

REDACTED: Final = "[key]"
"""Replaces a secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SecretRule:
    """One kind of secret.

    Attributes:
        name: name of the kind.
        hints: substrings in lower case; a text that matches contains at least one of them.
        pattern: pattern of the secret.
        blocks: example text that matches.
        passes: similar text that does not match.
    """

    name: str
    hints: tuple[str, ...]
    pattern: re.Pattern[str]
    blocks: str
    passes: str


def _rule(name: str, hints: str, pattern: str, *, blocks: str, passes: str) -> SecretRule:
    return SecretRule(
        name=name, hints=tuple(hints.split()), pattern=re.compile(pattern), blocks=blocks, passes=passes
    )


# The examples are concatenated so that secret scanners do not report them.
SECRET_RULES: Final = (
    _rule(
        "an sk- key",
        "sk- gsk_",
        r"(?<![A-Za-z0-9])(?:sk-|gsk_)[A-Za-z0-9_-]{8,}",
        blocks="use sk-" + "proj-a1B2c3D4e5F6g7H8",
        passes="the risk-assessment-of-payments, sk-SK and sk-learn",
    ),
    _rule(
        "a bearer token",
        "bearer",
        r"(?i)\bbearer[ \t]+(?:[A-Za-z0-9._~+/-]{16,}|(?=[A-Za-z._~+/-]{0,15}[0-9])[A-Za-z0-9._~+/-]{8,15})",
        blocks="Authorization: Bearer " + "dG9rZW4tb2YtYS11c2Vy",
        passes="the bearer of this message, a Bearer token",
    ),
    _rule(
        "basic credentials",
        "authorization",
        r"(?i)\bauthorization[\"']?\s{0,4}[:=]\s{0,4}[\"']?basic\s{1,4}[A-Za-z0-9+/]{8,}",
        blocks="Authorization: Basic " + "dXNlcjpwYXNzd29yZA==",
        passes="authorization is a basic requirement",
    ),
    _rule(
        "an AWS key",
        "akia asia",
        r"(?<![A-Za-z0-9])A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])",
        blocks="AKIA" + "ABCDEFGH12345678",
        passes="AKIA is a prefix, AKIASHORT too",
    ),
    _rule(
        "a GitHub token",
        "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
        r"(?<![A-Za-z0-9])(?:gh[pousr]_[A-Za-z0-9]{16,}|github_pat_[A-Za-z0-9_]{16,})",
        blocks="ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2",
        passes="ghp_token and github_pat_tern",
    ),
    _rule(
        "a GitLab token",
        "glpat-",
        r"(?<![A-Za-z0-9])glpat-[A-Za-z0-9_-]{16,}",
        blocks="glpat-" + "a1B2c3D4e5F6g7H8",
        passes="a glpat-prefix",
    ),
    _rule(
        "a Slack token",
        "xox",
        r"(?<![A-Za-z0-9])xox[abeprs]-[A-Za-z0-9-]{8,}",
        blocks="xoxb-" + "123456789012-a1B2c3D4",
        passes="xoxo-hugs-and-kisses",
    ),
    _rule(
        "a Google key",
        "aiza",
        r"(?<![A-Za-z0-9])AIza[A-Za-z0-9_-]{30,}",
        blocks="AIza" + "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q",
        passes="AIzawa is a city",
    ),
    _rule(
        "a Stripe key",
        "k_live_ k_test_",
        r"(?<![A-Za-z0-9])[rs]k_(?:live|test)_[A-Za-z0-9]{8,}",
        blocks="sk_" + "live_a1B2c3D4e5F6",
        passes="disk_live_migration, sk_test_ed",
    ),
    _rule(
        "a Hugging Face token",
        "hf_",
        r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{24,}",
        blocks="hf_" + "aBcDeFgHiJkLmNoPqRsTuVwXyZ012345",
        passes="hf_hub_download",
    ),
    _rule(
        "a private key",
        "private",
        r"-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----",
        blocks="-----BEGIN RSA " + "PRIVATE KEY-----",
        passes="-----BEGIN PUBLIC KEY-----",
    ),
    _rule(
        "a JSON web token",
        "eyj",
        # Matches only at the start of a word: retries at many places in a long word would be quadratic.
        r"(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}",
        blocks="eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0NSJ9" + ".c2lnbmF0dXJlX2hlcmU",
        passes="eyJhbGciOi.short",
    ),
    _rule(
        "a password in a URL",
        "://",
        r"[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"']{0,80}:[^\s/@\"']{1,200}@",
        blocks="https://user:" + "hunter2@api.example.com/v1",
        passes="https://api.example.com:8443/v1 and mailto:help@example.com",
    ),
    _rule(
        "a key in a URL or setting",
        "api_key api-key apikey access_token access-token accesstoken "
        "client_secret client-secret clientsecret",
        r"(?i)\b(?:api[-_]?key|access[-_]?token|client[-_]?secret)[\"']?\s{0,4}[:=]\s{0,4}[\"']?[A-Za-z0-9._~+/-]{12,}",
        blocks="https://api.example.com/v1?api_key=" + "a1B2c3D4e5F6g7H8",
        passes='the api_key: "none", access_token=<yours>',
    ),
)


_HINTS: Final = tuple(hint for rule in SECRET_RULES for hint in rule.hints)


def may_hold_key(text: str) -> bool:
    """Return whether a text, plain or as JSON, contains a hint of any rule."""
    small = text.lower()
    for hint in _HINTS:  # noqa: SIM110 - a generator would take most of the time
        if hint in small:
            return True
    return False


def kinds_of_keys(text: str) -> list[str]:
    """Return the names of the rules that match a text."""
    return [rule.name for rule in SECRET_RULES if rule.pattern.search(text)]


def redact_keys(text: str) -> str:
    """Return a text with everything that looks like a key, token or password redacted."""
    small = text.lower()
    for rule in SECRET_RULES:
        for hint in rule.hints:
            if hint in small:
                text = rule.pattern.sub(REDACTED, text)
                break
    return text
