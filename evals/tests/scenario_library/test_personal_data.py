"""Warnings of personal data in a library, except from ranges reserved for examples."""

from __future__ import annotations

import pytest

from redpen_evals.scenario_library.layout import Layout
from redpen_evals.scenario_library.personal_data import personal_data_warnings


@pytest.fixture
def warned(library):
    """Give a function that returns the warnings for a scenario with the given goal."""

    def warnings(goal):
        library.add("self-critique/one", library.self_critique(goal=goal))
        return [warning.text for warning in personal_data_warnings(library.layout)]

    return warnings


@pytest.mark.parametrize(
    ("reserved", "similar"),
    [
        ("anna@shop.example", "anna@test.io"),
        ("anna@mail.example.co.uk", "anna@example-shop.com"),
        ("(415) 555-0134", "(415) 555-2671"),
        ("+44 20 7946 0958", "+44 20 7946 1958"),
        ("07700 900123", "+44 7700 910123"),
        ("+49 30 23125 123", "+49 30 2312 6123"),
        ("+49 176 040690 12", "+49 151 1234567"),
        ("+33 1 99 00 12 34", "+33 1 42 68 53 00"),
        ("+61 2 5550 1234", "+61 2 9374 4000"),
        ("4111 1111 1111 1111", "4539 5787 6362 1486"),
        ("DE89 3704 0044 0532 0130 00", "DE02 1203 0000 0000 2020 51"),
        ("000-12-3456", "536-90-4399"),
        ("078-05-1120", "078-05-1121"),
    ],
)
def test_reserved_range_passes_and_similar_value_warns(warned, reserved, similar):
    assert warned(f"Write to {reserved} today.") == []
    assert len(warned(f"Write to {similar} today.")) == 1


@pytest.mark.parametrize(
    ("text", "sort"),
    [
        ("anna.k@gmail.com", "an e-mail address"),
        ("anna.k [at] gmail.com", "an e-mail address"),
        ("anna.k%40gmail.com", "an e-mail address"),
        ("ANNA@EXAMPLE-SHOP.COM", "an e-mail address"),
        ("anna@example.com.gmail.com", "an e-mail address"),
        ("+49 151 2345678", "a phone number"),
        ("(212) 736-5000", "a phone number"),
        ("call 2127365000", "a phone number"),
        ("020 7219 4272", "a phone number"),
        ("4539 5787 6362 1486", "a card number"),
        ("4539578763621486", "a card number"),
        ("DE02 1203 0000 0000 2020 51", "a bank account number"),
        ("536-90-4399", "a social security number"),
        ("５３６-９０-４３９９", "a social security number"),
        ("anna\u200b@gmail.com", "an e-mail address"),
    ],
)
def test_possible_personal_data_warns(warned, text, sort):
    (output,) = warned(f"Write to {text} today.")
    assert output.startswith(f"warning: {sort}, maybe a real one; write ")
    assert text not in output


@pytest.mark.parametrize(
    "text",
    [
        "on 2026-03-06 at 10:30",
        "27% of 1,234,567 attempts",
        "1767225600",
        "4539 5787 6362 1487",
        "inc_payments_20260306",
        "DE02120300000000202052",
        "delivered @ 14:30",
        "0.034 to 0.036",
        "ref 536-904-399",
    ],
)
def test_similar_looking_numbers_do_not_warn(warned, text):
    assert warned(f"Say that {text} is what counts.") == []


def test_every_file_kind_is_searched_and_each_line_reported_once(library):
    library.add("self-critique/one", "# ask anna@gmail.com or anna@gmx.net\ntitle: x\n")
    library.write("contexts/payments.yaml", "a: 1\nb: (212) 736-5000 or anna@gmail.com\n")
    library.write("plans/sound.yaml", "\n\nx: 536-90-4399\n")
    library.write("drafts/deep/er.yaml", "x: DE02120300000000202051\n")
    root = library.layout.scenarios
    assert [
        (str(warning.path.relative_to(root)), warning.line)
        for warning in personal_data_warnings(library.layout)
    ] == [
        ("contexts/payments.yaml", 2),
        ("contexts/payments.yaml", 2),
        ("plans/sound.yaml", 3),
        ("self-critique/one.yaml", 1),
        ("drafts/deep/er.yaml", 1),
    ]


def test_unreadable_and_linked_files_are_skipped(library, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "one.yaml"
    outside.write_text("x: anna@gmail.com\n", encoding="utf-8")
    (library.layout.scenarios / "plans" / "link.yaml").symlink_to(outside)
    library.write("plans/latin.yaml", b"x: anna@gmail.com \xfc")
    assert personal_data_warnings(library.layout) == ()


def test_warnings_are_limited_to_50(library):
    library.write("plans/sound.yaml", "x: anna@gmail.com\n" * 500)
    assert len(personal_data_warnings(library.layout)) == 50


def test_own_library_has_no_personal_data(checkout):
    layout = Layout(scenarios=checkout / "scenarios", cassettes=checkout / "cassettes")
    assert [str(warning) for warning in personal_data_warnings(layout)] == []
