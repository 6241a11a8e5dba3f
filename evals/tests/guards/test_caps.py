"""What is more than the guards read is blocked, whatever it says; what anybody writes is less."""

from __future__ import annotations

import pytest

from redpen.guards import check_revision
from redpen.guards.revision import MAX_TEXT_CHARS, MOST_PIECES

ORIGINAL = "Payments in the US are degraded, and we are on it."


@pytest.mark.parametrize("piece", ["7 ", "a.", "\n a", "½", "[a](b)"])
def test_text_above_the_token_limit_is_one_violation(piece: str) -> None:
    text = (piece * MAX_TEXT_CHARS)[:MAX_TEXT_CHARS]
    report = check_revision(original=ORIGINAL, revised=text, context={})
    (found,) = report.violations
    assert (found.code, found.span) == ("no_new_facts", (0, MAX_TEXT_CHARS))
    assert f"at most {MOST_PIECES:,} are read" in found.reason
    assert check_revision(original=text, revised=text, context={}).ok


def test_long_text_of_numbers_is_read() -> None:
    line = "At 14:05 about 27% of 1,200 checkouts failed for 45 minutes (P2, inc_pay_7).\n"
    text = line * (MAX_TEXT_CHARS // len(line))
    report = check_revision(original=text, revised=text.replace("27%", "28%", 1), context={})
    assert [item.text for item in report.violations] == ["28%"]
