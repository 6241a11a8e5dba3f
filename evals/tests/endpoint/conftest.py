"""Fixtures of the endpoint's tests: scripted endpoints, real clients and raw connections."""

from __future__ import annotations

import json
import socket
import ssl
from contextlib import ExitStack
from urllib.parse import urlsplit

import httpx2
import openai
import pytest

from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint

NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


@pytest.fixture
def serve():
    """Start endpoints from plain mappings; all are closed at the end."""
    with ExitStack() as stack:

        def start(*replies, **options):
            return stack.enter_context(ScriptedEndpoint(parse_replies(list(replies)), **options))

        yield start


@pytest.fixture
def connect():
    """Open real clients without retries; all are closed at the end."""
    with ExitStack() as stack:

        def start(endpoint, timeout=30.0):
            # Loading the system's certificates would take most of a test's time.
            http_client = httpx2.Client(trust_env=False, verify=NO_CERTIFICATES)
            client = openai.OpenAI(
                base_url=endpoint.base_url,
                api_key="test-key",
                max_retries=0,
                timeout=timeout,
                http_client=http_client,
            )
            return stack.enter_context(client)

        yield start


@pytest.fixture
def ask(connect):
    """Make one call with a client of its own."""

    def call(endpoint, text="hello", **options):
        client = connect(endpoint, **options)
        return client.chat.completions.create(model="any", messages=[{"role": "user", "content": text}])

    return call


@pytest.fixture
def exchange():
    """Send raw bytes, close the sending side and return all bytes received."""

    def send(endpoint, data):
        address = urlsplit(endpoint.base_url)
        assert address.port is not None
        with socket.create_connection((address.hostname, address.port), timeout=30) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            received = b""
            while part := connection.recv(65536):
                received += part
        return received

    return send


@pytest.fixture
def post():
    """Post JSON to a path of an endpoint without a client library of the API."""
    with httpx2.Client(trust_env=False, timeout=30) as client:

        def send(endpoint, path, body):
            return client.post(endpoint.anthropic_base_url + path, json=body)

        yield send


@pytest.fixture
def events_of():
    """Read name and JSON data of each server-sent event of a response."""

    def read(response):
        *blocks, end = response.text.split("\n\n")
        assert end == ""
        found = []
        for block in blocks:
            fields = dict(line.split(": ", 1) for line in block.split("\n"))
            assert fields.keys() <= {"event", "data"}
            data = fields["data"]
            found.append((fields.get("event"), data if data == "[DONE]" else json.loads(data)))
        return found

    return read
