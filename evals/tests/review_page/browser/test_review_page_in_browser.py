"""The review page in a browser: keyboard use, without JavaScript, at 400 px, and accessibility."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from chromium import CONTRASTS

pytestmark = pytest.mark.browser

NARROW = 400


@pytest.fixture(scope="session")
def axe():
    """Give the accessibility checker, as it ships in a package for another driver."""
    (folder,) = importlib.util.find_spec("axe_playwright_python").submodule_search_locations
    return (Path(folder) / "axe.min.js").read_text(encoding="utf-8")


def visit(browser, url, *, script=True, width=1280, dark=False):
    browser.call("Emulation.setScriptExecutionDisabled", value=not script)
    browser.call(
        "Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1, mobile=False
    )
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.call("Emulation.setEmulatedMedia", media="screen", features=[scheme])
    browser.navigate(url)


def press(browser, *keys):
    for key in keys:
        browser.press(key, text="\r" if key == "Enter" else key if len(key) == 1 else None)


def press_and_load(browser, key):
    """Press a key and wait until the page that it leads to has loaded."""
    browser.events.clear()
    press(browser, key)
    while not any(
        event.get("method") == "Page.lifecycleEvent" and event["params"]["name"] == "load"
        for event in browser.events
    ):
        browser.events.append(browser.next_event())


def typed(browser, text):
    browser.call("Input.insertText", text=text)


def refused(page, queue, browser):
    """Submit an edit that is refused and wait for the page with the reason."""
    visit(browser, f"{page}review/{queue.text}")
    press(browser, "e")
    typed(browser, "Exactly 4,711 shops. ")
    browser.run("document.getElementById('by').value = 'ann'")
    browser.events.clear()
    browser.run("document.querySelector('button[value=edit]').click()")
    while not browser.run(
        "document.querySelector('.problem') !== null && document.readyState === 'complete'"
    ):
        pass


class TestKeyboard:
    def test_text_can_be_approved_by_keyboard(self, browser, page, queue):
        visit(browser, page)
        press(browser, "j")
        press_and_load(browser, "Enter")
        press(browser, "a")
        typed(browser, "ann")
        press(browser, "Escape", "a")
        press_and_load(browser, "Enter")
        assert browser.run("document.getElementById('decided').textContent") == "Approved by ann"
        assert queue.reviews.get(queue.text).status == "approved"

    def test_text_can_be_rejected_by_keyboard(self, browser, page, queue):
        visit(browser, f"{page}review/{queue.text}")
        press(browser, "a")
        typed(browser, "ann")
        press(browser, "Escape", "r")
        typed(browser, "not now")
        press(browser, "Tab")
        press_and_load(browser, "Enter")
        assert queue.reviews.get(queue.text).decision.reason == "not now"

    def test_enter_in_a_field_decides_nothing(self, browser, page, queue):
        visit(browser, f"{page}review/{queue.text}")
        browser.run(
            "submitted = []; addEventListener('submit', (event) => {"
            " event.preventDefault(); submitted.push(event.submitter.id); })"
        )
        browser.run("document.getElementById('by').focus()")
        typed(browser, "ann")
        press(browser, "Enter", "Escape", "r", "Enter")
        assert browser.run("[document.activeElement.id, ...submitted]") == ["reject"]
        press(browser, "Escape", "a", "Enter")
        assert browser.run("submitted") == ["approve"]

    def test_j_and_k_open_next_and_previous_review(self, browser, page, queue):
        visit(browser, f"{page}review/{queue.text}")
        press_and_load(browser, "j")
        assert queue.action in browser.run("location.pathname")
        press_and_load(browser, "k")
        assert queue.text in browser.run("location.pathname")

    def test_shortcuts_are_ignored_while_typing_in_a_field(self, browser, page, queue):
        visit(browser, f"{page}review/{queue.text}")
        press(browser, "e", "j", "q")
        assert queue.text in browser.run("location.pathname")
        assert "jq" in browser.run("document.getElementById('edit').value")


class TestWithoutScript:
    def test_plain_form_has_all_decision_buttons(self, browser, page, queue):
        visit(browser, f"{page}review/{queue.text}", script=False)
        assert browser.run("document.querySelector('form').method") == "post"
        assert browser.run("[...document.querySelectorAll('button[name=kind]')].map((one) => one.value)") == [
            "approve",
            "edit",
            "reject",
        ]


class TestLooks:
    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    @pytest.mark.parametrize("path", ["", "review/{text}", "review/{action}"])
    def test_every_text_has_enough_contrast(self, browser, page, queue, path, dark):
        visit(browser, page + path.format(text=queue.text, action=queue.action), dark=dark)
        found = browser.run(CONTRASTS)
        assert found["count"] > 10
        assert found["poor"] == []

    @pytest.mark.parametrize("path", ["", "review/{text}", "review/{action}"])
    def test_no_page_is_wider_than_a_narrow_window(self, browser, page, queue, path):
        visit(browser, page + path.format(text=queue.text, action=queue.action), width=NARROW)
        assert browser.run("document.documentElement.scrollWidth") == NARROW

    def test_page_makes_no_external_request(self, browser, page, queue):
        visit(browser, f"{page}review/{queue.text}")
        asked = {event["request"]["url"] for event in browser.seen("Network.requestWillBeSent")}
        assert all(url.startswith(page) for url in asked)
        assert browser.seen("Log.entryAdded") == []


class TestAccessibility:
    @pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
    def test_accessibility_checker_finds_nothing_serious(self, browser, page, queue, axe, dark):
        for path in ("", f"review/{queue.text}", f"review/{queue.action}"):
            visit(browser, page + path, dark=dark)
            assert serious(browser, axe) == []

    def test_accessibility_checker_reports_unlabelled_field(self, browser, page, axe):
        visit(browser, page)
        browser.run("document.body.append(document.createElement('input'))")
        assert any(found.startswith("label: ") for found in serious(browser, axe))

    def test_page_of_refused_edit_is_accessible(self, browser, page, queue, axe):
        refused(page, queue, browser)
        assert browser.run("document.activeElement.className") == "problem"
        assert serious(browser, axe) == []


def serious(browser, axe):
    """Return the serious and critical violations of the accessibility checker."""
    browser.run(axe)
    return browser.run(
        "axe.run().then((found) => found.violations.filter((one) => ['serious', 'critical']"
        ".includes(one.impact)).map((one) => `${one.id}: ${one.nodes.map((node) => node.html).join(' ')}`))"
    )
