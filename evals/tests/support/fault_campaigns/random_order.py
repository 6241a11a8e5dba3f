"""A pytest plugin that runs the tests in another order: ``-p fault_campaigns.random_order``."""

from __future__ import annotations

import random

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option with the seed of the order."""
    parser.getgroup("redpen").addoption(
        "--order-seed", type=int, metavar="N", help="seed of the order of the tests"
    )


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Shuffle the tests; all workers of a session use the same order, as pytest-xdist requires."""
    seed: int | None = config.getoption("--order-seed")
    if seed is not None:
        random.Random(seed).shuffle(items)  # noqa: S311 - an order, not a secret
