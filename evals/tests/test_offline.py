"""The fixture `offline`: an unmarked test that tries the network fails, even if it swallows the error."""

from __future__ import annotations

import pytest

TESTS = """
import os
import socket

import pytest


def reach(address):
    try:
        socket.getaddrinfo(address, 80)
    except Exception:
        return "blocked"


def test_swallows():
    assert reach("example.invalid") == "blocked"


@pytest.mark.reaches_for_network
def test_says_so():
    assert reach("example.invalid") == "blocked"


def test_stays_here():
    assert reach("127.0.0.1") is None


def test_has_no_key():
    assert not [name for name in os.environ if name.startswith("OPENAI_")]
"""


@pytest.mark.reaches_for_network
def test_unmarked_test_that_tries_the_network_fails(pytester, checkout, monkeypatch):
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_MODEL", "OPENAI_TIMEOUT_SECONDS"):
        monkeypatch.setenv(name, "the developer's")
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider -p no:hypothesispytest --strict-markers\n")
    pytester.makeconftest((checkout / "evals" / "tests" / "conftest.py").read_text(encoding="utf-8"))
    pytester.makepyfile(TESTS)
    result = pytester.runpytest_inprocess("-rE")
    result.assert_outcomes(passed=4, errors=1)
    result.stdout.fnmatch_lines(["ERROR *::test_swallows*"])
