"""Starting, serving concurrent clients, and stopping without leaking threads or sockets."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import openai
import pytest

import redpen
import redpen_evals
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint, base_url_of, run_endpoint

_MESSAGES = [{"role": "user", "content": "x"}]


def address_of(endpoint):
    parts = urlsplit(endpoint.base_url)
    assert parts.hostname
    assert parts.port
    return parts.hostname, parts.port


def open_descriptors():
    return len(list(Path("/dev/fd").iterdir()))


def test_close_leaves_no_thread_or_socket():
    threads = set(threading.enumerate())
    descriptors = open_descriptors()
    for calls in range(3):
        endpoint = ScriptedEndpoint(parse_replies([{"content": "x", "times": 3}]))
        with socket.create_connection(address_of(endpoint), timeout=30) as idle:
            with openai.OpenAI(base_url=endpoint.base_url, api_key="any", max_retries=0) as client:
                for _ in range(calls):
                    client.chat.completions.create(model="m", messages=_MESSAGES)
            assert set(threading.enumerate()) > threads
            endpoint.close()
            # A connection not yet accepted is reset, others are closed normally.
            with contextlib.suppress(ConnectionResetError):
                assert idle.recv(1) == b""
        assert set(threading.enumerate()) == threads
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(address_of(endpoint), timeout=30)
    assert open_descriptors() == descriptors


@pytest.mark.parametrize("clients", range(8))
def test_close_with_pending_connections_leaves_no_socket(clients):
    descriptors = open_descriptors()
    endpoint = ScriptedEndpoint(())
    with contextlib.ExitStack() as stack:
        for _ in range(clients):
            stack.enter_context(socket.create_connection(address_of(endpoint), timeout=30))
        endpoint.close()
    assert open_descriptors() == descriptors


def test_close_is_idempotent_and_keeps_received_requests(ask):
    with ScriptedEndpoint(parse_replies([{"content": "x"}])) as endpoint:
        ask(endpoint)
        endpoint.close()
    endpoint.close()
    assert len(endpoint.requests) == 1
    assert endpoint.remaining == 0


@pytest.mark.parametrize("reply", [{"fault": "hang"}, {"content": "late", "delay_s": 60}])
def test_close_does_not_wait_for_pending_answer(serve, ask, reply):
    endpoint = serve(reply)
    with ThreadPoolExecutor() as pool:
        call = pool.submit(ask, endpoint)
        while not endpoint.requests:
            assert call.running() or not call.done()
        # Shorter than the scripted delay, so the thread would still be alive if close waited for the answer.
        closer = threading.Thread(target=endpoint.close)
        closer.start()
        closer.join(30)
        assert not closer.is_alive()
        with pytest.raises(openai.APIConnectionError):
            call.result()


def test_eight_concurrent_clients_share_one_script(serve, connect):
    calls = 40
    endpoint = serve(*({"content": str(number)} for number in range(calls)))

    def work(_):
        client = connect(endpoint)
        made = [client.chat.completions.create(model="m", messages=_MESSAGES) for _ in range(calls // 8)]
        return [(answer.id, answer.choices[0].message.content) for answer in made]

    with ThreadPoolExecutor(8) as pool:
        answers = [answer for part in pool.map(work, range(8)) for answer in part]
    assert set(answers) == {(f"chatcmpl-scripted-{number + 1}", str(number)) for number in range(calls)}
    assert [received.call for received in endpoint.requests] == list(range(1, calls + 1))
    assert endpoint.remaining == 0


def test_endpoints_are_independent(serve, ask):
    first, second = serve({"content": "1"}), serve({"content": "2"})
    assert first.base_url != second.base_url
    assert ask(second).choices[0].message.content == "2"
    assert ask(first).choices[0].message.content == "1"


def test_port_in_use_raises_and_leaves_no_thread(serve):
    host, port = address_of(serve())
    threads = set(threading.enumerate())
    with pytest.raises(OSError, match=r"(?i)in use"):
        ScriptedEndpoint((), host=host, port=port)
    assert set(threading.enumerate()) == threads


@pytest.mark.parametrize(
    ("host", "base_url"), [("127.0.0.1", "http://127.0.0.1:80/v1"), ("::1", "http://[::1]:80/v1")]
)
def test_base_url_brackets_ipv6_address(host, base_url):
    assert base_url_of(host, 80) == base_url


def test_run_endpoint_prints_base_url_and_ends_on_interrupt():
    printed = []

    def echo(line):
        printed.append(line)
        with openai.OpenAI(base_url=line, api_key="any", max_retries=0) as client:
            for _ in range(3):
                client.chat.completions.create(model="m", messages=_MESSAGES)
        raise KeyboardInterrupt

    threads = set(threading.enumerate())
    run_endpoint(parse_replies([{"content": "x"}]), host="127.0.0.1", port=0, loop=True, echo=echo)
    assert len(printed) == 1
    assert set(threading.enumerate()) == threads


def test_interrupted_process_exits_0_without_output():
    code = (
        "import functools, signal\n"
        "from redpen_evals.endpoint.replies import parse_replies\n"
        "from redpen_evals.endpoint.server import run_endpoint\n"
        # A background job of a shell script inherits SIGINT as ignored.
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "run_endpoint(parse_replies([{'content': 'x'}]), host='127.0.0.1', port=0, loop=False,\n"
        "             echo=functools.partial(print, flush=True))\n"
    )
    roots = os.pathsep.join(str(Path(package.__file__).parents[1]) for package in (redpen, redpen_evals))
    with subprocess.Popen(  # noqa: S603 - this interpreter and the code above
        [sys.executable, "-W", "error", "-c", code],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": roots},
    ) as process:
        assert process.stdout is not None
        base_url = process.stdout.readline().strip()
        with openai.OpenAI(base_url=base_url, api_key="any", max_retries=0) as client:
            client.chat.completions.create(model="m", messages=_MESSAGES)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=60)
    assert (errors, rest, process.returncode) == ("", "", 0)
