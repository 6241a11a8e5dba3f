"""A run writes the same record and reports in any environment."""

from __future__ import annotations

from fault_campaigns.determinism import OTHERS, copy_project, determinism, differences


def test_record_and_reports_do_not_depend_on_environment(tmp_path):
    all_of_it = OTHERS[-1]
    tally = determinism(tmp_path, surroundings=[all_of_it])
    assert (tally.broken, tally.survived) == ((), 1)


def test_first_difference_is_shown_with_line():
    plain = {"record": ["one", "two times three"], "report.md": ["same"]}
    assert differences(plain, plain) == []
    found = {**plain, "record": ["one", "two times four"]}
    assert differences(plain, found) == ["record:2: two times three | two times four"]
    assert differences(plain, {"record": plain["record"]}) == ["report.md:1: same | nothing"]


def test_project_copy_leaves_out_generated_files(tmp_path):
    source = tmp_path / "source"
    (source / "folder" / "__pycache__").mkdir(parents=True)
    (source / ".redpen").mkdir()
    for name in ("a", "folder/b", "folder/c", "folder/__pycache__/d", ".redpen/e"):
        (source / name).write_text(name, encoding="utf-8")
    for backwards in (False, True):
        copy = tmp_path / f"copy {backwards}"
        copy_project(source, copy, backwards=backwards)
        found = [path.relative_to(copy).as_posix() for path in sorted(copy.rglob("*")) if path.is_file()]
        assert found == ["a", "folder/b", "folder/c"]
