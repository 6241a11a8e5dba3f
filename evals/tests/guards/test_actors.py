"""Things named nowhere else that are said to bring the trouble about, in every frame that can say so."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.claims.unsupported import find_unsupported

CONTEXT: dict[str, Any] = {
    "symptoms": ["some lockers do not open after the code is entered", "pick-up codes arrive late"],
    "approved_actions": ["post an update every 2 hours"],
}
ORIGINAL = (
    "Some lockers do not open after the code is entered, and 12% of pick-up codes arrive late. Parcels wait "
    "in 40 lockers and drivers are delayed. Our field team is checking the lockers and counts the parcels. "
    "We post an update every 2 hours."
)


def _families(sentence: str, original: str = ORIGINAL) -> list[str]:
    found = find_unsupported(f"{original} {sentence}", original, CONTEXT)
    return [str(claim.family) for claim in found]


@pytest.mark.parametrize(
    "sentence",
    [
        # A verb of harm, in any tense, with any number beside it.
        "An old rule garbles 12% of pick-up codes.",
        "Spilled coffee has fried the display of 40 lockers.",
        "A forgotten test flag is scrambling the codes.",
        "The new router, bought last week, garbles the codes.",
        "The last firmware update swallows some codes.",
        "A jammed counter upsets the lockers.",
        # A word after the verb, or after its object.
        "An overfull outbox is holding up pick-up codes.",
        "A pigeon nest on the mast cuts off 40 lockers.",
        "Overnight a hailstorm knocked 40 lockers out.",
        "Ticket touts feeding the till with fake orders brought this about.",
        # Its object is brought into a state.
        "Damp in the hinges keeps 40 lockers down.",
        "Cold cables make lockers jam.",
        "Cold cables make sorting lockers jam.",
        "A wrong cue file made codes arrive late.",
        "Roadworks have our vans tied up in knots.",
        # Idioms of hindering and of explaining.
        "Grit gets in the way of the locks.",
        "Salt found its way into the locks.",
        "Flat batteries explain why 12% of codes arrive late.",
        "Mice at the cables account for that.",
        "Dirty lenses lie behind it all.",
        # The noun stands after the verb, or before a relative clause.
        "Codes are being eaten by a greedy spam filter.",
        "Twelve percent of the codes, cut short by a stale template, are useless.",
        "The codes wait, made worse by the voice-chat add-on.",
        "It is a map that trips up the vans.",
        "What keeps the lockers shut is rust.",
        "Ivy around the mast is what stands in the way of the codes.",
        "You may curse the spring tide for it.",
        # It is told as a reason.
        "Pick-up codes arrive late as the sync job trips over umlauts.",
        "Pick-up codes arrive late since moisture creeps into the plugs.",
        "With half the antennas iced over, lockers do not open.",
        "With drivers off sick, the parcels wait.",
        # Any verb with "by", a clause inside its noun, a state that things are sent into, the perfect.
        "The codes were overwritten by a backup.",
        "A mast we built upsets the lockers.",
        "A voltage dip sent the lockers haywire.",
        "Wind-blown snow has packed the hinges tight.",
    ],
)
def test_what_is_named_nowhere_else_is_a_cause(sentence: str) -> None:
    assert _families(sentence) == ["cause"]


@pytest.mark.parametrize(
    "sentence",
    [
        # Known things, people, signs of the trouble, and pages that explain.
        "Lockers in the hall keep their doors shut.",
        "Stewards keep people away from the lockers.",
        "Our technicians keep 40 lockers closed while they check them.",
        "Long waits keep drivers away from other stops.",
        "A red light means that the locker stays shut.",
        "A leaflet on the wall explains why codes arrive late.",
        # Denied, asked, open, or for the reader to do.
        "No storm cut off the lockers.",
        "We do not know whether frost keeps the lockers shut.",
        "Could a cold spell keep the lockers shut?",
        "A cold spell may keep the lockers shut.",
        "If frost keeps a locker shut, call the field team.",
        "What keeps the lockers shut is still being checked.",
        "Please do not let children block the doors.",
        "Closing the app wipes the code.",
        # No harm, no new thing, no reason.
        "A spare key opens the door of a locker.",
        "Codes are held up by the fault.",
        "Pick-ups are slowed by 2 hours.",
        "You may thank our drivers for their patience.",
        "With drivers on their way, lockers wait.",
        "If possible, have a torch at hand.",
        "Parcels were counted by the hour.",
        "Codes have sunk by three fifths.",
        "Please stay at the hall as a queue forms.",
        "The lift keeps going while lockers wait.",
        "The parcels were counted out, that makes 40.",
    ],
)
def test_what_is_known_open_or_harmless_is_none(sentence: str) -> None:
    assert "cause" not in _families(sentence)


def test_what_the_original_names_may_be_told_in_other_words() -> None:
    original = f"{ORIGINAL} Ice in the hinges jams some lockers."
    assert _families("Ice is what keeps some lockers shut.") == ["cause"]
    assert not _families("Ice is what keeps some lockers shut.", original)


def test_a_device_named_after_a_doing_is_known_by_its_own_name_only() -> None:
    original = f"{ORIGINAL} A counter stands in the hall."
    assert _families("The counter jams some lockers.") == ["cause"]
    assert not _families("The counter jams some lockers.", original)


def test_harm_done_to_the_trouble_is_no_cause() -> None:
    assert "cause" not in _families("A nightly sweep cuts the delay.")
    assert _families("A nightly sweep cuts the codes.") == ["cause"]
