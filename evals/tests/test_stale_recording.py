"""Recording of stale scenarios asks the model only from the first stale call on."""

from __future__ import annotations

import json

import pytest
from pydantic import SecretStr

from redpen.chat import ChatSettings
from redpen_evals.endpoint.replies import parse_replies
from redpen_evals.endpoint.server import ScriptedEndpoint
from redpen_evals.variants import read_variants

ONE = "self-critique/one"
MODEL = "real-model"


@pytest.fixture
def strict(tmp_path):
    """Give a variant with a different critique prompt."""
    folder = tmp_path / "prompts"
    folder.mkdir()
    text = "---\nphase: critique\nversion: v2\n---\nBe strict. Answer with one JSON object."
    (folder / "critique.v2.md").write_text(text, encoding="utf-8")
    (variant,) = read_variants(model=MODEL, prompts=["critique=v2"], folder=folder)
    return variant


@pytest.fixture
def ask(library):
    """Give a function that records a scenario from a server at one address, and counts its calls."""
    port = 0

    def record(replies, *, mode, **options):
        nonlocal port
        library.add(ONE, library.self_critique())
        with ScriptedEndpoint(parse_replies(replies), model=MODEL, port=port) as server:
            port = int(server.base_url.rsplit(":", maxsplit=1)[1].split("/")[0])
            settings = ChatSettings(api_key=SecretStr("local-key"), base_url=server.base_url, retries=0)
            result = library.evaluate_as(ONE, model=MODEL, record=mode, live=settings, **options)
            return result, len(server.requests)

    return record


def _usage(library, variant=""):
    folder = MODEL + (f"+{variant}" if variant else "")
    return json.loads((library.layout.cassettes / folder / f"{ONE}.json").read_text(encoding="utf-8"))


def test_live_model_is_asked_only_from_changed_call_on(library, ask, strict):
    replies = library.self_critique()["replies"]
    result, asked = ask(replies, mode="all")
    assert (result.outcome, asked) == ("passed", 2)
    latencies = _usage(library)["recorded"]["latency_ms"]
    result, asked = ask(replies[1:], mode="missing", variant=strict)
    assert (result.outcome, asked) == ("passed", 1)
    assert [call.state for call in result.calls] == ["replayed", "recorded"]
    assert result.calls[0].latency_ms == latencies[0]
    kept = _usage(library, "critique=v2")
    assert kept["calls"][0] == _usage(library)["calls"][0]
    assert kept["recorded"]["latency_ms"][0] == latencies[0]
    assert kept["variant"] == "critique=v2"


def test_second_sample_records_every_call(library, ask):
    replies = library.self_critique()["replies"]
    ask(replies, mode="missing")
    result, asked = ask(replies, mode="missing", sample=2)
    assert (result.outcome, result.sample, asked) == ("passed", 2, 2)
    first, second = (
        library.layout.cassettes / MODEL / f"self-critique/{name}.json" for name in ("one", "one~2")
    )
    assert json.loads(second.read_text(encoding="utf-8"))["sample"] == 2
    assert "sample" not in json.loads(first.read_text(encoding="utf-8"))


def test_changed_prompt_is_reported_at_its_call(library, strict):
    library.add(ONE, library.self_critique())
    library.record(ONE)
    scripted = read_variants(
        model="scripted", prompts=["critique=v2"], folder=strict.prompts["critique"].path.parent
    )
    result = library.evaluate_as(ONE, variant=scripted[0])
    assert result.outcome == "stale"
    assert [(call.phase, call.state) for call in result.calls] == [
        ("draft", "replayed"),
        ("critique", "missed"),
    ]
    (call,) = result.stale.calls
    assert (call.position, call.phase, call.why, call.what) == (
        2,
        "critique",
        "changed",
        "messages[0].content",
    )
    assert call.prompt_tokens > 0


def test_changed_first_call_makes_later_calls_stale(library):
    library.add(ONE, library.self_critique())
    library.record(ONE)
    library.add(ONE, library.self_critique(goal="Tell everybody."))
    result = library.evaluate(ONE)
    assert [(call.phase, call.why) for call in result.stale.calls] == [
        ("draft", "changed"),
        ("critique", "follows"),
    ]


def test_missing_cassette_is_stale_without_calls(library):
    library.add(ONE, library.self_critique())
    result = library.evaluate(ONE)
    assert result.stale.missing
    assert result.stale.calls == ()


def test_cassette_of_another_variant_is_errored(library, strict):
    library.add(ONE, library.self_critique())
    library.record(ONE)
    path = library.cassette(ONE)
    other = library.layout.cassettes / "scripted+critique=v2" / f"{ONE}.json"
    other.parent.mkdir(parents=True)
    path.rename(other)
    scripted = read_variants(
        model="scripted", prompts=["critique=v2"], folder=strict.prompts["critique"].path.parent
    )
    result = library.evaluate_as(ONE, variant=scripted[0])
    assert result.outcome == "errored"
    assert "belongs to variant '', sample 1, its path says variant 'critique=v2', sample 1" in result.summary
