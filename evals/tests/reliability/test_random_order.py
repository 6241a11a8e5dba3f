"""The plugin that runs tests in a seeded random order."""

from __future__ import annotations

import pytest

from fault_campaigns.small_project import RANDOM_ORDER


@pytest.fixture
def order(pytester):
    """Give a function that runs twenty tests and returns their order."""
    pytester.makeini("[pytest]\naddopts = -p no:cacheprovider\n")
    pytester.makepyfile(
        "import pytest\n@pytest.mark.parametrize('n', range(20))\ndef test(n):\n    print('ran', n)\n"
    )

    def run(*options):
        result = pytester.runpytest_inprocess("-s", "-p", RANDOM_ORDER, *options)
        result.assert_outcomes(passed=20)
        return [int(line.rpartition(" ")[2]) for line in result.outlines if "ran " in line]

    return run


def test_seed_determines_the_order(order):
    first = order("--order-seed=1")
    assert order("--order-seed=1") == first
    assert order("--order-seed=2") != first
    assert sorted(first) == list(range(20))
    assert first != sorted(first)


def test_order_without_seed_is_unchanged(order):
    assert order() == list(range(20))
