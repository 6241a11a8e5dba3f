"""The HTML report in a real browser: content security, layout, filter, links, keyboard use, no script."""

import itertools

import pytest

from chromium import CONTRASTS
from redpen_evals.comparison.changes import behaviour, compare
from redpen_evals.records import ScorecardResult
from redpen_evals.reports import Subject, write_report
from redpen_evals.reports.page import STATIC_RESULTS

pytestmark = pytest.mark.browser

WIDE, NARROW = 1280, 400

RATES = {"catch": [60, 100], "false_alarms": [8, 100], "right_code": [96, 100]}
GROUPS = {
    f"family-{at}": {"catch": [hits, 100], "false_alarms": [100 - hits, 100], "right_code": [hits, 100]}
    for at, hits in enumerate((100, 99, 96, 91, 82, 65, 10))
}
CARD = ScorecardResult(
    name="t",
    measured=[
        {"guards": name, "recorded": True, "part": "families", "overall": RATES, "groups": GROUPS}
        for name in ("redpen", "regex")
    ],
    lines=["the table as text"],
    breaches=["redpen: family family-6: catch is 10.0, recorded are 20.0"],
)

# Resolves once scrolling and unpacking have finished.
SETTLED = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"


def until(condition):
    return f"""new Promise((done) => {{
      const look = () => ({condition}) ? done(true) : requestAnimationFrame(look);
      look();
    }})"""


def shown_rows(browser):
    return browser.run(
        "[...document.querySelectorAll('.row')].filter((row) => row.checkVisibility()).map((row) => row.id)"
    )


def choose(browser, name, value):
    browser.run(
        f"(() => {{ const field = document.getElementById({name!r}); field.value = {value!r};"
        " field.dispatchEvent(new Event('input', { bubbles: true })); })()"
    )


@pytest.fixture(scope="module")
def make_page(tmp_path_factory):
    """Give a function that writes a page."""
    numbers = itertools.count()

    def make(record, **more):
        path = tmp_path_factory.mktemp("page") / f"report{next(numbers)}.html"
        write_report(Subject(record, **more), path)
        return path

    return make


@pytest.fixture
def full(make_page, make_record, everything, samples):
    """Give a page with every section in it."""
    record = make_record(
        [*everything, samples.variant("temperature=0.7")], variants=("", "temperature=0.7"), scorecards=[CARD]
    )
    before = {result.key: behaviour(result) for result in record.results}
    before |= {
        everything[0].key: behaviour(everything[0].model_copy(update={"answer": "Another text."})),
        everything[3].key: behaviour(everything[0]),
    }
    after = {result.key: behaviour(result) for result in record.results}
    return make_page(record, comparison=compare(before, after))


@pytest.fixture
def large(make_page, make_record, bulk):
    """Give a page with enough results that the passed ones are packed."""
    return make_page(make_record(list(bulk(STATIC_RESULTS + 100))))


class TestSafety:
    def test_page_logs_no_errors_and_requests_nothing(self, browser, full):
        browser.open(full)
        asked = [event["request"]["url"] for event in browser.seen("Network.requestWillBeSent")]
        assert asked == [full.as_uri()]
        assert browser.seen("Log.entryAdded") == []
        assert browser.seen("Runtime.exceptionThrown") == []
        assert browser.seen("Audits.issueAdded") == []

    def test_hostile_text_is_not_executed(self, browser, make_page, hostile_record):
        browser.open(make_page(hostile_record))
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        browser.run(SETTLED)
        assert browser.run("document.title").endswith("Redpen")
        assert browser.run("document.querySelectorAll('img, iframe, main script').length") == 0
        assert browser.seen("Log.entryAdded") == []

    def test_injected_script_is_blocked_by_content_policy(self, browser, full, tmp_path):
        text = full.read_text(encoding="utf-8")
        path = tmp_path / "injected.html"
        owned = "document.title = 'owned'"
        bad = f'<script>{owned}</script><p onclick="{owned}" id=trap>x</p><img src=x>'
        path.write_text(text.replace("<main>", f"<main>{bad}"), encoding="utf-8")
        browser.open(path)
        browser.run("document.getElementById('trap').click()")
        assert browser.run("document.title").endswith("Redpen")
        assert len(browser.seen("Log.entryAdded")) >= 2

    @pytest.mark.parametrize("width", [WIDE, NARROW])
    def test_hostile_text_does_not_widen_page(self, browser, make_page, hostile_record, width):
        browser.open(make_page(hostile_record), width=width)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        browser.run(SETTLED)
        assert browser.run("document.documentElement.scrollWidth") == width


class TestAppearance:
    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_all_text_has_sufficient_contrast(self, browser, full, dark):
        browser.open(full, dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        browser.run(SETTLED)
        found = browser.run(CONTRASTS)
        assert found["count"] > 300
        assert found["poor"] == []

    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_background_follows_preferred_color_scheme(self, browser, full, dark):
        browser.open(full, dark=dark)
        red, green, blue = map(
            int, browser.run("getComputedStyle(document.body).backgroundColor.match(/\\d+/g)")
        )
        assert (max(red, green, blue) < 60) == dark

    @pytest.mark.parametrize("width", [NARROW, 700, WIDE])
    def test_page_is_not_wider_than_window(self, browser, full, width):
        browser.open(full, width=width)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        browser.run(SETTLED)
        assert browser.run("document.documentElement.scrollWidth") == width

    def test_print_hides_filter_and_navigation(self, browser, full):
        browser.open(full, media="print")
        assert browser.run("document.getElementById('filter').checkVisibility()") is False
        assert browser.run("document.querySelector('nav').checkVisibility()") is False
        assert browser.run("document.getElementById('overview').checkVisibility()") is True


class TestFilter:
    @pytest.mark.parametrize(
        ("name", "value", "names"),
        [
            ("find", "REVISED", ["revised"]),
            ("find", "adversarial", []),
            ("find", "critique fail", ["failed"]),
            ("by-outcome", "stale", ["missing", "stale"]),
            ("by-agent", "guarded-policy", ["actions"]),
            ("by-kind", "regressed", ["failed"]),
            ("by-tag", "base", ["errored", "failed", "missing", "passed", "refused", "revised", "stale"]),
        ],
    )
    def test_filter_shows_only_matching_rows(self, browser, full, name, value, names):
        browser.open(full)
        choose(browser, name, value)
        assert [row.split("/")[1] for row in shown_rows(browser)] == names
        assert browser.run("document.getElementById('shown').textContent") == str(len(names))
        assert browser.run("document.getElementById('nothing').checkVisibility()") == (not names)

    def test_filters_combine_and_reset_shows_all_rows(self, browser, full):
        browser.open(full)
        choose(browser, "by-outcome", "stale")
        choose(browser, "find", "missing")
        assert shown_rows(browser) == ["self-critique/missing"]
        headings = "[...document.querySelectorAll('h3.agent')].filter((one) => one.checkVisibility()).length"
        assert browser.run(headings) == 1
        browser.run("document.querySelector('#filter [type=reset]').click()")
        browser.run(until("document.getElementById('shown').textContent === '8'"))
        assert len(shown_rows(browser)) == 8
        assert browser.run(headings) == 2

    def test_typing_in_search_field_filters_rows(self, browser, full):
        browser.open(full)
        browser.run("document.getElementById('find').focus()")
        for char in "refused":
            browser.press(char, text=char)
        assert shown_rows(browser) == ["self-critique/refused"]


class TestLinks:
    def test_fragment_opens_scenario_and_scrolls_to_it(self, browser, full):
        browser.open(full, "#self-critique/stale")
        browser.run(until("document.getElementById('self-critique/stale').open && scrollY > 0"))
        browser.run(SETTLED)
        top = browser.run("document.getElementById('self-critique/stale').getBoundingClientRect().top")
        assert 0 <= top < 900
        assert browser.run("document.activeElement.parentElement.id") == "self-critique/stale"

    def test_fragment_opens_only_the_named_run(self, browser, full):
        browser.open(full, "#self-critique/passed:temperature=0.7~1")
        browser.run(until("document.getElementById('self-critique/passed:temperature=0.7~1').open"))
        assert browser.run("document.getElementById('self-critique/passed').open") is True
        assert browser.run("document.getElementById('self-critique/passed:base~1').open") is False

    def test_attention_link_clears_filter_and_opens_scenario(self, browser, full):
        browser.open(full)
        choose(browser, "find", "nothing like it")
        assert shown_rows(browser) == []
        browser.run("document.querySelector('#attention a[href=\"#self-critique/failed\"]').click()")
        browser.run(until("document.getElementById('self-critique/failed').open"))
        assert len(shown_rows(browser)) == 8

    def test_unknown_fragment_raises_no_exception(self, browser, full):
        browser.open(full, "#%E0%A4%A/nothing")
        assert browser.seen("Runtime.exceptionThrown") == []


class TestKeyboard:
    def test_first_tab_stop_skips_to_scenarios(self, browser, full):
        browser.open(full)
        browser.press("Tab")
        assert browser.run("document.activeElement.className") == "skip"
        assert browser.run("document.activeElement.getBoundingClientRect().top") >= 0
        browser.press("Enter", text="\r")
        browser.run(until("location.hash === '#matrix'"))

    def test_row_shows_focus_and_opens_on_enter(self, browser, full):
        browser.open(full)
        browser.run("document.querySelector('#find').focus()")
        for _ in range(30):
            browser.press("Tab")
            if browser.run("document.activeElement.matches('.row > summary')"):
                break
        assert browser.run("getComputedStyle(document.activeElement).outlineStyle") == "solid"
        browser.press("Enter", text="\r")
        assert browser.run("document.activeElement.parentElement.open") is True

    def test_copy_button_works_by_keyboard(self, browser, full):
        browser.open(full, "#self-critique/stale")
        button = "document.getElementById('self-critique/stale').querySelector('.copy')"
        browser.run(until(f"{button}.checkVisibility()"))
        browser.run(f"{button}.focus()")
        browser.press("Enter", text="\r")
        browser.run(until(f"{button}.textContent !== 'Copy'"))
        assert browser.run(f"{button}.textContent") in {"Copied", "Selected"}


class TestWithoutScript:
    def test_page_without_script_shows_all_but_filter(self, browser, full):
        browser.open(full, script=False)
        assert browser.run("document.getElementById('filter').checkVisibility()") is False
        assert browser.run("document.querySelectorAll('.copy:not([hidden])').length") == 0
        assert len(shown_rows(browser)) == 8
        browser.run("document.querySelector('[id=\"self-critique/revised\"] > summary').click()")
        assert (
            browser.run("document.querySelector('[id=\"self-critique/revised\"] .steps').checkVisibility()")
            is True
        )

    def test_packed_run_without_script_says_it_needs_javascript(self, browser, large):
        browser.open(large, script=False)
        browser.run("document.querySelector('[data-pack] > summary').click()")
        assert "opens with JavaScript" in browser.run("document.querySelector('[data-pack]').textContent")


class TestConversation:
    @pytest.fixture
    def talk(self, make_page, make_record, everything, samples):
        """Give a page with conversations and two variants."""
        other = everything[0].model_copy(update={"variant": "temperature=0.7", "answer": "Quite another."})
        record = make_record([*everything, other], variants=("", "temperature=0.7"))
        return make_page(record, layout=samples.stock.layout)

    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_conversations_fit_narrow_window_with_sufficient_contrast(self, browser, talk, dark):
        browser.open(talk, width=NARROW, dark=dark)
        browser.run("document.querySelectorAll('details').forEach((one) => { one.open = true })")
        browser.run(SETTLED)
        assert browser.run("document.querySelectorAll('.talk .msg').length") > 10
        assert browser.run("document.querySelectorAll('.beside > div').length") == 2
        assert browser.run("document.documentElement.scrollWidth") <= NARROW
        assert browser.run(CONTRASTS)["poor"] == []

    def test_messages_can_be_scrolled_by_keyboard(self, browser, talk):
        browser.open(talk)
        assert browser.run("[...document.querySelectorAll('.msg pre')].every((one) => one.tabIndex === 0)")

    def test_full_text_search_is_opt_in(self, browser, make_page, make_record, bulk, samples):
        results = list(bulk(STATIC_RESULTS + 100))
        results[-1] = results[-1].model_copy(update={"detail": {"value": {"hidden": "Zanzibar"}}})
        browser.open(make_page(make_record(results), layout=samples.stock.layout))
        choose(browser, "find", "zanzibar")
        assert browser.run("document.getElementById('shown').textContent") == "0"
        browser.run("document.getElementById('in-texts').click()")
        browser.run(until("document.getElementById('shown').textContent === '1'"))
        assert shown_rows(browser) == [results[-1].scenario]
        browser.run("document.getElementById('in-texts').click()")
        browser.run(until("document.getElementById('shown').textContent === '0'"))


class TestPacked:
    def test_packed_row_unpacks_on_click(self, browser, large):
        browser.open(large)
        packed = "document.querySelectorAll('[data-pack]')"
        count = browser.run(f"{packed}.length")
        name = browser.run(f"{packed}[70].id")
        browser.run(f"{packed}[70].querySelector('summary').click()")
        row = f"document.getElementById({name!r})"
        browser.run(until(f"{row}.querySelector('.steps')"))
        assert browser.run(f"{packed}.length") == count - 1
        assert browser.run(f"{row}.querySelector('.permalink').hash") == f"#{name}"
        assert browser.run(f"{row}.querySelectorAll('del').length") > 0

    def test_fragment_opens_packed_run(self, browser, large):
        name = f"self-critique/many-{STATIC_RESULTS + 92:05}"
        browser.open(large, f"#{name}:base~1")
        row = f"document.getElementById({name!r})"
        browser.run(until(f"{row}.open && {row}.querySelector('.steps')"))
        browser.run(SETTLED)
        assert 0 <= browser.run(f"{row}.getBoundingClientRect().top") < 900
        assert browser.seen("Log.entryAdded") == []

    def test_all_packed_rows_can_be_unpacked(self, browser, large):
        browser.open(large)
        browser.run("document.querySelectorAll('.row').forEach((row) => { row.open = true })")
        browser.run(
            until(
                "document.querySelectorAll('.row .steps').length === document.querySelectorAll('.row').length"
            )
        )
        assert browser.run("document.querySelectorAll('[data-pack]').length") == 0
