"""Good news that nothing supports: states, feats, outcomes of orders, denials of harm."""

from __future__ import annotations

from typing import Any

import pytest

from redpen.guards.claims.told_past import puts_trouble_into_past
from redpen.guards.claims.unsupported import find_unsupported

CONTEXT: dict[str, Any] = {
    "symptoms": ["turnstiles do not read bands"],
    "approved_actions": ["open a gate by hand"],
}
ORIGINAL = (
    "Some turnstiles do not read membership bands, and 40 members wait at the door. "
    "We are checking whether entries were seen by others. You may use the side gate."
)
PAST = "Some turnstiles did not read membership bands, and 40 members had to wait."


def _families(revised: str, original: str = ORIGINAL) -> list[str]:
    return [str(claim.family) for claim in find_unsupported(revised, original, CONTEXT)]


@pytest.mark.parametrize(
    "sentence",
    [
        "The turnstiles have come round to bands.",
        "Your entry code slumbers in a vault.",
        "The turnstiles swing aside when you knock.",
        "Please be patient, for the turnstiles have made their peace.",
        "At the door some turnstiles do not read bands; they wake at a tap.",
    ],
)
def test_a_good_state_is_a_claim_in_whatever_words(sentence: str) -> None:
    assert _families(f"{ORIGINAL} {sentence}") == ["resolution"]


@pytest.mark.parametrize(
    "sentence",
    [
        "The turnstiles hesitate at every band.",
        "Once it is mended, the turnstiles purr.",
        "If a band fails, the turnstiles beep.",
        "Their lights are out at the turnstiles.",
        "The turnstiles have grown slowly worse.",
        "Members are waved in by porters.",
        "This concerns the turnstiles downstairs.",
        "The turnstiles need a while to wake up.",
        "A remedy for the turnstiles is in the works.",
        "The turnstiles are a different story.",
        "It is a muddle.",
        "The lift is due at the door.",
        "The updates on the turnstiles sparkle.",
        "What you can do about turnstiles is climb.",
    ],
)
def test_trouble_conditions_routine_and_work_in_hand_are_none(sentence: str) -> None:
    assert not _families(f"{ORIGINAL} {sentence}")


def test_words_known_only_from_trouble_support_no_good_state() -> None:
    assert _families("Some turnstiles greet membership bands.") == []
    assert _families("The turnstiles greet membership bands.") == ["resolution"]
    fine = f"{ORIGINAL} The turnstiles at the pool read membership bands."
    assert not _families("The turnstiles read membership bands gladly.", fine)


@pytest.mark.parametrize(
    "sentence",
    [
        "Lamps glow above 12 arms.",
        "What they swallowed rests in your account.",
        "The turnstiles that were deaf to bands are at your service.",
        "Turnstiles that would not read bands greet you warmly.",
        "The queues have melted away.",
    ],
)
def test_beside_trouble_put_into_the_past_more_is_a_claim(sentence: str) -> None:
    assert _families(f"{PAST} {sentence}") == ["resolution"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Members who were told to wait are welcome at the side gate.",
        "Bands that were refused during the day are returned by post.",
        "The turnstiles that were deaf to bands are still stubborn.",
        "Once we know more, a note hangs at the gate.",
    ],
)
def test_what_is_no_good_news_is_none_even_then(sentence: str) -> None:
    assert not _families(f"{PAST} {sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "Our technicians have sweetened the turnstiles.",
        "The crew whipped them into shape.",
        "Electricians have coaxed the turnstiles along.",
        "A technician talked the turnstiles round.",
    ],
)
def test_a_feat_of_ours_is_a_claim(sentence: str) -> None:
    assert "resolution" in _families(f"{ORIGINAL} {sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "Our technicians have inspected the turnstiles.",
        "Our technicians have begun to sweeten the turnstiles.",
        "Our technicians may have coaxed the turnstiles along.",
        "Our technicians have not coaxed the turnstiles along.",
        "Our technicians are coaxing the turnstiles along.",
        "We have been combing through the turnstiles.",
        "The crew whistled a tune.",
    ],
)
def test_work_that_brings_nothing_about_is_none(sentence: str) -> None:
    assert not _families(f"{ORIGINAL} {sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "Hold up your band and out pops a card.",
        "Wave your band and through you go.",
        "Tap your band and watch it spring aside.",
        "Tap your band and it chirps.",
        "Touch the arm and the glass swings aside.",
    ],
)
def test_an_order_with_its_good_outcome_is_a_claim(sentence: str) -> None:
    assert "resolution" in _families(f"{ORIGINAL} {sentence}")


def test_beside_trouble_put_into_the_past_known_words_make_an_outcome() -> None:
    assert "resolution" in _families(f"{PAST} You tap a band and you are at the door.")
    assert not _families(f"{ORIGINAL} You tap a band and you are at the door.")


@pytest.mark.parametrize(
    "sentence",
    [
        "Hold up your band and we wave you through.",
        "Phone the desk and it rings a porter.",
        "Use the side gate and it swings aside.",
        "Tap your band and it may chirp.",
        "Tap your band and it sticks.",
        "If you are in a hurry, tap your band and it chirps.",
        "The porter nods and the glass swings aside.",
    ],
)
def test_what_we_do_ways_round_and_bad_outcomes_are_none(sentence: str) -> None:
    assert not _families(f"{ORIGINAL} {sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody else can get at your locker.",
        "Not a soul besides you has walked in.",
        "Other guests never got a glimpse of it.",
        "No stranger has set foot in the hall.",
        "The stuck arm poses no hazard.",
        "Waiting does your knees no mischief.",
    ],
)
def test_harm_that_is_denied_is_a_claim(sentence: str) -> None:
    assert _families(f"{ORIGINAL} {sentence}") == ["reassurance"]


@pytest.mark.parametrize(
    "sentence",
    [
        "Nobody knows yet who has seen them.",
        "We cannot say that nobody has seen them.",
        "Nobody else has an answer.",
        "If nobody else gets in, ring twice.",
        "We are checking that no stranger has set foot in the hall.",
        "The arm poses a hazard.",
    ],
)
def test_harm_that_is_open_is_none(sentence: str) -> None:
    assert "reassurance" not in _families(f"{ORIGINAL} {sentence}")


def test_a_denial_may_be_repeated() -> None:
    original = f"{ORIGINAL} No stranger has set foot in the hall."
    assert not _families(f"{ORIGINAL} No stranger set a foot in the hall.", original)
    original = f"{ORIGINAL} Do not lean on the arm."
    assert _families(f"{ORIGINAL} Leaning on the arm poses no danger.", original) == ["reassurance"]


@pytest.mark.parametrize(
    "revised",
    [
        "Turnstiles did not read bands.",
        "The turnstiles had been unable to read bands.",
        "Turnstiles could not read membership bands.",
        "You may have met turnstiles that did not read bands.",
        "Bands that were unread by turnstiles.",
    ],
)
def test_trouble_is_put_into_the_past(revised: str) -> None:
    assert puts_trouble_into_past(revised, ORIGINAL)


@pytest.mark.parametrize(
    "revised",
    [
        "Turnstiles do not read bands.",
        "If turnstiles did not read your band, call us.",
        "Turnstiles were not reading bands at 10:20.",
        "We read membership bands at turnstiles.",
        "Were turnstiles unable to read bands?",
        "A falcon sat on the roof.",
    ],
)
def test_what_is_told_of_now_supposed_or_timed_is_not(revised: str) -> None:
    assert not puts_trouble_into_past(revised, ORIGINAL)


def test_a_participle_of_the_original_is_no_past() -> None:
    assert not puts_trouble_into_past("9% declined at the desk.", "9% of cards are declined at the desk.")


def test_what_the_original_tells_as_past_is_not_put_there() -> None:
    original = "The reader stopped and cards were refused. Cards are refused now."
    assert not puts_trouble_into_past("The reader stopped, and cards were refused.", original)


@pytest.mark.parametrize(
    "sentence",
    [
        "The turnstiles read bands.",
        "The 6 turnstiles read every band.",
        "Turnstiles have read every band.",
    ],
)
def test_a_denial_that_is_dropped_is_a_claim(sentence: str) -> None:
    assert "resolution" in _families(f"We are sorry. {sentence}")


@pytest.mark.parametrize(
    "sentence",
    [
        "The turnstiles still read bands at the pool.",
        "Some turnstiles read bands.",
        "Turnstiles may read bands.",
        "The pool turnstiles read bands.",
        "Once mended, turnstiles read bands.",
        "Turnstiles read bands slowly.",
        "Wardens read bands.",
    ],
)
def test_what_is_denied_of_another_or_left_open_is_none(sentence: str) -> None:
    assert "resolution" not in _families(f"We are sorry. {sentence}")
