"""Detection of secrets in cassettes before they are saved."""

from __future__ import annotations

import dataclasses
import json

import pytest

from redpen_evals.cassettes import file
from redpen_evals.cassettes.encoding import RawBody, parse_body
from redpen_evals.cassettes.secrets import SECRET_RULES, find_secrets
from redpen_evals.cassettes.store import save
from redpen_evals.errors import SecretFound

LIVE_KEY = "house-key-7731-abcdef"
BLOCKED = [pytest.param(rule.name, rule.blocks, id=rule.name) for rule in SECRET_RULES]


def _with_reply(cassette, content, *, call=0):
    one = cassette.calls[call]
    changed = dataclasses.replace(one, response=dataclasses.replace(one.response, body=parse_body(content)))
    return dataclasses.replace(cassette, calls=(*cassette.calls[:call], changed, *cassette.calls[call + 1 :]))


@pytest.mark.parametrize(("name", "text"), BLOCKED)
@pytest.mark.parametrize(
    "wrap",
    [
        lambda text: json.dumps({"content": text}).encode(),
        lambda text: json.dumps({"content": json.dumps({"draft": f"the key: {text}."})}).encode(),
        lambda text: json.dumps({"content": ["word " * 30 + text + "\nmore"]}).encode(),
        lambda text: json.dumps({text: 1}).encode(),
        lambda text: json.dumps({"content": text}).replace("/", "\\/").encode(),
        lambda text: "".join(f"\\u{ord(char):04x}" for char in text).join(['{"a": "', '"}']).encode(),
        lambda text: f"<html>{text}</html>".encode(),
        lambda text: b"\xff" + text.encode(),
    ],
)
def test_every_rule_blocks_its_example_in_any_form(cassette_file, name, text, wrap):
    assert f"{name} in calls[0].response.body" in find_secrets(_with_reply(cassette_file, wrap(text)))


@pytest.mark.parametrize("rule", SECRET_RULES, ids=lambda rule: rule.name)
def test_every_rule_passes_its_counterexample(cassette_file, rule):
    assert find_secrets(_with_reply(cassette_file, json.dumps({"content": rule.passes}).encode())) == []


@pytest.mark.parametrize("key", [LIVE_KEY, 'with"quote\\and/slash', "короткий-ключ"])
@pytest.mark.parametrize("escaped", [True, False])
def test_key_in_use_is_found(cassette_file, key, escaped):
    reply = json.dumps({"content": json.dumps({"echo": key}, ensure_ascii=escaped)}, ensure_ascii=escaped)
    found = find_secrets(_with_reply(cassette_file, reply.encode(), call=1), live_keys=(key,))
    assert found == ["the key in use in calls[1].response.body"]
    assert find_secrets(cassette_file, live_keys=(key,)) == []
    assert find_secrets(cassette_file, live_keys=("",)) == []


def test_short_key_is_found_only_as_whole_word(cassette_file):
    cassette = _with_reply(cassette_file, b'{"content": "the latest tests"}')
    assert find_secrets(cassette, live_keys=("test",)) == []
    assert find_secrets(cassette, live_keys=("latest",)) != []


def test_every_part_of_a_cassette_is_scanned(cassette_file):
    one = cassette_file.calls[0]
    request, response = one.request, one.response
    calls = [
        dataclasses.replace(one, phase=LIVE_KEY),
        dataclasses.replace(one, request=dataclasses.replace(request, url=f"http://h/?k={LIVE_KEY}")),
        dataclasses.replace(one, request=dataclasses.replace(request, body=RawBody(LIVE_KEY.encode()))),
        dataclasses.replace(one, response=dataclasses.replace(response, headers={"a": ("b", LIVE_KEY)})),
        dataclasses.replace(one, response=file.CallFailure(failure="ReadError", message=LIVE_KEY)),
        dataclasses.replace(
            one, response=dataclasses.replace(response, body=RawBody(LIVE_KEY.encode("utf-16-le")))
        ),
    ]
    for call in calls:
        assert find_secrets(dataclasses.replace(cassette_file, calls=(call,)), live_keys=(LIVE_KEY,))
    for field in ("scenario", "model", "base_url"):
        assert find_secrets(dataclasses.replace(cassette_file, **{field: LIVE_KEY}), live_keys=(LIVE_KEY,))
    recorded = dataclasses.replace(cassette_file, recorded={"note": LIVE_KEY})
    assert find_secrets(recorded, live_keys=(LIVE_KEY,))


def test_secret_prevents_save_and_is_not_shown(cassette_file, location):
    save(location, cassette_file)
    before = location.path.read_bytes()
    leaking = _with_reply(cassette_file, json.dumps({"content": SECRET_RULES[0].blocks}).encode())
    with pytest.raises(SecretFound) as caught:
        save(location, leaking, live_keys=(LIVE_KEY,))
    assert SECRET_RULES[0].blocks.split()[-1] not in str(caught.value)
    assert location.path.read_bytes() == before
    assert [path.name for path in location.path.parent.iterdir()] == [location.path.name]


def test_text_of_many_key_prefixes_is_scanned_in_linear_time(cassette_file):
    # Scanning from each prefix to the end would take hours.
    text = "eyJ-" * 500_000
    assert find_secrets(dataclasses.replace(cassette_file, base_url=text)) == []
