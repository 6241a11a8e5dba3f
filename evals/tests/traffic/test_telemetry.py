"""Telemetry of frameworks is recognized, refused, counted, and allowed by name."""

from __future__ import annotations

import gzip
import json
import threading
import urllib.request

import httpx2
import pytest

from redpen.errors import ConfigurationError
from redpen_evals.traffic.router import ROUTER
from redpen_evals.traffic.telemetry import (
    TELEMETRY_NAMES,
    check_telemetry_names,
    telemetry_service,
    tunnel_service,
)

JSON = {"content-type": "application/json"}
PROTOBUF = {"content-type": "application/x-protobuf"}
REPORTED = {
    "https://api.openai.com/v1/traces/ingest": "openai-traces",
    "https://api.smith.langchain.com/runs/batch": "langsmith",
    "https://eu.api.smith.langchain.com/runs/multipart": "langsmith",
    "https://cloud.langfuse.com/api/public/ingestion": "langfuse",
    "https://us.i.posthog.com/batch/": "posthog",
    "https://o1.ingest.us.sentry.io/api/2/envelope/": "sentry",
    "https://o1.ingest.sentry.io/api/2/envelope/": "sentry",
    "https://logfire-us.pydantic.dev/v1/traces": "logfire",
    "https://http-intake.logs.datadoghq.com/api/v2/logs": "datadog",
    "https://api.braintrust.dev/logs3": "braintrust",
}
ASKED = (
    "https://api.openai.com/v1/responses",
    "https://api.openai.com/v1/traces/ingested",
    "https://api.smith.langchain.com/commits/owner/prompt/latest",
    "https://cloud.langfuse.com/api/public/v2/prompts/mine",
    "https://docs.sentry.io/api/events/",
    "https://ai.pydantic.dev/llms.txt",
    "https://api.datadoghq.com/api/v1/query",
    "https://posthog.com/docs",
    "https://shop.invalid/v1/logs",
    "https://notapi.openai.com.invalid/v1/traces/ingest",
)


@pytest.fixture(autouse=True)
def _forget():
    """Reset the router: after telemetry was seen, its patch would stay in place."""
    yield
    ROUTER.forget_telemetry()


@pytest.mark.parametrize("url", REPORTED)
def test_telemetry_service_is_recognized_by_url(url):
    assert telemetry_service(url) == REPORTED[url]


@pytest.mark.parametrize("url", ASKED)
def test_other_urls_of_the_same_company_are_no_telemetry(url):
    assert telemetry_service(url) is None


@pytest.mark.parametrize("path", ["/v1/traces", "/v1/metrics", "/v1/logs"])
def test_otlp_is_recognized_on_any_host(path):
    url = f"http://localhost:4318{path}"
    spans = json.dumps({"resourceSpans": []}).encode()
    assert telemetry_service(url, content_type="application/x-protobuf") == "otlp"
    assert telemetry_service(url, content_type="application/json", content=lambda: spans) == "otlp"
    assert telemetry_service(url, content_type="application/json", content=lambda: b'{"line": "x"}') is None


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("api.smith.langchain.com", "langsmith"),
        ("US.i.posthog.com", "posthog"),
        ("api.openai.com", None),
        ("h.invalid", None),
    ],
)
def test_tunnel_service_is_recognized_by_host(host, name):
    assert tunnel_service(host) == name


def report(url, headers=JSON, content=b"{}"):
    with httpx2.Client(trust_env=False) as client:
        return client.post(url, headers=headers, content=content).status_code


@pytest.mark.parametrize("url", REPORTED)
def test_telemetry_is_answered_and_counted_in_recording_and_replay(traffic, url):
    def work():
        request = urllib.request.Request(url, data=b"{}", headers=JSON)  # noqa: S310 - is not sent
        with urllib.request.urlopen(request) as response:  # noqa: S310 - likewise
            return report(url), response.status

    assert traffic.record(work) == ((200, 200), ())
    assert traffic.scope.refused == {REPORTED[url]: 2}
    assert traffic.replay(work, ()) == (200, 200)
    assert traffic.scope.refused == {REPORTED[url]: 2}
    assert (traffic.attempts, traffic.scope.cassette.misses, traffic.scope.problems) == ((), [], [])


def test_compressed_telemetry_is_recognized_by_content(traffic):
    content = gzip.compress(json.dumps({"resourceLogs": []}).encode())
    headers = {**JSON, "content-encoding": "gzip"}
    assert traffic.replay(lambda: report("http://collector.invalid/v1/logs", headers, content), ()) == 200
    assert traffic.scope.refused == {"otlp": 1}


def test_allowed_telemetry_is_sent_and_not_recorded(traffic):
    server = traffic.serve_http((202, JSON, [b"{}"]))
    allowed = check_telemetry_names(["otlp"])
    result, calls = traffic.record(lambda: report(f"{server.url}/v1/traces", PROTOBUF), telemetry=allowed)
    assert (result, calls, len(server.asked)) == (202, (), 1)
    assert traffic.scope.refused == {}


def test_telemetry_of_thread_after_the_run_is_refused(traffic):
    server = traffic.serve_http((202, JSON, [b"{}"]))
    may, statuses = threading.Event(), []

    def wait_and_report():
        may.wait()
        statuses.append(report(f"{server.url}/v1/traces", PROTOBUF))

    def work():
        thread = threading.Thread(target=wait_and_report)
        thread.start()
        return thread

    thread, _ = traffic.record(work)
    may.set()
    thread.join()
    assert (statuses, server.asked) == ([200], [])


def test_telemetry_flushed_outside_of_runs_is_refused(traffic):
    server = traffic.serve_http((202, JSON, [b"{}"]))
    traffic.record(lambda: report(f"{server.url}/v1/traces", PROTOBUF))
    # As an exporter does that is flushed at the end of the process.
    assert report(f"{server.url}/v1/traces", PROTOBUF) == 200
    assert server.asked == []
    assert report(f"{server.url}/v1/orders") == 202


def test_unknown_telemetry_name_is_a_configuration_error():
    with pytest.raises(ConfigurationError, match=r"no service 'sentri' .did you mean `sentry`"):
        check_telemetry_names(["sentri"])
    assert check_telemetry_names(TELEMETRY_NAMES) == frozenset(TELEMETRY_NAMES)
