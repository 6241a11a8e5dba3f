"""Read amounts of money by the currency after or before them: 5 dollars fifty, $1.2k, EUR 100, 20 cents."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from redpen.guards.facts import vocab
from redpen.guards.facts.fact import Reading
from redpen.guards.facts.quantities.numbers import Measure, Number, number_at

if TYPE_CHECKING:
    from redpen.guards.facts.quantities.pieces import Pieces

_SECOND_OF_NATION = {"hong": "kong", "new": "zealand"}
_PICTURE_LINES = (144, 240, 360, 480, 720, 1080, 1440, 2160)
"""Numbers before a p that are picture heights, not pence."""
LETTER_SCALES = {"m": 10**6, "b": 10**9, "t": 10**12}


def money_after(pieces: Pieces, value: Fraction, place: int, other: Fraction | None = None) -> Measure | None:
    """Read the currency after an amount, and the coins; ``other`` is the second reading of the amount."""
    low = pieces.low
    word = low[place]
    second = _SECOND_OF_NATION.get(word)
    national = word if word in vocab.NATIONAL and second in (None, low[place + 1]) else ""
    if national:
        place += 1 if second is None else 2
        word = low[place]
    if word == "won" and not pieces.digits(place - 1):
        return None
    if word in vocab.CURRENCY_WORDS:
        unit = vocab.NATIONAL[national] if national else vocab.CURRENCY_WORDS[word]
    elif _is_code(pieces, place):
        unit = word
    elif word in vocab.SIGNS and not pieces.digits(place + 1):
        unit = vocab.SIGNS[word]
        value = value / 100 if word == "¢" else value
    elif word in vocab.COINS:
        unit, value = vocab.COINS[word], value / 100
    elif word == "p" and pieces.glued_before(place) and value not in _PICTURE_LINES:
        unit, value = "gbp", value / 100
    else:
        return None
    coins, end = _coins(pieces, place + 1) if word in vocab.CURRENCY_WORDS else (Fraction(0), place + 1)
    values = (value + coins,) if other is None else (value, other)
    units = vocab.SHARED_UNITS[word].split() if word in vocab.SHARED_UNITS and not national else [unit]
    readings = (Reading(kind="money", value=amount, unit=of) for of in units for amount in values)
    return Measure(tuple(readings), end)


def _is_code(pieces: Pieces, index: int) -> bool:
    """Whether a piece is a currency code, not an ordinary word."""
    word = pieces.low[index]
    return word in vocab.codes and (pieces.raw[index].isupper() or word not in vocab.codes_and_words)


def _coins(pieces: Pieces, place: int) -> tuple[Fraction, int]:
    """Read the coins of "four pounds fifty" and "2 euros and 20 cents": their amount, and end."""
    low = pieces.low
    linked = low[place] in ("and", ",")
    coins = number_at(pieces, place + 1 if linked else place)
    if coins is None or coins.value is None:
        return Fraction(0), place
    if low[coins.end] in vocab.COINS:
        return coins.value / 100, coins.end + 1
    alone = not (linked or pieces.is_word[coins.end]) and 10 <= coins.value < 100
    return (coins.value / 100, coins.end) if alone else (Fraction(0), place)


def money_at(pieces: Pieces, index: int) -> tuple[Number, Measure] | None:
    """Read money that begins with its sign or code: $1,200, US$1.2k, EUR 100, $5M."""
    low = pieces.low
    unit, place = _currency_before(pieces, index)
    number = number_at(pieces, place) if unit else None
    if number is None:
        return None
    end = number.end
    value = number.value
    if value is not None and low[end] in LETTER_SCALES and pieces.glued_before(end):
        value *= LETTER_SCALES[low[end]]
        end += 1
    end += low[end] == unit or vocab.CURRENCY_WORDS.get(low[end]) == unit
    readings = [Reading(kind="money", value=value, unit=unit)]
    if number.other is not None:
        readings.append(Reading(kind="money", value=number.other, unit=unit))
    return number, Measure(tuple(readings), end)


def _currency_before(pieces: Pieces, index: int) -> tuple[str, int]:
    """Read a currency before its amount: the currency, empty for none, and where the amount begins."""
    low = pieces.low
    word = low[index]
    if word in vocab.SIGNS:
        # "Rs. 150".
        index += word.isalpha() and low[index + 1] == "." and pieces.glued(index)
        prefix = vocab.SIGN_PREFIXES[low[index - 1]] if prefixed(pieces, index) else ""
        return prefix or vocab.SIGNS[word], index + 1
    if _is_code(pieces, index):
        return word, index + (2 if low[index + 1] in vocab.SIGNS else 1)
    return "", index


def prefixed(pieces: Pieces, index: int) -> bool:
    """Whether letters before a dollar sign specify the currency: A$, R$, MX$."""
    return (
        index > 0
        and pieces.low[index] == "$"
        and pieces.low[index - 1] in vocab.SIGN_PREFIXES
        and pieces.raw[index - 1].isupper()
        and pieces.glued_before(index)
    )
