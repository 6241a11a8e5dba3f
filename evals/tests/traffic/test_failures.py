"""Failed calls are recorded, and replay raises the same exception of the client library."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import httpx2
import openai
import pytest

from property_support.model_clients import FAILURES, check_failure, failing
from redpen_evals.targets.calling import LOOPS


@pytest.fixture(scope="module", autouse=True)
def _closed():
    yield
    LOOPS.close()


def with_httpx2(base_url, timeout_s):
    with httpx2.Client(trust_env=False, timeout=timeout_s) as client:
        client.post(f"{base_url}/chat/completions", json=BODY).read()


async def with_httpx2_async(base_url, timeout_s):
    async with httpx2.AsyncClient(trust_env=False, timeout=timeout_s) as client:
        await client.post(f"{base_url}/chat/completions", json=BODY)


def with_openai(base_url, timeout_s):
    with openai.OpenAI(api_key="none", base_url=base_url, max_retries=0, timeout=timeout_s) as client:
        client.chat.completions.create(**BODY)


def with_urllib(base_url, timeout_s):
    request = urllib.request.Request(  # noqa: S310 - an address of the test's own
        f"{base_url}/chat/completions",
        data=json.dumps(BODY).encode(),
        headers={"content-type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=timeout_s) as response:  # noqa: S310
        response.read()


BODY = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
CLIENTS = (with_httpx2, with_httpx2_async, with_openai, with_urllib)


@pytest.mark.parametrize("failure", FAILURES)
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_failed_call_is_replayed(traffic, closed_port, client, failure):
    calls = check_failure(traffic, client, failure, closed_port)
    assert len(calls) == 1


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.__name__)
def test_error_status_is_replayed(traffic, client, status):
    endpoint = traffic.serve({"status": status})
    recorded, calls = traffic.record(failing(client, endpoint.base_url, 20.0))
    endpoint.close()
    assert traffic.replay(failing(client, endpoint.base_url, 20.0), calls) == recorded
    assert (len(calls), calls[0].response.status, traffic.attempts) == (1, status, ())


def test_scripted_fault_is_recorded_for_any_server(traffic):
    from redpen_evals.traffic.scope import ScriptedUpstream

    endpoint = traffic.serve({"fault": "reset"}, {"content": "x"})
    upstream = ScriptedUpstream(lambda: endpoint.base_url)

    def work():
        return [failing(client, "https://api.openai.com/v1", 20.0)() for client in (with_openai, with_urllib)]

    recorded, calls = traffic.record(work, script=upstream)
    upstream.close()
    assert recorded[0][0] is openai.APIConnectionError
    assert recorded[1] is None
    assert traffic.replay(work, calls) == recorded


class TestReplayMiss:
    """A request without a recording is answered so that the SDKs do not retry it."""

    def test_openai_sdk_does_not_retry_a_miss(self, traffic):
        def work():
            with openai.OpenAI(api_key="none") as client:
                try:
                    client.chat.completions.create(**BODY)
                except openai.BadRequestError as error:
                    return error.body["code"], error.message

        code, message = traffic.replay(work, ())
        assert code == "redpen_stale"
        assert "no recording answers" in message
        assert (len(traffic.scope.cassette.misses), traffic.attempts) == (1, ())

    def test_swallowed_misses_are_logged(self, traffic):
        def work():
            answers = []
            with openai.OpenAI(api_key="none") as client:
                for _ in range(2):
                    try:
                        answers.append(client.responses.create(model="m", input="x").output_text)
                    except Exception:  # noqa: BLE001 - as such an agent does
                        answers.append("Sorry.")
            return answers

        assert traffic.replay(work, ()) == ["Sorry.", "Sorry."]
        assert [miss.call for miss in traffic.scope.cassette.misses] == [1, 2]

    def test_missing_stream_raises_bad_request(self, traffic):
        def work():
            with openai.OpenAI(api_key="none") as client, pytest.raises(openai.BadRequestError):
                list(client.chat.completions.create(**BODY, stream=True))

        traffic.replay(work, ())
        assert len(traffic.scope.cassette.misses) == 1

    def test_miss_raises_http_error_in_urllib(self, traffic):
        def work():
            with pytest.raises(urllib.error.HTTPError) as caught:
                with_urllib("https://tool.invalid", 1.0)
            with caught.value as answer:
                return answer.code, json.load(answer)["error"]["code"]

        assert traffic.replay(work, ()) == (400, "redpen_stale")
