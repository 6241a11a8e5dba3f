"""Where the models of each vendor are asked, and with which key: what a command is told of it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from redpen_evals.targets.environment import PLACEHOLDER
from redpen_evals.traffic.scope import RunScope
from redpen_evals.traffic.telemetry import SERVICES

_LOOPBACK_NAMES: Final = ("127.0.0.1", "localhost", "::1")
_AGENTS_TRACES: Final = "openai-traces"


@dataclass(frozen=True, slots=True, kw_only=True)
class Vendor:
    """One vendor.

    Attributes:
        path: by which the proxy knows its calls; ends as base URLs of the vendor's clients do.
        address_variable: holds the base URL.
        public: base URL where that variable is not set.
        keys: variables that hold a key, with name and form of the header that carries it.
    """

    path: str
    address_variable: str
    public: str
    keys: tuple[tuple[str, str, str], ...]

    def address(self) -> str:
        """Return the base URL of the user's environment, or the public one."""
        return (os.environ.get(self.address_variable) or self.public).rstrip("/")

    def key_headers(self) -> dict[str, str]:
        """Return the header with the user's key; none where no key is set."""
        for variable, header, form in self.keys:
            key = os.environ.get(variable)
            if key and key != PLACEHOLDER:
                return {header: form.format(key)}
        return {}

    def variables(self, proxy_url: str) -> dict[str, str]:
        """Return what a command finds in place of address and keys."""
        found = {self.address_variable: f"{proxy_url}/{self.path}"}
        first, *others = (variable for variable, _, _ in self.keys)
        found[first] = PLACEHOLDER
        return found | {variable: PLACEHOLDER for variable in others if variable in os.environ}


VENDORS: Final = (
    Vendor(
        path="openai/v1",
        address_variable="OPENAI_BASE_URL",
        public="https://api.openai.com/v1",
        keys=(("OPENAI_API_KEY", "authorization", "Bearer {}"),),
    ),
    Vendor(
        path="anthropic",
        address_variable="ANTHROPIC_BASE_URL",
        public="https://api.anthropic.com",
        keys=(
            ("ANTHROPIC_API_KEY", "x-api-key", "{}"),
            ("ANTHROPIC_AUTH_TOKEN", "authorization", "Bearer {}"),
        ),
    ),
)


def proxy_variables(url: str, scope: RunScope) -> dict[str, str]:
    """Return the variables that send all other HTTP of a command through a proxy.

    Args:
        url: of the proxy.
        scope: the run; its hosts that pass, and telemetry that is allowed, are reached without it.
    """
    past = [*_LOOPBACK_NAMES, *sorted(scope.passthrough)]
    for service in SERVICES:
        # Only whole hosts: paths cannot be seen from here.
        if service.name in scope.telemetry and not service.paths:
            past += service.hosts
    found = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), url) | {"NO_PROXY": ",".join(past)}
    # Some programs read the one spelling, some the other.
    found |= {name.lower(): value for name, value in found.items()}
    if _AGENTS_TRACES not in scope.telemetry:
        # They would go to the host of the models, and a tunnel does not show what for.
        found["OPENAI_AGENTS_DISABLE_TRACING"] = "1"
    return found
