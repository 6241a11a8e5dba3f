"""`redpen cassettes` and the prompt files stored beside the cassettes."""

from __future__ import annotations

from redpen_evals.cassettes import file


def test_rewrite_moves_prompts_to_own_files_and_counts_cassettes(stocked, cassettes):
    files = sorted(stocked.root.glob("scripted/*/*.json"))
    contents = [file.read(path) for path in files]
    done = cassettes("rewrite")
    assert done.exit_code == 0
    assert done.stdout.startswith("2 of 2 cassettes rewritten, ")
    files = [
        path for path in sorted(stocked.root.glob("scripted/*/*.json")) if path.parent.name != "_prompts"
    ]
    assert [file.read(path) for path in files] == contents
    assert all("$prompt" in path.read_text() for path in files)
    assert cassettes("rewrite").stdout.startswith("0 of 2 cassettes rewritten, ")
    assert cassettes("check").exit_code == 0


def test_check_names_damaged_and_unused_prompts_and_prune_removes_unused(stocked, cassettes):
    cassettes("rewrite")
    folder = stocked.root / "scripted" / "_prompts"
    first, *_ = sorted(folder.iterdir())
    spare = folder / "old.phase.json"
    spare.write_bytes(first.read_bytes())
    done = cassettes("check")
    assert done.exit_code == 1
    assert "old.phase.json: no cassette refers to this prompt; redpen cassettes prune" in done.stdout
    assert cassettes("prune", "--yes").exit_code == 0
    assert not spare.exists()
    assert first.exists()
    first.write_text(first.read_text().replace("You", "They", 1))
    done = cassettes("check")
    assert done.exit_code == 1
    assert f"{first.name} was edited" in done.stdout


def test_prune_removes_prompts_with_last_cassette(stocked, cassettes):
    cassettes("rewrite")
    for path in stocked.stock.layout.scenarios.glob("reflection/*.yaml"):
        path.unlink()
    assert cassettes("prune", "--yes").exit_code == 0
    names = {path.name.split(".")[0] for path in (stocked.root / "scripted" / "_prompts").iterdir()}
    assert names == {"self-critique"}


def test_prompts_are_kept_when_a_cassette_is_damaged(stocked, cassettes):
    cassettes("rewrite")
    folder = stocked.root / "scripted" / "_prompts"
    before = sorted(folder.iterdir())
    (stocked.root / "scripted" / "self-critique" / "approve.json").write_text('{"redpen_cassette": 1,')
    cassettes("prune", "--yes")
    cassettes("rewrite")
    assert sorted(folder.iterdir()) == before
