"""Every mutant still applies; `python evals/tests/mutants/run.py` shows that tests kill each one."""

from __future__ import annotations

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

_PLACE = Path(__file__).with_name("mutants.py")
_SPEC = importlib.util.spec_from_file_location("redpen_mutants", _PLACE)
mutants = importlib.util.module_from_spec(_SPEC)
sys.modules[_SPEC.name] = mutants
_SPEC.loader.exec_module(mutants)
MUTANTS = mutants.read_mutants()


def test_there_are_at_least_60_mutants_with_unique_names():
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS) >= 60


@pytest.fixture(scope="module")
def code():
    """Give the code of each package, by file."""
    return {
        name: {path: path.read_text(encoding="utf-8") for path in (mutants.ROOT / folder).rglob("*.py")}
        for name, folder in mutants.PACKAGES.items()
    }


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_mutant_applies_once_and_is_python(code, mutant):
    (text,) = [text for text in code[mutant.package].values() if mutant.old in text]
    assert text.count(mutant.old) == 1
    ast.parse(text.replace(mutant.old, mutant.new))
    assert all((mutants.ROOT / test).exists() for test in mutant.tests)
