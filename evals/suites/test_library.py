"""The library as a whole: sound files, no recording without its scenario."""

import pytest

from redpen_evals.library.care import orphaned_cassettes
from redpen_evals.library.loading import check_library
from redpen_evals.plugin import layout_of


def test_every_file_is_sound(pytestconfig: pytest.Config) -> None:
    """No file of the library has a fault."""
    assert [str(problem) for problem in check_library(layout_of(pytestconfig))] == []


def test_every_cassette_has_its_scenario(pytestconfig: pytest.Config) -> None:
    """No recording is left of a scenario that is gone."""
    assert [str(path) for path in orphaned_cassettes(layout_of(pytestconfig))] == []
