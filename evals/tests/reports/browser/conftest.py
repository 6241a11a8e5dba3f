"""A real browser, driven over Chromium's own debugging pipe: no driver and no package is needed for it."""

from __future__ import annotations

import itertools
import json
import os
import select
import shutil
import subprocess
from pathlib import Path

import pytest

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
_OPTIONS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-extensions",
    "--disable-sync",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
    "--password-store=basic",
)

_SPARE = 200
_PATIENCE_S = 120


def pytest_ignore_collect(config):
    """Leave this folder out unless `-m` names its marker, or the command line names the folder.

    Not every machine has a Chromium, and without one these tests fail: they never pass unseen.
    """
    asked = "browser" in str(config.getoption("-m")) or any("reports/browser" in name for name in config.args)
    return None if asked else True


def find_chromium():
    """Return the path of a Chromium, or None; REDPEN_CHROMIUM names one."""
    named = os.environ.get("REDPEN_CHROMIUM")
    if named:
        return shutil.which(named)
    return next((found for name in _NAMES if (found := shutil.which(name))), None)


class Browser:
    """One Chromium process with one page."""

    def __init__(self, program, profile):
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        command = [program, *_OPTIONS, f"--user-data-dir={profile}", "about:blank"]
        if os.geteuid() == 0:
            # Chromium's sandbox does not run as root, which a container often is.
            command.insert(1, "--no-sandbox")

        def hand_over():
            # The pipe is expected on descriptors 3 and 4, which may be some of our own here.
            low, high = os.dup2(to_browser, _SPARE), os.dup2(from_browser, _SPARE + 1)
            os.dup2(low, 3)
            os.dup2(high, 4)

        self._process = subprocess.Popen(  # noqa: S603 - the browser that was found
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=(3, 4),
            preexec_fn=hand_over,  # noqa: PLW1509 - nothing else runs in threads here
            env={**os.environ, "HOME": str(profile)},
        )
        os.close(to_browser)
        os.close(from_browser)
        self._numbers = itertools.count(1)
        self._left = b""
        self.events = []
        self._session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log", "Audits"):
            self.call(f"{domain}.enable")
        self.call("Page.setLifecycleEventsEnabled", enabled=True)

    def call(self, method, **params):
        """Send a command and return its result; events that come meanwhile are kept."""
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._next()
            if answer.get("id") == number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def navigate(self, url):
        """Go to an address and wait until it has loaded."""
        self.events.clear()
        loader = self.call("Page.navigate", url=url)["loaderId"]

        def loaded(event):
            params = event.get("params", {})
            return params.get("loaderId") == loader and params.get("name") == "load"

        while not any(map(loaded, self.events)):
            self.events.append(self._next())

    def open(self, path, fragment="", *, script=True, width=1280, height=900, dark=False, media="screen"):
        """Open a file as a reader does and wait until it has loaded."""
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", media=media, features=[scheme])
        # From another page, so that a fragment alone is a new visit too.
        self.navigate("about:blank")
        self.navigate(f"{Path(path).as_uri()}{fragment}")

    def run(self, expression):
        """Return what an expression of the page comes to; a promise is waited for."""
        done = self.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in done:
            raise AssertionError(done["exceptionDetails"])
        return done["result"].get("value")

    def press(self, key, code=None, text=None):
        """Press a key."""
        named = {"key": key, "code": code or key}
        codes = {"Tab": 9, "Enter": 13, " ": 32}
        if key in codes:
            named["windowsVirtualKeyCode"] = codes[key]
        if text is not None:
            named["text"] = text
        self.call("Input.dispatchKeyEvent", type="keyDown", **named)
        self.call("Input.dispatchKeyEvent", type="keyUp", **{**named, "text": ""})

    def seen(self, method):
        """Return the parameters of the events of a sort since the last `open`."""
        self.run("0")
        return [event["params"] for event in self.events if event.get("method") == method]

    def close(self):
        """End the browser."""
        self._process.terminate()
        self._process.wait()
        os.close(self._write)
        os.close(self._read)

    def _next(self):
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], _PATIENCE_S)
            read = os.read(self._read, 1 << 20) if ready else b""
            if not read:
                raise AssertionError("the browser ended, or hangs")
            self._left += read
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """Give a Chromium."""
    program = find_chromium()
    if program is None:
        pytest.fail(
            "there is no Chromium: install one (apt-get install chromium), or name it: REDPEN_CHROMIUM"
        )
    browser = Browser(program, tmp_path_factory.mktemp("profile"))
    yield browser
    browser.close()
