"""The price table: costs, models without a price, and errors in the file."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from redpen.errors import ConfigurationError
from redpen_evals.prices import Prices, format_usd, read_prices

TABLE = """\
# From the provider's list of 2026-03-01.
[models."gpt-4.1-mini"]
input_usd_per_million = 0.40
output_usd_per_million = 1.60

[models.local]
input_usd_per_million = 0
output_usd_per_million = 0
"""


@pytest.fixture
def prices_file(tmp_path, monkeypatch):
    """Give a function that writes the table and returns its relative path."""
    monkeypatch.chdir(tmp_path)

    def write(text):
        path = tmp_path / "prices.toml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path.relative_to(tmp_path)

    return write


def test_cost_is_exact(prices_file):
    prices = read_prices(prices_file(TABLE))
    # As binary fractions 0.4 and 1.6 would not give this.
    assert prices.cost_usd("gpt-4.1-mini", 349, 46) == Decimal("0.0002132")
    assert prices.cost_usd("gpt-4.1-mini", 3_000_000, 0) == Decimal("1.2")
    assert prices.cost_usd("gpt-4.1-mini", 0, 0) == 0


def test_zero_priced_and_scripted_models_cost_nothing(prices_file):
    assert read_prices(prices_file(TABLE)).cost_usd("local", 10, 10) == 0
    assert Prices().cost_usd("scripted", 10, 10) == 0


@pytest.mark.parametrize("model", ["gpt-4.1-mini-2025-04-14", "gpt-4.1", "GPT-4.1-mini", ""])
def test_similar_model_name_has_no_price(prices_file, model):
    assert read_prices(prices_file(TABLE)).cost_usd(model, 10, 10) is None


def test_without_a_file_no_model_has_a_price(prices_file, tmp_path):
    prices = read_prices(tmp_path / "none.toml")
    assert prices.cost_usd("gpt-4.1-mini", 1, 1) is None
    assert f"{tmp_path / 'none.toml'}: no price for model 'gpt-4.1-mini', there is no such file; add" in (
        prices.explain_missing("gpt-4.1-mini")
    )
    assert read_prices(prices_file("")).models == {}


def test_missing_price_message_has_nearest_name_and_lines_to_add(prices_file):
    path = prices_file(TABLE)
    output = read_prices(path).explain_missing("gpt-4.1-mni").splitlines()
    assert output[0] == "prices.toml: no price for model 'gpt-4.1-mni' (did you mean `gpt-4.1-mini`?); add"
    added = "\n".join(output[1:]).replace("…", "2.5")
    both = read_prices(prices_file(f"{TABLE}\n{added}"))
    assert both.cost_usd("gpt-4.1-mni", 1_000_000, 2_000_000) == Decimal("7.5")


@pytest.mark.parametrize("model", ['a "b"', "org/name:7b", "модель", "a\\b", "a.b"])
def test_suggested_lines_are_valid_toml_for_any_model_name(prices_file, model):
    added = "\n".join(Prices().explain_missing(model).splitlines()[1:]).replace("…", "1")
    assert read_prices(prices_file(added)).cost_usd(model, 0, 3_000_000) == 3


OUTPUT = "output_usd_per_million = 1\n"
HEADED = f"\n[models.a]\n{OUTPUT}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[models.a]\nx =\n", "prices.toml:2: is not valid TOML: Invalid value"),
        ("a = 1\na = 2", "prices.toml:2: is not valid TOML: Cannot overwrite a value"),
        (b"[models]\n\xff", "prices.toml: is not valid UTF-8 at byte 9"),
        (f"{HEADED}input_usd_per_million = -1", "prices.toml:4: models.a.input_usd_per_million: is negative"),
        (
            f"{HEADED}input_usd_per_million = '1'",
            "prices.toml:4: models.a.input_usd_per_million: is not a number",
        ),
        (
            f"{HEADED}input_usd_per_million = true",
            "prices.toml:4: models.a.input_usd_per_million: is not a number",
        ),
        (
            f"{HEADED}input_usd_per_million = nan",
            "prices.toml:4: models.a.input_usd_per_million: is not a number",
        ),
        (
            f"{HEADED}input_usd_per_million = inf",
            "prices.toml:4: models.a.input_usd_per_million: is not a number",
        ),
        (
            f"{HEADED}input_usd_per_million = 1e7",
            "prices.toml:4: models.a.input_usd_per_million: is over 1,000,000",
        ),
        (HEADED, "prices.toml:2: models.a.input_usd_per_million: is missing"),
        ('[models."a.b"]\n' + OUTPUT, 'prices.toml:1: models."a.b".input_usd_per_million: is missing'),
        ("[model.a]\n" + OUTPUT, "prices.toml:1: model: unknown key (did you mean `models`?)"),
        ("models = 3", "prices.toml:1: models: is not a table"),
        ("[models]\na = 1", "prices.toml:2: models.a: is not a table"),
        (
            "models.a = { input_usd_per_million = -1, output_usd_per_million = 1 }",
            "prices.toml:1: models.a.input_usd_per_million: is negative",
        ),
    ],
)
def test_invalid_price_error_names_file_line_and_field(prices_file, text, message):
    path = prices_file(text)
    with pytest.raises(ConfigurationError) as caught:
        read_prices(path)
    assert str(caught.value) == message


def test_all_errors_of_a_price_file_are_reported(prices_file):
    path = prices_file("[models.a]\ninput_usd_per_million = -1\noutput_usd_per_milion = 1\n")
    with pytest.raises(ConfigurationError) as caught:
        read_prices(path)
    assert str(caught.value).splitlines() == [
        "prices.toml:2: models.a.input_usd_per_million: is negative",
        "prices.toml:1: models.a.output_usd_per_million: is missing",
        "prices.toml:3: models.a.output_usd_per_milion: unknown key (did you mean `output_usd_per_million`?)",
    ]


def test_folder_as_price_file_raises(tmp_path):
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_prices(tmp_path)


def test_byte_order_mark_is_accepted(prices_file):
    assert set(read_prices(prices_file(b"\xef\xbb\xbf" + TABLE.encode())).models) == {"gpt-4.1-mini", "local"}


@pytest.mark.parametrize(
    ("amount", "message"),
    [
        ("0", "$0"),
        ("0.0", "$0"),
        ("1E-9", "<$0.0001"),
        ("0.00037", "$0.00037"),
        ("0.0042", "$0.0042"),
        ("0.042", "$0.042"),
        ("0.42", "$0.42"),
        ("0.999", "$1.00"),
        ("12.346", "$12.35"),
        ("1234.5", "$1,234.50"),
        ("-0.42", "-$0.42"),
        ("-1E-9", "-<$0.0001"),
    ],
)
def test_format_usd_keeps_significant_digits(amount, message):
    assert format_usd(Decimal(amount)) == message


@given(st.decimals(min_value=Decimal("0.0001"), max_value=10**30, allow_nan=False))
def test_format_usd_is_within_5_percent_of_amount(amount):
    shown = Decimal(format_usd(amount).removeprefix("$").replace(",", ""))
    assert abs(shown - amount) <= amount / 20
