"""Fixtures of the target tests: a project with programs, and an HTTP service on loopback."""

from __future__ import annotations

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

# Head of scripts: how a program without any library calls its model.
ASK = """
import json, os, sys, urllib.error, urllib.request

given = json.load(sys.stdin)

def ask(text, base=None, path="/chat/completions", headers=None, **more):
    url = (base or os.environ["OPENAI_BASE_URL"]) + path
    body = {"model": "any", "messages": [{"role": "user", "content": text}], **more}
    headers = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    return urllib.request.urlopen(request)

def content_of(response):
    return json.load(response)["choices"][0]["message"]["content"]
"""


class Project:
    """A project with a scenario library and programs."""

    def __init__(self, library):
        self.scenario_library = library
        self.root = library.root

    def program(self, source, name="agent.py"):
        """Write a Python program and return the command that runs it."""
        (self.root / name).write_text(source, encoding="utf-8")
        return [sys.executable, name]

    def asking(self, source, name="agent.py"):
        """Write a program that starts with the helper `ask`; return the command that runs it."""
        return self.program(ASK + source, name)

    def run(self, scenario, *, record="none", name="mine/one"):
        """Write a scenario, evaluate it and return the result."""
        self.scenario_library.add(name, scenario)
        return self.again(record=record, name=name)

    def again(self, *, record="none", name="mine/one"):
        """Evaluate an existing scenario."""
        return self.scenario_library.evaluate_as(name, record=record, root=self.root)

    def both(self, scenario):
        """Record and replay a scenario, assert that both agree, and return the replay."""
        recorded = self.run(scenario, record="all")
        replayed = self.again()
        assert (replayed.outcome, replayed.answer, replayed.reasons) == (
            recorded.outcome,
            recorded.answer,
            recorded.reasons,
        )
        return replayed

    def cassette(self, name="mine/one", model="scripted"):
        """Return the content of a cassette."""
        return json.loads(self.scenario_library.cassette(name, model).read_text(encoding="utf-8"))


@pytest.fixture
def project(library):
    return Project(library)


class Service:
    """A server on loopback that sends the answer it is set to and keeps the requests."""

    def __init__(self):
        self.requests = []
        self.status = 200
        self.headers = {"content-type": "application/json"}
        self.body = b'{"answer": "Order 81 is on its way."}'
        self.pieces = ()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                length = int(self.headers.get("content-length", 0))
                service.requests.append(
                    (self.command, self.path, dict(self.headers), self.rfile.read(length))
                )
                self.send_response(service.status)
                for header, value in service.headers.items():
                    self.send_header(header, value)
                if not service.pieces:
                    self.send_header("content-length", str(len(service.body)))
                self.end_headers()
                self.wfile.write(service.body)
                for piece in service.pieces:
                    self.wfile.write(piece)

            do_GET = do_PUT = do_PATCH = do_POST  # noqa: N815 - the names are the library's

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()

    def close(self):
        """Stop listening. Idempotent."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()

    @property
    def bodies(self):
        """The bodies of the requests, as JSON values."""
        return [json.loads(body) for _, _, _, body in self.requests]


@pytest.fixture
def service():
    running = Service()
    yield running
    running.close()


@pytest.fixture
def silent_url():
    """Give the URL of a server that accepts connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
