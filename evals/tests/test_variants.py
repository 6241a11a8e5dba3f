"""Variants: the knobs of a run, their combinations and errors."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen.policy import GuardedPolicy, SelfCritiquePolicy
from redpen_evals.variants import base_variant, read_variants


@pytest.fixture
def folder(tmp_path):
    for name in ("critique", "review"):
        (tmp_path / f"{name}.v2.md").write_text(
            f"---\nphase: {name}\nversion: v2\n---\nOther words.", encoding="utf-8"
        )
    return tmp_path


def _read(folder, *variants, prompts=(), model="scripted"):
    return read_variants(model=model, prompts=prompts, variants=variants, folder=folder, root=folder)


def test_no_knobs_give_only_the_base_variant(folder):
    assert _read(folder) == (base_variant("scripted"),)


def test_base_version_is_left_out_of_the_label(folder):
    assert [variant.label for variant in _read(folder, "critique=v1,v2")] == ["", "critique=v2"]


def test_axes_are_combined_in_order(folder):
    labels = [variant.label for variant in _read(folder, "critique=v1,v2", "temperature=0,0.7")]
    assert labels == ["", "temperature=0.7", "critique=v2", "critique=v2,temperature=0.7"]


def test_prompts_option_applies_to_every_variant(folder):
    found = _read(folder, "temperature=0,1", prompts=["critique=v2,review=v2"])
    assert [variant.label for variant in found] == [
        "critique=v2,review=v2",
        "critique=v2,review=v2,temperature=1",
    ]
    assert {variant.prompts["review"].text for variant in found} == {"Other words."}


def test_model_knob_is_in_label_but_not_in_cassette_label(folder):
    base, other = _read(folder, "model=scripted,gpt-x", "critique=v2")
    assert (base.model, base.label, base.cassette_label) == ("scripted", "critique=v2", "critique=v2")
    assert (other.model, other.label) == ("gpt-x", "critique=v2,model=gpt-x")
    assert other.cassette_label == "critique=v2"


def test_policy_knob_applies_to_agents_with_that_field(folder):
    (variant,) = _read(folder, "policy.max_draft_chars=300")
    policy = variant.policy_of(SelfCritiquePolicy(max_risks=2))
    assert (policy.max_draft_chars, policy.max_risks) == (300, 2)
    untouched = GuardedPolicy()
    assert variant.policy_of(untouched) is untouched


def test_knob_arguments_are_json_or_text_and_environment_is_text(folder):
    (variant,) = _read(folder, "arg.limit=3", "arg.tone=warm", 'arg.id="81"', "env.LIMIT=3", "attr.m:X=null")
    assert variant.arguments == {"limit": 3, "tone": "warm", "id": "81"}
    assert variant.environment == {"LIMIT": "3"}
    assert variant.attributes == {"m:X": None}


def test_file_prefix_applies_to_all_values_of_a_knob(folder):
    (folder / "a.md").write_text("First.")
    (folder / "b.md").write_text("Second.")
    found = _read(folder, "attr.support.mailer:PROMPT=file:a.md,b.md")
    assert [(variant.label, variant.attributes["support.mailer:PROMPT"]) for variant in found] == [
        ("attr.support.mailer:PROMPT=file:a.md", "First."),
        ("attr.support.mailer:PROMPT=file:b.md", "Second."),
    ]


def test_variant_of_agent_keeps_only_its_knobs(folder):
    (variant,) = _read(folder, "critique=v2", "arg.tone=warm", "model=gpt-x", "temperature=1")
    own, built_in = variant.of_agent(is_own=True), variant.of_agent(is_own=False)
    assert (own.label, own.model, own.temperature) == ("model=gpt-x,arg.tone=warm", "gpt-x", 0)
    assert own.prompts == base_variant("scripted").prompts
    assert (built_in.label, built_in.arguments) == ("critique=v2,temperature=1,model=gpt-x", {})


@pytest.mark.parametrize(
    ("variants", "prompts", "message"),
    [
        (["critique"], [], "write critique=v1,v2"),
        (["critique=v1,,v2"], [], "a value is empty"),
        (["critic=v2"], [], "no knob 'critic' (did you mean `critique`?)"),
        ([], ["temperature=1"], "no knob 'temperature'"),
        (["critique=v9"], [], "prompt critique has no version 'v9'"),
        (["temperature=hot"], [], "a temperature is a number from 0 to 2"),
        (["temperature=nan"], [], "a temperature is a number from 0 to 2"),
        (["temperature=3"], [], "a temperature is a number from 0 to 2"),
        (["args.tone=warm"], [], "no knob 'args.tone' (did you mean `arg.`?)"),
        (["arg.=warm"], [], "write arg.NAME=a,b"),
        (["env.A-B=1"], [], "write env.NAME=a,b"),
        (["env.OPENAI_API_KEY=abc"], [], "no place for a key"),
        (["attr.support.mailer.PROMPT=x"], [], "write attr.package.module:NAME=a,b"),
        (["arg.ids=[1,2]"], [], "cannot be a list or object"),
        (["arg.tone=a\x07b"], [], "only printable characters"),
        (["arg.text=file:critique.v3.md"], [], "did you mean `critique.v2.md`?"),
        (["policy.max_draft=3"], [], "no agent's policy has a field 'max_draft' (did you mean"),
        (["policy.max_draft_chars=many"], [], "policy: max_draft_chars"),
        (["critique=v1,v2"], ["critique=v2"], "--prompts sets critique already"),
        ([], ["critique=v1", "critique=v2"], "critique is set twice"),
        ([f"temperature={','.join(f'0.{number:03}' for number in range(1, 66))}"], [], "more than 64"),
    ],
)
def test_invalid_variant_is_refused(folder, variants, prompts, message):
    with pytest.raises(ConfigurationError) as caught:
        _read(folder, *variants, prompts=prompts)
    assert message in str(caught.value)
