"""`walk`: every path below a folder, without following links."""

from __future__ import annotations

import os

from redpen_evals.folders import MAX_DEPTH, walk


def test_walk_yields_files_links_and_folders_in_order(tmp_path):
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


def test_walk_of_missing_folder_is_empty_and_of_file_is_closed(tmp_path):
    (tmp_path / "file").touch()
    assert list(walk(tmp_path / "none")) == []
    assert list(walk(tmp_path / "file")) == [(tmp_path / "file", "closed")]


def test_walk_marks_too_deep_folders_as_closed(tmp_path):
    deepest = tmp_path.joinpath(*["d"] * (MAX_DEPTH + 3))
    deepest.mkdir(parents=True)
    found = list(walk(tmp_path))
    assert found[-1] == (tmp_path.joinpath(*["d"] * (MAX_DEPTH + 1)), "closed")
    assert [kind for _, kind in found[:-1]] == ["folder"] * MAX_DEPTH


def test_walk_follows_link_given_as_root(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").touch()
    (tmp_path / "link").symlink_to("real", target_is_directory=True)
    assert list(walk(tmp_path / "link")) == [(tmp_path / "link" / "file", "file")]
