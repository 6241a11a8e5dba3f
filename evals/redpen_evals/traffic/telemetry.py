"""Telemetry of frameworks: which requests report about a run instead of being part of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from redpen.errors import ConfigurationError
from redpen.text.suggestion import suggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class TelemetryService:
    """One service that frameworks report to.

    Requests of an agent's tools to the same company, such as for a prompt or a document, are part of the run.

    Attributes:
        hosts: patterns of host names, with ``*`` for any text; empty for any host.
        paths: beginnings of the paths that are telemetry; empty for all.
        is_otlp: whether only bodies of the OpenTelemetry protocol count.
        beside_models: whether the hosts serve models too.
    """

    name: str
    hosts: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    is_otlp: bool = False
    beside_models: bool = False


SERVICES: Final = (
    TelemetryService(
        name="openai-traces", hosts=("api.openai.com",), paths=("/v1/traces/ingest",), beside_models=True
    ),
    TelemetryService(
        name="langsmith",
        hosts=("api.smith.langchain.com", "*.api.smith.langchain.com"),
        paths=("/runs", "/info", "/otel", "/api/v1/runs", "/v1/platform/runs"),
    ),
    TelemetryService(
        name="langfuse",
        hosts=("cloud.langfuse.com", "*.cloud.langfuse.com"),
        paths=("/api/public/ingestion", "/api/public/otel"),
    ),
    TelemetryService(name="logfire", hosts=("logfire-*.pydantic.dev",)),
    TelemetryService(
        name="posthog", hosts=("*.i.posthog.com", "app.posthog.com", "eu.posthog.com", "us.posthog.com")
    ),
    TelemetryService(name="sentry", hosts=("*.ingest.sentry.io", "*.ingest.*.sentry.io")),
    TelemetryService(name="segment", hosts=("api.segment.io", "api.segment.com")),
    TelemetryService(name="amplitude", hosts=("api*.amplitude.com",)),
    TelemetryService(name="mixpanel", hosts=("api*.mixpanel.com",), paths=("/track", "/engage", "/import")),
    TelemetryService(name="datadog", hosts=("*intake*.datadoghq.*", "trace.agent.datadoghq.*")),
    TelemetryService(name="honeycomb", hosts=("api*.honeycomb.io",), paths=("/1/events", "/1/batch")),
    TelemetryService(name="traceloop", hosts=("api.traceloop.com",)),
    TelemetryService(name="arize", hosts=("otlp*.arize.com", "api.arize.com", "app.phoenix.arize.com")),
    TelemetryService(name="wandb", hosts=("api.wandb.ai", "trace.wandb.ai")),
    TelemetryService(name="braintrust", hosts=("api*.braintrust.dev",), paths=("/logs3", "/otel")),
    TelemetryService(name="agentops", hosts=("api.agentops.ai", "otlp.agentops.ai")),
    TelemetryService(name="opik", hosts=("www.comet.com",), paths=("/opik/api",)),
    TelemetryService(name="crewai", hosts=("telemetry.crewai.com",)),
    # Collectors may be on any host; the protocol fixes the paths.
    TelemetryService(name="otlp", paths=("/v1/traces", "/v1/metrics", "/v1/logs"), is_otlp=True),
)
TELEMETRY_NAMES: Final = tuple(service.name for service in SERVICES)
_OTLP_TYPE: Final = "application/x-protobuf"
_OTLP_FIELDS: Final = (b'"resourceSpans"', b'"resourceMetrics"', b'"resourceLogs"')


def check_telemetry_names(names: Iterable[str]) -> frozenset[str]:
    """Return the services that a setting allows; raises ConfigurationError for an unknown name."""
    found = frozenset(names)
    for name in sorted(found):
        if name not in TELEMETRY_NAMES:
            raise ConfigurationError(
                f"redpen_telemetry: there is no service {name!r}{suggestion(name, TELEMETRY_NAMES)}; "
                f"there is {', '.join(TELEMETRY_NAMES)}"
            )
    return found


def telemetry_service(
    url: str, *, content_type: str = "", content: Callable[[], bytes] = bytes
) -> str | None:
    """Return the name of the service that a request reports to, or None if it is no telemetry.

    The unpacked body is read only if the address does not decide.
    """
    parts = urlsplit(url)
    host, path = (parts.hostname or "").lower(), parts.path
    for service in _services_of(host):
        if service.paths and not any(_is_below(path, start) for start in service.paths):
            continue
        if not service.is_otlp or _is_otlp(content_type, content):
            return service.name
    return None


def tunnel_service(host: str) -> str | None:
    """Return the name of the service that a TLS tunnel to a host is for, whose requests cannot be read."""
    found = _services_of(host.lower())
    return next((service.name for service in found if service.hosts and not service.beside_models), None)


@lru_cache(maxsize=256)
def _services_of(host: str) -> tuple[TelemetryService, ...]:
    return tuple(
        service
        for service in SERVICES
        if not service.hosts or any(fnmatchcase(host, pattern) for pattern in service.hosts)
    )


def _is_otlp(content_type: str, content: Callable[[], bytes]) -> bool:
    if content_type.lower().startswith(_OTLP_TYPE):
        return True
    body = content()
    return any(field in body for field in _OTLP_FIELDS)


def _is_below(path: str, start: str) -> bool:
    return path == start or path.startswith(f"{start}/")
