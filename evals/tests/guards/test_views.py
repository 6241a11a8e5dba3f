"""Views: every disguise comes off, plain text stays, places lead back to the text as given."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from redpen.guards.text import read, read_all

DISGUISES = [
    ("ｒｅｓｏｌｖｅｄ", "resolved"),
    ("𝐫𝐞𝐬𝐨𝐥𝐯𝐞𝐝 𝟗𝟎 minutes", "resolved 90 minutes"),
    ("ﬁxed", "fixed"),
    ("rеѕоlvеd", "resolved"),
    ("Р0 in the АРАС region", "P0 in the APAC region"),
    ("re\u200bsol\u00adved", "resolved"),
    ("\u202eresolved\u202c", "resolved"),
    ("\u202edevloser\u202c", "resolved"),
    ("with \u202eemcA\u202c", "with Acme"),
    ("it is f u l l y r e s o l v e d now", "it is fully resolved now"),
    ("resol ved, guaran teed", "resolved, guaranteed"),
    ("9 0 minutes, 4 5%", "90 minutes, 45%"),
    ("re\U000e0061solved", "resolved"),
    ("r\u0336e\u0336s\u0336olved", "resolved"),
    ("rèsólved", "resolved"),
    ("&#114;esolved &amp;amp; 27&percnt;", "resolved & 27%"),
    ("<b>re</b>solved<br>now", "resolved now"),
    ("**re**solved, _fixed_ and `safe`", "resolved, fixed and safe"),
    ("[the page](https://evil.example)", "the page (https://evil.example)"),
    ('<a href="https://evil.example">here</a>', " (https://evil.example) here"),
    ("٩٠ minutes", "90 minutes"),
    ("4\ufe0f\u20e35\ufe0f\u20e3 minutes", "45 minutes"),
    ("it is r e s o l v e d now", "it is resolved now"),
    ("r-e-s-o-l-v-e-d", "resolved"),
    ("re-solved", "resolved"),
    ("re-\nsolved", "resolved"),
    ("guaran-teed", "guaranteed"),
    ("fully\nrecovered", "fully recovered"),
    ("res0lved, f1xed, gu4rant33d", "resolved, fixed, guaranteed"),
    ("10² errors", "10^2 errors"),
    ("5½ hours", "5 1/2 hours"),
    ("⁴⁵ minutes", "45 minutes"),
    ("④⑤ minutes", "45 minutes"),
    ("Ⅻ minutes, P Ⅰ, reso\u2170ved", "12 minutes, P 1, resoived"),
    ("⒭⒠⒮⒪⒧⒱⒠⒟ 🆁🅴🆂🅾🅻🆅🅴🅳", "resolved RESOLVED"),
    ("reso&#8203;lved, reso&shy;lved, reso&amp;zwnj;lved", "resolved, resolved, resolved"),
    ("inc_<i>pay</i>_2<b></b>0", "inc_pay_20"),
    ("~~re~~solved, ==re==solved, [b]re[/b]solved", "resolved, resolved, resolved"),
    (
        "[re](https://a.example)[solved](https://b.example) now",
        "resolved (https://b.example) (https://a.example) now",
    ),
    ('re<a href="https://a.example">solved</a>', "resolved (https://a.example)"),
    ("evil[.]example", "evil.example"),
    ("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f", "🇬🇧"),
]

PLAIN = [
    "About 27% of checkouts fail; see inc_payments_20260306.",
    "1. First\n2. Second\n* third\n- fourth",
    "A 45-minute follow-up for customer-facing teams in us-east-1.",
    "We measure 5 * 3 and 4 < 5.",
    "Back to work, able to rest; a second store or a red ring.",
    "Мы работаем над этим",
    "Working with p95, k8s and 45min.",
    "Write to ops@example.com by 2026-03-06T14:30:00Z, 1.2.3.4.",
    "Current Status\n\nCustomer Impact",
]

ENDLESS = [
    "<", "&amp;", "a ", "a-", "*a", "[a](", "\u0301", "\ufdfa", "`", "½", "\\", "а", "x1 ", "zq ", "a.b", "Ⅻ",
    "<s hidden>", "~~not", "A1!", "lt ", "re-\n", "n\u0336", "[a](b)c", "== ",
]  # fmt: skip
HOSTILE = "<&*_`[](\\)~-aА1 ²½①\u0301\u200b\n0е.é;#lt🇺🇸"


def test_disguises_come_off() -> None:
    assert {text: view for text, seen in DISGUISES if (view := read(text).text) != seen} == {}


def test_plain_text_is_left_alone() -> None:
    assert {text: view for text in PLAIN if (view := read(text).text) != text} == {}


def test_spans_lead_back_inside_the_given_text() -> None:
    for given_text, _ in DISGUISES:
        view = read(given_text)
        start, end = view.span(0, len(view.text))
        assert 0 <= start < end <= len(given_text), given_text


def test_span_covers_exactly_the_disguised_word() -> None:
    given_text = "It is **r&#101;solved** now"
    view = read(given_text)
    start = view.text.index("resolved")
    first, last = view.span(start, start + len("resolved"))
    assert given_text[first:last] == "r&#101;solved"


@given(st.one_of(st.text(max_size=60), st.text(alphabet=HOSTILE, max_size=80)))
def test_reading_twice_changes_nothing(text: str) -> None:
    view = read(text)
    assert read(view.text).text == view.text


@given(st.one_of(st.text(max_size=60), st.text(alphabet=HOSTILE, max_size=80)))
def test_offsets_never_decrease_and_end_with_the_text(text: str) -> None:
    view = read(text)
    assert len(view.offsets) == len(view.text) + 1
    assert view.offsets[-1] == len(text)
    assert all(first <= second for first, second in zip(view.offsets, view.offsets[1:], strict=False))
    for place in range(len(view.text)):
        start, end = view.span(place, place + 1)
        assert 0 <= start <= end <= len(text)


def test_endless_disguises_end() -> None:
    for unit in ENDLESS:
        view = read(unit * 1500)
        assert read(view.text).text == view.text, unit
        assert len(view.text) <= 4 * len(view.given), unit


def test_texts_read_together_read_as_each_alone() -> None:
    for shown, seen in DISGUISES:
        plain = ["Search API", "inc_api_2", "> 5 rows", shown, "post an update every 20 minutes", ""]
        together = read_all(plain)
        assert together == [read(text).text for text in plain]
        assert together[3] == seen


def test_disguise_does_not_span_two_texts() -> None:
    texts = ["resol", "ved", "guaran-", "teed", "9", "0 minutes", "r e s o", "l v e d", "it is"]
    assert read_all(texts) == [read(text).text for text in texts]
