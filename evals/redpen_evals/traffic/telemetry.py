"""Telemetry of frameworks: which requests report about a run instead of being part of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryService:
    """One service that frameworks report to.

    Attributes:
        name: as a setting allows it.
        hosts: host names; those below them count too.
        paths: beginnings of the paths that are telemetry; empty for all.
    """

    name: str
    hosts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()


SERVICES: Final = (
    TelemetryService(name="openai-traces", hosts=("api.openai.com",), paths=("/v1/traces/ingest",)),
    TelemetryService(name="langsmith", hosts=("smith.langchain.com",)),
    TelemetryService(name="langfuse", hosts=("langfuse.com",)),
    TelemetryService(name="logfire", hosts=("pydantic.dev",)),
    TelemetryService(name="posthog", hosts=("posthog.com",)),
    TelemetryService(name="sentry", hosts=("sentry.io",)),
    TelemetryService(name="segment", hosts=("segment.io", "segment.com")),
    TelemetryService(name="amplitude", hosts=("amplitude.com",)),
    TelemetryService(name="mixpanel", hosts=("mixpanel.com",)),
    TelemetryService(name="datadog", hosts=("datadoghq.com", "datadoghq.eu")),
    TelemetryService(name="honeycomb", hosts=("honeycomb.io",)),
    TelemetryService(name="traceloop", hosts=("traceloop.com",)),
    TelemetryService(name="arize", hosts=("arize.com",)),
    TelemetryService(name="wandb", hosts=("wandb.ai",)),
    TelemetryService(name="crewai", hosts=("telemetry.crewai.com",)),
    # Collectors stand on any host, the paths are fixed by the protocol.
    TelemetryService(name="otlp", paths=("/v1/traces", "/v1/metrics", "/v1/logs")),
)
TELEMETRY_NAMES: Final = tuple(service.name for service in SERVICES)


def check_telemetry_names(names: Iterable[str]) -> frozenset[str]:
    """Return the names of services that a setting allows; raises ConfigurationError for one that is none."""
    found = frozenset(names)
    for name in sorted(found):
        if name not in TELEMETRY_NAMES:
            raise ConfigurationError(
                f"redpen_telemetry: there is no service {name!r}{suggestion(name, TELEMETRY_NAMES)}; "
                f"there is {', '.join(TELEMETRY_NAMES)}"
            )
    return found


def telemetry_service(method: str, url: str) -> str | None:
    """Return the name of the service that a request reports to, or None where it is no telemetry."""
    parts = urlsplit(url)
    host, path = (parts.hostname or "").lower(), parts.path
    for service in SERVICES:
        if service.hosts and not any(host == name or host.endswith(f".{name}") for name in service.hosts):
            continue
        if service.hosts and not service.paths:
            return service.name
        if method.upper() == "POST" and any(_is_below(path, start) for start in service.paths):
            return service.name
    return None


def _is_below(path: str, start: str) -> bool:
    return path == start or path.startswith(f"{start}/")
