"""`kill -9`, concurrent writers and read-only folders: accept, prune and report leave complete files."""

from __future__ import annotations

import os
import signal
import sys

import pytest
from click.testing import CliRunner

from fault_campaigns.forked import as_nobody, can_fork, in_child, start_child, wait_for
from redpen_evals.cli import main
from redpen_evals.comparison.baseline import (
    Baseline,
    baseline_path,
    load_baseline,
    read_baseline,
    save_baseline,
)
from redpen_evals.comparison.changes import Behaviour
from redpen_evals.errors import BaselineError

pytestmark = pytest.mark.skipif(not can_fork(), reason="this system does not fork")

_WRITES = frozenset({"os.rename", "os.remove", "os.rmdir", "os.mkdir", "shutil.rmtree"})
_MOST_STEPS = 60
_PASSED = Behaviour(outcome="passed", status="ok", result="revised_once", calls=2)


def _dies_at(step, folder):
    """Kill this process before its n-th change of a folder."""
    seen = 0

    def watch(event, args):
        nonlocal seen
        is_write = event in _WRITES or (event == "open" and isinstance(args[2], int) and args[2] & 3)
        if is_write and _lies_in(args[0], folder):
            seen += 1
            if seen == step:
                os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def _lies_in(path, folder):
    # Paths inside the project are relative.
    return isinstance(path, (str, os.PathLike)) and os.path.abspath(path).startswith(str(folder))  # noqa: PTH100


def _redpen(*words):
    return CliRunner().invoke(main, words).exit_code


def _killed_at_each_step(folder, command, after_kill):
    """Kill a command before each of its writes, then let it finish; return the number of kills."""
    for step in range(1, _MOST_STEPS):

        def work(step=step):
            _dies_at(step, folder)
            os._exit(_redpen(*command))

        code = in_child(work)
        if code != -signal.SIGKILL:
            assert code == 0
            return step - 1
        after_kill()
    raise AssertionError("it never ended")


@pytest.fixture
def project(pytester, start_project):
    """Give a recorded library in the working folder, and a record of its run."""
    library = start_project("redpen_baseline = accepted\n")
    for name in ("self-critique/one", "self-critique/two"):
        library.add(name, library.self_critique())
        library.record(name)
    pytester.runpytest_inprocess()
    return library


def test_accept_killed_at_any_step_leaves_old_or_new_baseline(pytester, project):
    path = baseline_path(pytester.path / "accepted", "scripted")
    old = {("self-critique/gone", "", 1): _PASSED}
    save_baseline(path, Baseline(model="scripted", accepted=old))
    states = []
    killed = _killed_at_each_step(
        pytester.path, ["baseline", "accept"], lambda: states.append(read_baseline(path) == old)
    )
    assert killed >= 2
    assert any(states)
    assert len(read_baseline(path)) == 3
    assert [item.name for item in path.parent.iterdir()] == [path.name]
    assert project.layout.scenarios.is_dir()


def test_prune_killed_at_any_step_removes_nothing_else(pytester, project):
    project.layout.scenario_path("self-critique/two").unlink()
    kept = project.cassette("self-critique/one")
    before = kept.read_bytes()
    killed = _killed_at_each_step(
        pytester.path, ["cassettes", "prune", "--yes"], lambda: _assert_same(kept, before)
    )
    assert killed >= 1
    assert kept.read_bytes() == before
    assert not project.cassette("self-critique/two").exists()


@pytest.mark.usefixtures("project")
@pytest.mark.parametrize("suffix", ["html", "md", "json"])
def test_report_killed_at_any_step_leaves_old_or_new_file(pytester, suffix):
    path = pytester.path / f"report.{suffix}"
    path.write_text("old", encoding="utf-8")
    seen = set()
    killed = _killed_at_each_step(
        pytester.path, ["report", "last", "-o", path.name], lambda: seen.add(path.read_text(encoding="utf-8"))
    )
    assert killed >= 1
    new = path.read_text(encoding="utf-8")
    assert "results passed" in new or "self-critique/one" in new
    assert "old" in seen <= {"old", new}


def test_second_writer_of_a_baseline_is_refused(tmp_path):
    path = baseline_path(tmp_path, "scripted")
    read = Baseline(model="scripted", accepted={})
    first, second = ({(name, "", 1): _PASSED} for name in ("a/first", "a/second"))
    save_baseline(path, Baseline(model="scripted", accepted=first), over=read)
    with pytest.raises(BaselineError, match="another process has changed it"):
        save_baseline(path, Baseline(model="scripted", accepted=second), over=read)
    assert read_baseline(path) == first


def test_concurrent_writers_lose_no_entry(tmp_path):
    path = baseline_path(tmp_path, "scripted")
    names = [f"a/n{at}" for at in range(6)]

    def accept(name):
        while True:
            read = load_baseline(path) or Baseline(model="scripted", accepted={})
            merged = Baseline(model="scripted", accepted={**read.accepted, (name, "", 1): _PASSED})
            try:
                save_baseline(path, merged, over=read)
            except BaselineError:
                continue
            return

    children = [start_child(lambda name=name: accept(name)) for name in names]
    assert [wait_for(child) for child in children] == [0] * len(names)
    assert sorted(key[0] for key in read_baseline(path)) == names


@pytest.mark.usefixtures("project")
class TestReadOnlyFolder:
    """Commands on a read-only folder exit with an error and change nothing."""

    @pytest.mark.parametrize(
        ("folder", "command"),
        [("accepted", ["baseline", "accept"]), ("out", ["report", "last", "-o", "out/report.md"])],
    )
    def test_accept_and_report_exit_2_on_read_only_folder(self, pytester, folder, command):
        closed = pytester.mkdir(folder)
        closed.chmod(0o555)
        # The first command loads package files that an unprivileged user may be unable to read.
        first = ["report", "last", "-o", "elsewhere/report.md"] if folder == "out" else ["exit-codes"]
        assert _as_reader(pytester, command, first=first) == 2
        assert list(closed.iterdir()) == []

    def test_prune_exits_1_on_read_only_folder_and_keeps_the_file(self, pytester, project):
        project.layout.scenario_path("self-critique/two").unlink()
        cassette = project.cassette("self-critique/two")
        cassette.parent.chmod(0o555)
        try:
            assert _as_reader(pytester, ["cassettes", "prune", "--yes"]) == 1
        finally:
            cassette.parent.chmod(0o755)
        assert cassette.exists()


def _as_reader(pytester, command, *, first=("exit-codes",)):
    """Run a command as an unprivileged user, after another one as root; make parent folders readable."""
    for above in (pytester.path, *pytester.path.parents):
        if above.stat().st_uid == os.geteuid() and str(above).startswith("/tmp/"):  # noqa: S108
            above.chmod(above.stat().st_mode | 0o055)

    def run():
        assert _redpen(*first) == 0
        as_nobody(lambda: os._exit(_redpen(*command)))

    return in_child(run)


def _assert_same(path, content):
    assert path.read_bytes() == content
