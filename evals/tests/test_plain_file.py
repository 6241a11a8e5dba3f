"""Reading of plain files: pipes, sockets, devices and too large files are refused without blocking."""

from __future__ import annotations

import os
import socket

import pytest

from redpen.plain_file import UnreadableFileError, leads_out, open_plain_file, read_plain_file

MAX_BYTES = 100


@pytest.mark.parametrize("content", [b"", b"text", b"\r\n\0\xff", b"x" * MAX_BYTES])
def test_plain_file_is_read_unchanged(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert read_plain_file(path, max_bytes=MAX_BYTES) == content
    with open_plain_file(path, max_bytes=MAX_BYTES) as file:
        assert file.read() == content


def test_link_to_file_is_followed(tmp_path):
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read_plain_file(tmp_path / "link", max_bytes=MAX_BYTES) == b"text"


def _pipe(path):
    os.mkfifo(path)


def _folder(path):
    path.mkdir()


def _socket(path):
    # Below the working folder: the name of a socket may not be long.
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(path.name)


def _too_large(path):
    path.write_bytes(b"x" * (MAX_BYTES + 1))


def _sparse(path):
    path.touch()
    os.truncate(path, 10**12)


@pytest.mark.parametrize(
    ("put", "message"),
    [
        (_folder, "it is a folder, not a plain file"),
        (_pipe, "it is a pipe, not a plain file"),
        (_socket, "it is a socket, not a plain file"),
        (lambda path: path.symlink_to("/dev/zero"), "it is a device, not a plain file"),
        (_too_large, "it is larger than 100 bytes"),
        (_sparse, "it is larger than 100 bytes"),
    ],
)
def test_special_or_too_large_file_is_refused_with_reason(tmp_path, monkeypatch, put, message):
    monkeypatch.chdir(tmp_path)
    put(tmp_path / "odd")
    for read in (read_plain_file, open_plain_file):
        with pytest.raises(UnreadableFileError) as caught:
            read(tmp_path / "odd", max_bytes=MAX_BYTES)
        assert caught.value.strerror == message


def test_proc_file_is_read_as_empty(tmp_path):
    # It says that it has no size, and some of it has no end.
    (tmp_path / "link").symlink_to("/proc/self/status")
    if (tmp_path / "link").exists():
        assert read_plain_file(tmp_path / "link", max_bytes=MAX_BYTES) == b""


@pytest.mark.parametrize("target", ["none", "link"])
def test_dangling_or_circular_link_raises_os_error(tmp_path, target):
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(OSError, match=r"No such file|Too many levels"):
        read_plain_file(tmp_path / "link", max_bytes=MAX_BYTES)


@pytest.mark.parametrize(
    ("target", "out"),
    [
        ("file", False),
        ("sub/../file", False),
        ("none", False),
        ("link", False),
        ("../folder/file", False),
        ("../outside", True),
        ("../folder-too", True),
        ("/", True),
        ("..", True),
        ("loop/../../outside", True),
    ],
)
def test_leads_out_resolves_link_targets(tmp_path, target, out):
    folder = tmp_path / "folder"
    (folder / "sub").mkdir(parents=True)
    (folder / "file").touch()
    (folder / "loop").symlink_to(".", target_is_directory=True)
    (folder / "link").symlink_to(target)
    assert leads_out(folder / "link", folder) is out


def test_file_in_linked_folder_does_not_lead_out(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "file").touch()
    (tmp_path / "folder").symlink_to("real", target_is_directory=True)
    assert not leads_out(tmp_path / "folder" / "file", tmp_path / "folder")


@pytest.mark.parametrize(("target", "out"), [("../outside", True), ("sub", False)])
def test_file_below_link_leads_out_with_its_folder(tmp_path, target, out):
    (tmp_path / "folder" / "sub").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (tmp_path / "folder" / "link").symlink_to(target, target_is_directory=True)
    assert leads_out(tmp_path / "folder" / "link" / "file", tmp_path / "folder") is out
