"""All that lies below a folder is seen, and no link is followed."""

from __future__ import annotations

import os

from redpen_evals.folders import MAX_DEPTH, walk


def test_files_links_and_folders_are_told_apart_in_order(tmp_path):
    (tmp_path / "b" / "c").mkdir(parents=True)
    (tmp_path / "b" / "c" / "file").touch()
    (tmp_path / "a").touch()
    (tmp_path / "to-file").symlink_to("a")
    (tmp_path / "to-folder").symlink_to("b", target_is_directory=True)
    (tmp_path / "to-itself").symlink_to("to-itself")
    os.mkfifo(tmp_path / "pipe")
    assert [(path.relative_to(tmp_path).as_posix(), kind) for path, kind in walk(tmp_path)] == [
        ("a", "file"),
        ("b", "folder"),
        ("b/c", "folder"),
        ("b/c/file", "file"),
        ("pipe", "file"),
        ("to-file", "link"),
        ("to-folder", "link"),
        ("to-itself", "link"),
    ]


def test_no_folder_holds_nothing_and_a_file_is_closed(tmp_path):
    (tmp_path / "file").touch()
    assert list(walk(tmp_path / "none")) == []
    assert list(walk(tmp_path / "file")) == [(tmp_path / "file", "closed")]


def test_folders_too_deep_are_named_and_not_looked_into(tmp_path):
    deepest = tmp_path.joinpath(*["d"] * (MAX_DEPTH + 3))
    deepest.mkdir(parents=True)
    found = list(walk(tmp_path))
    assert found[-1] == (tmp_path.joinpath(*["d"] * (MAX_DEPTH + 1)), "closed")
    assert [kind for _, kind in found[:-1]] == ["folder"] * MAX_DEPTH


def test_a_link_that_is_given_itself_is_looked_into(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").touch()
    (tmp_path / "link").symlink_to("real", target_is_directory=True)
    assert list(walk(tmp_path / "link")) == [(tmp_path / "link" / "file", "file")]
