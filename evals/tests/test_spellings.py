"""Detection and replacement of a key in encoded, split and reversed forms."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest

from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.records.model import ScenarioResult
from redpen_evals.secrecy import redact_result
from redpen_evals.spellings import holds, redact_spellings

# No key pattern matches it, so it can be found only by its value.
KEY = "Zt4/kQ9vB2+nXw7LmPf0Rj5Hd8Ys3Gc6"
PLAIN_KEY = "Zt4kQ9vB2nXw7LmPf0Rj5Hd8Ys3Gc6Ua"
MIDDLE = len(PLAIN_KEY) // 2


def base64_at(offset, text=KEY, encode=base64.b64encode):
    return encode((b"abc"[:offset]) + text.encode() + b" and more").decode()


SPELLINGS = {
    "plain": KEY,
    "base64": base64_at(0),
    "base64, second alignment": base64_at(1),
    "base64, third alignment": base64_at(2),
    "base64 for addresses": base64_at(1, encode=base64.urlsafe_b64encode),
    "base64 in lines": "\n".join(base64_at(0)[at : at + 20] for at in range(0, 60, 20)),
    "percent": quote(KEY, safe=""),
    "percent, every character": "".join(f"%{ord(char):02X}" for char in KEY),
    "percent, small letters": "".join(f"%{ord(char):02x}" for char in KEY),
    "escaped": "".join(f"\\u{ord(char):04x}" for char in KEY),
    "escaped twice, as bytes": "".join(f"\\\\x{ord(char):02X}" for char in KEY),
    "entities": "".join(f"&#{ord(char)};" for char in KEY),
    "reversed": KEY[::-1],
    "spaces": " ".join(KEY),
    "zero-width": "\u200b".join(KEY),
    "pieces": f"{KEY[:7]}\n{KEY[7:20]} \u2060{KEY[20:]}",
    "hex": KEY.encode().hex(),
    "hex, capitals": KEY.encode().hex().upper(),
}


@pytest.mark.parametrize("spelt", SPELLINGS.values(), ids=list(SPELLINGS))
def test_encoded_key_is_found_and_replaced(spelt):
    text = f"You sent {spelt} to us."
    assert holds(text, KEY)
    left = redact_spellings(text, KEY, "[key]")
    assert "[key]" in left
    assert not holds(left, KEY)
    assert left.startswith("You sent ")


@pytest.mark.parametrize(
    "text",
    [
        f"first {PLAIN_KEY[:MIDDLE]}, then {PLAIN_KEY[MIDDLE:]}",
        f"it ends in {PLAIN_KEY[MIDDLE:]}",
        f"it begins with {' '.join(PLAIN_KEY[:MIDDLE])}",
        f"{PLAIN_KEY[: MIDDLE + 5]} and {PLAIN_KEY[MIDDLE + 5 :]}",
    ],
)
def test_half_of_key_is_found_and_replaced(text):
    assert holds(text, PLAIN_KEY)
    left = redact_spellings(text, PLAIN_KEY, "[key]")
    assert PLAIN_KEY[:MIDDLE] not in left.replace(" ", "")
    assert PLAIN_KEY[MIDDLE:] not in left


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("The payments team is on it.", KEY),
        ("a short one", "short"),
        ("/home/someone/project", "/home/someone/project/.keys/id"),
        ("a production system", "production-system-one"),
        (base64.b64encode(b"The payments team is on it, and more will follow.").decode(), KEY),
    ],
)
def test_unrelated_text_is_unchanged(text, secret):
    assert not holds(text, secret)
    assert redact_spellings(text, secret, "[key]") == text


@pytest.mark.parametrize("spelt", SPELLINGS.values(), ids=list(SPELLINGS))
def test_result_record_holds_no_form_of_the_key(spelt):
    result = ScenarioResult(
        scenario="a/b",
        agent="a",
        outcome="passed",
        answer=f"It is {spelt}",
        detail={"history": [{"draft": spelt, spelt: 1}]},
    )
    redacted = redact_result(result, KEY)
    assert redacted != result
    assert not any(
        holds(text, KEY) for text in (str(redacted.answer), *map(str, redacted.detail["history"][0]))
    )


@pytest.mark.parametrize("name", ["base64", "percent", "reversed", "spaces", "zero-width"])
def test_cassette_with_encoded_key_is_not_saved(library, live_settings, name):
    library.add("self-critique/one", library.self_critique())
    draft = {"json": {"draft": f"Your key is {SPELLINGS[name]}"}}
    replies = [draft, library.self_critique()["replies"][1]]
    with ScriptedEndpoint(parse_replies(replies), model="real") as server:
        verdict = library.evaluate(
            "self-critique/one", model="real", record="all", live=live_settings(server.base_url, KEY)
        )
    assert verdict.outcome == "errored"
    assert "the key in use, in another spelling" in verdict.text
    assert library.cassettes() == {}
    assert not holds(json.dumps(verdict.model_dump(), ensure_ascii=False), KEY)


@pytest.fixture
def live_settings():
    from pydantic import SecretStr

    from redpen.chat.settings import ChatSettings

    return lambda address, key: ChatSettings(api_key=SecretStr(key), base_url=address, retries=0)


def test_cookies_are_not_sent_with_later_requests():
    from redpen.chat.pool import new_http_client

    reply = {"content": "x", "headers": {"Set-Cookie": "session=1; Path=/"}, "times": 2}
    with ScriptedEndpoint(parse_replies([reply])) as server, new_http_client() as client:
        body = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
        for _ in range(2):
            answer = client.post(f"{server.base_url}/chat/completions", json=body)
            assert "session=1" in answer.headers["set-cookie"]
        assert ["cookie" in request.headers for request in server.requests] == [False, False]
        assert not client.cookies.jar


PERSONAL = "Write to jane.doe@acme-payments.io or +49 151 23456789, org-a1B2c3D4e5F6g7H8i9J0."


@pytest.mark.parametrize("redact", [False, True])
def test_personal_data_in_live_replies_is_reported_and_redacted_if_set(library, live_settings, redact):
    from redpen_evals.evaluation.own import OwnSettings

    library.add("self-critique/one", library.self_critique(invariants=["result_is_well_formed"]))
    replies = [{"json": {"draft": PERSONAL}}, library.self_critique()["replies"][1]]
    own = OwnSettings(redact=redact)
    with ScriptedEndpoint(parse_replies(replies), model="real") as server:
        settings = live_settings(server.base_url, KEY)
        verdict = library.evaluate("self-critique/one", model="real", record="all", live=settings, own=own)
    assert verdict.outcome == "passed", verdict.text
    (warning,) = verdict.warnings
    assert "an e-mail address, an organisation id" in warning
    assert "a phone number" in warning
    assert "jane" not in warning
    content = b"".join(library.cassettes().values())
    for written in (b"jane.doe@acme", b"23456789", b"org-a1B2"):
        assert (written in content) != redact
    replayed = library.evaluate("self-critique/one", model="real")
    assert replayed.outcome == "passed", replayed.text
    assert ("jane" in str(replayed.answer)) != redact
