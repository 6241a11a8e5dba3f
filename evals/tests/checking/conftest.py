"""Fixtures of the tests of `redpen check`: the command in a library's folder, and files to check."""

from __future__ import annotations

import json

import pytest

from redpen.guards import Finding

ORIGINAL = "Checkout in the US is degraded for 27% of attempts. We are working on it."
CLEAN = "Checkout in the US is degraded for about 27% of attempts. We are working on it."


@pytest.fixture
def redpen(library, monkeypatch, redpen):
    """Give a function that runs the command in a library's folder, with some standard input."""
    monkeypatch.chdir(library.root)
    return redpen


@pytest.fixture
def check(redpen, write):
    """Give a function that checks a revised text against the original in the library's context."""

    def run(revised, *options, original=ORIGINAL):
        files = ("--original", write("original.txt", original), "--revised", write("revised.txt", revised))
        return redpen("check", "--context", "payments", *files, *options)

    return run


@pytest.fixture
def write(tmp_path):
    """Give a function that writes a file and returns its path."""

    def write_it(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write_it


@pytest.fixture
def finding():
    """Give a function that makes a finding at a span, with placeholder texts."""

    def make(start, end, *, code="no_new_facts", text="", **others):
        texts = {"family": "share", "reading": "read", "reason": "reason", **others}
        return Finding(code=code, span=(start, end), text=text, **texts)

    return make


@pytest.fixture
def line():
    """Give a function that returns a valid JSON line with changes; None removes a key."""

    def make(**changes):
        item = {"original": ORIGINAL, "revised": CLEAN, "context": "payments", **changes}
        return json.dumps({key: value for key, value in item.items() if value is not None}) + "\n"

    return make
