"""A small vocabulary, so that the tests do not depend on the tables of the guards."""

from __future__ import annotations

import pytest

from redpen.text.vocabulary import Vocabulary

PROSE = frozenset(
    "resolved fully restored fixed all customers are was is the has been back it order orders hour hours day "
    "days minute minutes ten eight every fund goodwill working payment payments number more anyone refund "
    "guarantee error now no data lost of cost car to".split()
)
NAMES = frozenset("canada britain great june snowflake stripe".split())


@pytest.fixture
def words() -> Vocabulary:
    return Vocabulary(PROSE, NAMES, beside="The quillworks dashboards wait.")
