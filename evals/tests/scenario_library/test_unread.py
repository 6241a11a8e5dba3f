"""Files and folders of a library that no loader reads are reported."""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatch

import pytest
from click.testing import CliRunner

from redpen_evals.cli import main
from redpen_evals.scenario_library.listing import unread_places


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("self-critique/x.YAML", "ends in .YAML, *did you mean `.yaml`*"),
        ("self-critique/x.yalm", "ends in .yalm, *did you mean `.yaml`*"),
        ("self-critique/x", "has no suffix: files of the library end in .yaml or .yml"),
        ("drafts/x.YML", "ends in .YML, *did you mean `.yml`*"),
        ("x.yaml", "a scenario has to be in a folder, *"),
        ("contexts/eu/x.yaml", "contexts are read from that folder itself, not from below it"),
    ],
)
def test_file_that_no_loader_reads_is_a_fault(library, name, message):
    library.add("self-critique/one", library.self_critique())
    path = library.layout.scenarios / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("agent: self-critique", encoding="utf-8")
    (found,) = unread_places(library.layout)
    assert (found.path, found.is_fault) == (path, True)
    assert fnmatch(found.text, message)


def test_empty_folder_is_a_fault_with_suggestion(library):
    folder = library.layout.scenarios / "selfcritique"
    folder.mkdir()
    (found,) = unread_places(library.layout)
    assert (found.path, found.text) == (folder, "holds no file (did you mean `self-critique`?)")


def test_notes_and_attachments_are_warnings(library):
    library.add("self-critique/one", library.self_critique())
    for name in ("README", "self-critique/photo.png", "self-critique/notes.md"):
        (library.layout.scenarios / name).write_text("x", encoding="utf-8")
    found = unread_places(library.layout)
    assert {item.path.name for item in found} == {"README", "photo.png", "notes.md"}
    assert not any(item.is_fault for item in found)


def test_hidden_and_loaded_files_are_not_reported(library, checkout):
    library.add("self-critique/one", library.self_critique())
    (library.layout.scenarios / ".DS_Store").write_text("x", encoding="utf-8")
    assert unread_places(library.layout) == ()
    assert unread_places(replace(library.layout, scenarios=checkout / "scenarios")) == ()


class TestReportsOfUnreadFiles:
    def test_session_summary_names_unread_file_and_passes(self, pytester, project):
        (project / "self-critique" / "x.YAML").write_text("a: 1", encoding="utf-8")
        result = pytester.runpytest_inprocess()
        assert result.ret == 0
        result.stdout.fnmatch_lines(["redpen: not run, nothing reads it: *x.YAML:1: ends in .YAML, *"])

    def test_scenarios_check_exits_1_for_unread_folder(self, project):
        (project / "selfcritique").mkdir()
        done = CliRunner().invoke(main, ["scenarios", "check"])
        assert done.exit_code == 1
        assert "selfcritique:1: holds no file (did you mean `self-critique`?)" in done.stdout

    @pytest.fixture
    def project(self, start_project):
        library = start_project()
        library.add("self-critique/one", library.self_critique())
        library.record("self-critique/one")
        return library.layout.scenarios
