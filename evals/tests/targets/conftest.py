"""What tests of commands and endpoints share: a project with programs in it, and a service on loopback."""

from __future__ import annotations

import json
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

# How a program without any library asks its model, printed as a beginning of scripts.
ASK = """
import json, os, sys, urllib.error, urllib.request

given = json.load(sys.stdin)

def ask(text, base=None, path="/chat/completions", headers=None, **more):
    url = (base or os.environ["OPENAI_BASE_URL"]) + path
    body = {"model": "any", "messages": [{"role": "user", "content": text}], **more}
    headers = {"content-type": "application/json", **(headers or {})}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    return urllib.request.urlopen(request)

def said(response):
    return json.load(response)["choices"][0]["message"]["content"]
"""


class Project:
    """A project with a scenario library, and programs beside it."""

    def __init__(self, library):
        self.scenario_library = library
        self.root = library.root

    def program(self, source, name="agent.py"):
        """Write a Python program and return the command that runs it."""
        (self.root / name).write_text(source, encoding="utf-8")
        return [sys.executable, name]

    def asking(self, source, name="agent.py"):
        """Write a program that reads its input and knows how to ask a model; return the command."""
        return self.program(ASK + source, name)

    def run(self, scenario, *, record="none", name="mine/one"):
        """Write a scenario, evaluate it and return the result."""
        self.scenario_library.add(name, scenario)
        return self.again(record=record, name=name)

    def again(self, *, record="none", name="mine/one"):
        """Evaluate a scenario as it stands."""
        return self.scenario_library.evaluate_as(name, record=record, root=self.root)

    def both(self, scenario):
        """Record a scenario, then replay it; return the replay, which has to be like the recording."""
        recorded = self.run(scenario, record="all")
        replayed = self.again()
        assert (replayed.outcome, replayed.answer, replayed.reasons) == (
            recorded.outcome,
            recorded.answer,
            recorded.reasons,
        )
        return replayed

    def cassette(self, name="mine/one", model="scripted"):
        """Return what a recording holds."""
        return json.loads(self.scenario_library.cassette(name, model).read_text(encoding="utf-8"))


@pytest.fixture
def project(library):
    return Project(library)


class Service:
    """A server on loopback that answers as it is told and keeps what it was asked."""

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
        """Stop to listen. Idempotent."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._thread.join()
            self._server.server_close()

    @property
    def bodies(self):
        """What it was sent, as JSON values."""
        return [json.loads(body) for _, _, _, body in self.requests]


@pytest.fixture
def service():
    running = Service()
    yield running
    running.close()


@pytest.fixture
def silent_url():
    """Give the address of a server that takes connections and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
