"""`redpen cassettes prune`: what is removed, what is kept, and the dry run."""

from __future__ import annotations

import dataclasses
import fcntl
import shutil

import pytest

from redpen_evals.cassettes.naming import to_id_part
from redpen_evals.cassettes.store import CassetteLocation
from redpen_evals.evaluation import Evaluator
from redpen_evals.maintenance.pruning import carry_out, plan_removal
from redpen_evals.variants import read_variants

APPROVE = "self-critique/approve"


@pytest.fixture
def littered(stocked):
    """Give a library with one of each kind of removable file, and files that must be kept."""
    library = stocked.stock
    library.add("guarded-policy/filed", library.filed_plan())
    stocked.put()
    stocked.put(scenario="self-critique/old/gone", model="gone model")
    stocked.put(scenario="guarded-policy/filed", model="scripted")
    stocked.put(variant="policy.max_draft_chars=600")
    stocked.put(sample=2)
    stocked.write(stocked.root / "scripted" / "self-critique" / ".x.json.0123456789ab.redpen-tmp", "{")
    damaged = stocked.root / "scripted" / "reflection" / "escalate.json"
    # It still names its prompts, which must be kept as well.
    stocked.write(damaged, "{" + damaged.read_text(encoding="utf-8"))
    stocked.write(stocked.root / "notes.txt", "keep")
    (stocked.root / "empty" / "inner").mkdir(parents=True)
    return stocked


NEEDLESS = [
    "cassettes/gone model/self-critique/old/gone.json",
    "cassettes/gpt+policy.max_draft_chars=600/self-critique/approve.json",
    "cassettes/scripted/guarded-policy/filed.json",
    "cassettes/scripted/self-critique/.x.json.0123456789ab.redpen-tmp",
]
EMPTIED = [
    "cassettes/scripted/guarded-policy",
    "cassettes/gpt+policy.max_draft_chars=600/self-critique",
    "cassettes/gpt+policy.max_draft_chars=600",
    "cassettes/gone model/self-critique/old",
    "cassettes/gone model/self-critique",
    "cassettes/gone model",
    "cassettes/empty/inner",
    "cassettes/empty",
]


def _paths(done, word, stocked):
    lines = done.stdout.replace(f"{stocked.stock.root}/", "").splitlines()
    assert all(line.startswith(f"{word} ") for line in lines), done.stdout
    return sorted(line.removeprefix(f"{word} ").split(": ")[0] for line in lines)


def test_prune_without_yes_lists_files_and_removes_nothing(littered, cassettes):
    before = littered.paths()
    done = cassettes("prune", "--live")
    assert done.exit_code == 0
    assert _paths(done, "would remove", littered) == sorted([*NEEDLESS, *EMPTIED])
    assert done.stderr.startswith("4 files of ")
    assert ", 2 live recordings among them, 8 folders (to record them again: " in done.stderr
    assert "; to remove them: redpen cassettes prune --live --yes" in (done.stderr)
    assert littered.paths() == before


def test_live_recordings_are_spared_without_live_option(littered, cassettes):
    prices = littered.stock.root / "prices.toml"
    prices.write_text(
        '[models."gone model"]\ninput_usd_per_million = 1000\noutput_usd_per_million = 0\n', encoding="utf-8"
    )
    before = littered.paths()
    done = cassettes("prune", "--yes")
    assert done.exit_code == 0
    live = [path for path in NEEDLESS if "scripted" not in path]
    spared = [line for line in done.stdout.splitlines() if line.startswith("spared ")]
    assert [line.split(": ")[0].partition("cassettes/")[2] for line in spared] == [
        path.removeprefix("cassettes/") for path in live
    ]
    gone = set(before) - set(littered.paths())
    assert {path for path in gone if path.endswith(("json", "tmp"))} == {
        path.removeprefix("cassettes/") for path in NEEDLESS if path not in live
    }
    assert "2 live recordings that no scenario needs; to record again: 4 calls, " in done.stderr
    assert " completion tokens, at least $" in done.stderr
    assert ", no price for gpt in " in done.stderr
    assert done.stderr.count("redpen cassettes prune --live") == 1


def test_prune_with_yes_removes_exactly_listed_files(littered, cassettes):
    before = littered.paths()
    done = cassettes("prune", "--live", "--yes")
    assert done.exit_code == 0
    gone = _paths(done, "removed", littered)
    assert gone == sorted([*NEEDLESS, *EMPTIED])
    left = littered.paths()
    assert sorted(set(before) - set(left)) == sorted(path.removeprefix("cassettes/") for path in gone)
    assert "notes.txt" in left
    assert "scripted/reflection/escalate.json" in left
    assert "gpt/self-critique/approve~2.json" in left
    again = cassettes("prune", "--live", "--yes")
    assert (again.exit_code, again.stdout, again.stderr) == (0, "", "nothing to remove\n")


@pytest.mark.usefixtures("littered")
def test_check_and_prune_name_same_files(cassettes):
    lines = cassettes("check").stdout.splitlines()
    named = [
        line for line in lines if line.endswith(("redpen cassettes prune", "redpen cassettes prune --live"))
    ]
    assert len(named) == len(NEEDLESS)
    cassettes("prune", "--live", "--yes")
    assert "redpen cassettes prune" not in cassettes("check").stdout


def test_variant_replays_base_after_redundant_recording_is_pruned(stocked, cassettes):
    (variant,) = read_variants(model="scripted", variants=["policy.max_draft_chars=600"])
    own = stocked.put(model="scripted", variant=variant.label)
    evaluator = Evaluator(layout=stocked.stock.layout)
    before = evaluator.evaluate(APPROVE, variant=variant)
    cassettes("prune", "--live", "--yes")
    assert not own.exists()
    assert evaluator.evaluate(APPROVE, variant=variant) == before
    assert before.outcome == "passed"


def test_links_are_neither_followed_nor_removed(stocked, cassettes, tmp_path):
    outside = tmp_path / "outside"
    stocked.write(outside / "self-critique" / "gone.json", "{")
    stocked.write(outside / ".x.json.0123456789ab.redpen-tmp", "{")
    (outside / "empty").mkdir()
    (stocked.root / "linked").symlink_to(outside, target_is_directory=True)
    (stocked.root / "scripted" / "reflection" / "gone.json").symlink_to(
        outside / "self-critique" / "gone.json"
    )
    before = stocked.paths(), sorted(outside.rglob("*"))
    assert cassettes("prune", "--live", "--yes").stderr == "nothing to remove\n"
    assert (stocked.paths(), sorted(outside.rglob("*"))) == before


def test_linked_cassettes_folder_is_pruned(stocked, cassettes, tmp_path):
    gone = stocked.put(scenario="self-critique/gone", model="scripted")
    stocked.root.rename(tmp_path / "real")
    stocked.root.symlink_to(tmp_path / "real", target_is_directory=True)
    assert cassettes("prune", "--live", "--yes").exit_code == 0
    assert not gone.exists()
    assert (tmp_path / "real" / "scripted" / f"{APPROVE}.json").is_file()


def test_file_replaced_by_link_after_listing_is_kept(stocked, tmp_path):
    gone = stocked.put(scenario="self-critique/gone", model="scripted")
    removal = plan_removal(stocked.stock.layout)
    outside = tmp_path / "precious.json"
    gone.rename(outside)
    gone.symlink_to(outside)
    assert list(carry_out(removal)) == [(gone, "leads out of the cassettes folder")]
    assert outside.is_file()


def test_folder_replaced_by_link_after_listing_is_kept(stocked, tmp_path):
    gone = stocked.put(scenario="reflection/deep/gone", model="scripted")
    removal = plan_removal(stocked.stock.layout)
    outside = tmp_path / "outside"
    gone.parent.rename(outside)
    gone.parent.symlink_to(outside, target_is_directory=True)
    assert {problem for _, problem in carry_out(removal)} == {"leads out of the cassettes folder"}
    assert (outside / "gone.json").is_file()


def test_folder_filled_after_listing_is_kept(stocked):
    gone = stocked.put(scenario="reflection/deep/gone", model="scripted")
    removal = plan_removal(stocked.stock.layout)
    new = stocked.write(gone.with_name("new.json"), "{}")
    assert dict(carry_out(removal))[gone] == ""
    assert new.is_file()


def test_file_that_cannot_be_removed_is_named_and_exits_1(stocked, cassettes):
    writing = stocked.root / "scripted" / "self-critique" / ".x.json.0123456789ab.redpen-tmp"
    stocked.write(writing, "{")
    with writing.open("rb") as held:
        # A recording holds this lock while it writes.
        fcntl.flock(held, fcntl.LOCK_EX)
        done = cassettes("prune", "--live", "--yes")
        assert (done.exit_code, writing.exists()) == (1, True)
    assert done.stdout.endswith(".redpen-tmp: is being written\n")
    assert cassettes("prune", "--live", "--yes").exit_code == 0
    assert not writing.exists()


def test_control_characters_in_folder_name_are_escaped(stocked, cassettes):
    folder = stocked.root / "a\x1b[2J"
    folder.mkdir()
    done = cassettes("prune", "--live", "--yes")
    assert "\x1b" not in done.stdout
    assert not folder.exists()


class TestFixtureTests:
    @pytest.fixture
    def tested(self, stocked):
        folder = stocked.stock.root / "my tests"
        folder.mkdir()
        (stocked.stock.root / "pytest.ini").write_text("[pytest]\n")
        (folder / "test_mail.py").write_text("async def test_mail(redpen): ...\n")
        self.folder = to_id_part("my tests")
        self.content = stocked.content()
        return stocked

    @pytest.mark.parametrize("name", ["test_mail", "test_mail.2", "test_mail-de-1a2b3c4d", "TestX/test_mail"])
    @pytest.mark.parametrize("model", ["scripted", "gpt"])
    def test_cassettes_in_use_are_kept(self, tested, cassettes, redpen, model, name):
        path = tested.put(scenario=f"{self.folder}/test_mail/{name}", model=model)
        assert redpen("scenarios", "check").exit_code == 0
        assert (cassettes("check").exit_code, cassettes("check").stdout) == (0, "")
        cassettes("prune", "--live", "--yes")
        assert path.exists()

    def test_possibly_inherited_test_is_noted_and_kept(self, tested, cassettes, redpen):
        path = tested.put(scenario=f"{self.folder}/test_mail/TestX/test_inherited")
        assert redpen("scenarios", "check").exit_code == 0
        done = cassettes("check")
        assert done.exit_code == 0
        assert "note: its test file has no test of this name" in done.stdout
        cassettes("prune", "--live", "--yes")
        assert path.exists()

    def test_cassette_without_test_file_is_removed(self, tested, cassettes):
        path = tested.put(scenario="tests/test_gone/test_gone", model="scripted")
        assert "no scenario and no test file of it is below " in cassettes("prune").stdout
        cassettes("prune", "--yes")
        assert not path.exists()

    @pytest.mark.parametrize(
        "scenario", ["tests/test_gone/test_gone", "self-critique/test_a", "checks/mail/ok"]
    )
    def test_live_recording_without_test_file_is_noted_and_kept(self, tested, cassettes, scenario):
        # The tests may be below another root than the one that is found here.
        path = tested.put(scenario=scenario)
        done = cassettes("check")
        assert done.exit_code == 0
        assert f"note: no scenario and no test file of it is below {tested.stock.root}" in done.stdout
        assert f"if no test uses it: rm {path.relative_to(tested.stock.root)}\n" in done.stdout
        assert cassettes("prune", "--live", "--yes").stderr == "nothing to remove\n"
        assert path.exists()

    @pytest.mark.parametrize("has_folder", [True, False])
    def test_project_without_scenarios_is_checked_and_pruned(self, tested, cassettes, has_folder):
        shutil.rmtree(tested.root)
        scenarios = tested.stock.layout.scenarios
        for path in scenarios.rglob("*.yaml"):
            path.unlink()
        if not has_folder:
            shutil.rmtree(scenarios)
        in_use = tested.write(*self._recorded(tested, f"{self.folder}/test_mail/test_mail"))
        gone = tested.write(*self._recorded(tested, f"{self.folder}/test_mail_2/test_mail"))
        of_scenario = tested.write(*self._recorded(tested, "mail/order"))
        done = cassettes("check")
        assert done.exit_code == 1
        orphan, note = sorted(done.stdout.splitlines())[::-1]
        assert "test_mail_2/test_mail.json: no scenario and no test file of it is below " in orphan
        assert "mail/order.json: note: the library has no scenario at all" in note
        assert cassettes("prune", "--yes").exit_code == 0
        assert (in_use.exists(), gone.exists(), of_scenario.exists()) == (True, False, True)

    def _recorded(self, tested, scenario):
        location = CassetteLocation(root=tested.root, model="scripted", scenario=scenario)
        return location.path, dataclasses.replace(self.content, scenario=scenario)

    def test_cassette_of_unreadable_test_file_is_kept(self, tested, cassettes):
        (tested.stock.root / "test_closed.py").mkdir()
        path = tested.put(scenario="test_closed/test_mail", model="scripted")
        assert cassettes("check").exit_code == 0
        cassettes("prune", "--yes")
        assert path.exists()


def test_live_recording_of_own_agent_without_replies_is_kept(stocked, cassettes):
    stocked.stock.add("mail/live", {"agent": "mail:write", "input": {}})
    path = stocked.put(scenario="mail/live", model="live")
    assert "calls no model" not in cassettes("check").stdout
    cassettes("prune", "--live", "--yes")
    assert path.exists()
