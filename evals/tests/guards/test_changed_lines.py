"""A revision line by line: what changed has to be asked for."""

from __future__ import annotations

import pytest

from redpen.guards import RevisionRules, check_revision
from redpen.guards.changed_lines import ChangedLines, Instruction

ORIGINAL = "Payments fail in the US. The incident is fully resolved. We post an update every 15 minutes."
REMOVE = Instruction(remove=("fully resolved",))
THANK = Instruction(include=("Merci de votre compréhension",))
ADD = Instruction(include=("We are sorry",))
MENTION = Instruction(words="Mention how often we post an update.")


def codes(revised: str, *instructions: Instruction, most: int | None = None) -> list[tuple[str, str]]:
    """Codes and texts of the findings that the lines of a revision give."""
    rules = RevisionRules(lines=ChangedLines(instructions=instructions, most=most), claims="inherit")
    report = check_revision(original=ORIGINAL, revised=revised, context={}, rules=rules)
    return [(item.code, item.text) for item in report.violations if "line" in item.code]


@pytest.mark.parametrize(
    ("old", "new", "instructions"),
    [
        ("The incident is fully resolved.", "The incident is open.", (REMOVE,)),
        (" The incident is fully resolved.", "", (REMOVE,)),
        ("minutes.", "minutes. We are sorry for it.", (ADD,)),
        ("every 15 minutes.", "every 15 minutes here.", (MENTION,)),
        ("Payments fail in the US.", "PAYMENTS fail  in the US!", ()),
        ("minutes.", "minutes. Merci de votre compréhension.", (THANK,)),
    ],
)
def test_requested_line_may_change(old: str, new: str, instructions: tuple[Instruction, ...]) -> None:
    assert codes(ORIGINAL.replace(old, new), *instructions) == []


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("Payments fail in the US.", "Payments often fail in the US.", "Payments often fail in the US."),
        ("minutes.", "minutes. Stay tuned.", "Stay tuned."),
        ("Payments fail in the US. ", "", ""),
    ],
)
def test_unrequested_line_must_not_change(old: str, new: str, text: str) -> None:
    asked = ORIGINAL.replace("fully resolved", "open")
    assert codes(asked.replace(old, new), REMOVE, ADD) == [("line_not_requested", text)]


def test_moved_line_counts_as_changed() -> None:
    first, second, third = ORIGINAL.split(". ")
    assert {code for code, _ in codes(f"{second}. {first}. {third}", ADD)} == {"line_not_requested"}


def test_lines_are_compared_with_the_most_similar_ones() -> None:
    revised = ORIGINAL.replace("The incident is fully resolved.", "We are sorry. The incident is open.")
    assert codes(revised, REMOVE, ADD) == []


@pytest.mark.parametrize(("most", "count"), [(2, 0), (1, 1)])
def test_changed_lines_are_counted(most: int, count: int) -> None:
    revised = ORIGINAL.replace("fully resolved", "open") + " We are sorry."
    found = codes(revised, REMOVE, ADD, most=most)
    assert [code for code, _ in found] == ["too_many_changed_lines"] * count


def test_text_of_many_lines_is_judged() -> None:
    revised = "A. b. " * 600
    lines = ChangedLines(instructions=(ADD,), most=5)
    assert len(lines.check(ORIGINAL * 40, revised)) > 5
