"""Loading of prompts from versioned files."""

from __future__ import annotations

import pytest

from redpen.errors import ConfigurationError
from redpen.prompts import PROMPT_NAMES, base_prompts, load_prompts, read_prompt

MATTER = "---\nphase: {phase}\nversion: {version}\n---\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "critique.v2.md").write_text(
        MATTER.format(phase="critique", version="v2") + "Be strict.\n", encoding="utf-8"
    )
    return tmp_path


def test_every_prompt_has_a_base_with_phase_and_version():
    prompts = base_prompts()
    assert [prompt.name for prompt in prompts] == list(PROMPT_NAMES)
    assert {prompt.version for prompt in prompts} == {"v1"}
    assert prompts["revise_strict"].phase == "revise"
    assert not any(prompt.text.startswith("---") for prompt in prompts)


def test_version_is_chosen_by_name(folder):
    chosen = load_prompts({"critique": "v2"}, folder=folder)
    assert chosen["critique"].text == "Be strict."
    assert chosen["critique"].hash != base_prompts()["critique"].hash
    assert chosen["draft"] == base_prompts()["draft"]


def test_own_folder_keeps_built_in_base(folder):
    assert load_prompts(folder=folder)["critique"] == base_prompts()["critique"]


def test_own_base_overrides_built_in_one(folder):
    (folder / "draft.md").write_text(
        MATTER.format(phase="draft", version="mine") + "Write.", encoding="utf-8"
    )
    assert load_prompts(folder=folder)["draft"].text == "Write."
    assert load_prompts({"draft": "v1"}, folder=folder)["draft"] == base_prompts()["draft"]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"critic": "v2"}, "no prompt 'critic' (did you mean `critique`?)"),
        ({"critique": "v22"}, "no version 'v22' (did you mean `v2`?); there is v1, v2"),
    ],
)
def test_unknown_prompt_or_version_has_suggestion(folder, choices, message):
    with pytest.raises(ConfigurationError) as caught:
        load_prompts(choices, folder=folder)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("critique.x.md", b"No front matter.", "critique.x.md:1: a prompt starts with its front matter"),
        ("critique.x.md", b"---\nphase: critique\nversion: x\n", "a prompt starts with its front matter"),
        (
            "critique.x.md",
            b"---\nphase: draft\nversion: x\n---\nText",
            "phase: critique is asked in phase 'critique'",
        ),
        ("critique.x.md", b"---\nphase: critique\nversion: 2\n---\nText", "critique.x.md:3: version: "),
        ("critique.x.md", b"---\nphase: critique\nversion: x\nauthor: me\n---\nText", "author: "),
        ("critique.x.md", b"---\nphase: [critique\n---\nText", "not valid YAML: "),
        ("critique.x.md", b"---\nphase: critique\nversion: x\n---\n \n", "there is no text below"),
        ("critique.x.md", b"\xff\xfe", "not UTF-8"),
        ("critique.x.md", b"x" * 1_000_001, "is larger than 1,000,000 bytes"),
        (
            "critik.md",
            b"---\nphase: critique\nversion: x\n---\nText",
            "no prompt is named 'critik' (did you mean",
        ),
        (
            "critique.x.md",
            b"---\nphase: critique\nversion: v2\n---\nText",
            "version 'v2' of critique stands in",
        ),
    ],
)
def test_invalid_prompt_file_is_skipped_unless_requested(folder, name, content, message):
    (folder / name).write_bytes(content)
    loaded = load_prompts(folder=folder)
    assert (dict(loaded.prompts), len(loaded.left_out)) == (dict(base_prompts().prompts), 1)
    assert message in loaded.left_out[0]
    assert name in loaded.left_out[0]
    with pytest.raises(ConfigurationError) as caught:
        load_prompts({"critique": "x"}, folder=folder)
    assert message in str(caught.value)
    assert name in str(caught.value)


def test_duplicate_version_is_refused_only_when_requested(folder):
    (folder / "critique.twin.md").write_text(MATTER.format(phase="critique", version="v2") + "Be.")
    (folder / "draft.md").write_text(MATTER.format(phase="draft", version="v2") + "Write.")
    chosen = load_prompts({"draft": "v2", "critique": "v1"}, folder=folder)
    assert chosen["draft"].text == "Write."
    assert "version 'v2' of critique stands in" in chosen.left_out[0]
    with pytest.raises(
        ConfigurationError, match=r"version 'v2' of critique stands in critique\.twin\.md too"
    ):
        load_prompts({"critique": "v2"}, folder=folder)


def test_invalid_base_is_refused_unless_other_version_is_chosen(folder):
    (folder / "critique.md").write_text("Be strict.")
    with pytest.raises(ConfigurationError, match=r"critique\.md:1: a prompt starts with its front matter"):
        load_prompts(folder=folder)
    chosen = load_prompts({"critique": "v2"}, folder=folder)
    assert chosen["critique"].text == "Be strict."
    assert "critique.md:1: " in chosen.left_out[0]


def test_valid_folders_have_no_skipped_files(folder):
    assert load_prompts(folder=folder).left_out == base_prompts().left_out == ()


def test_missing_folder_is_refused(tmp_path):
    with pytest.raises(ConfigurationError, match="there is no such folder"):
        load_prompts(folder=tmp_path / "none")


def test_byte_order_mark_and_crlf_are_accepted(tmp_path):
    path = tmp_path / "shorten.b.md"
    path.write_bytes("\ufeff---\r\nphase: shorten\r\nversion: b\r\n---\r\nOne.\r\nTwo.\r\n".encode())
    prompt = read_prompt(path)
    assert (prompt.version, prompt.text) == ("b", "One.\r\nTwo.")


def test_link_out_of_the_folder_is_refused(folder, tmp_path_factory):
    outside = (folder / "critique.v2.md").rename(tmp_path_factory.mktemp("outside") / "critique.v2.md")
    (folder / "critique.v2.md").symlink_to(outside)
    with pytest.raises(ConfigurationError, match=r"critique\.v2\.md: is a link that leads out of"):
        load_prompts({"critique": "v2"}, folder=folder)


def test_nul_character_is_refused_with_line(folder):
    (folder / "critique.v3.md").write_bytes(b"---\nphase: critique\nversion: v3\n---\nBe\n\0strict.")
    with pytest.raises(ConfigurationError, match=r"critique\.v3\.md:6: holds a NUL character"):
        load_prompts({"critique": "v3"}, folder=folder)
