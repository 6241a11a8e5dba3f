"""A real browser, driven over Chromium's own debugging pipe: no driver and no package is needed for it."""

from __future__ import annotations

import itertools
import json
import os
import select
import shutil
import subprocess
from contextlib import contextmanager
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

# Every text that is shown, with its colour on the colour behind it; pictures of colours are no text.
CONTRASTS = """(() => {
  const parse = (text) => {
    const [red, green, blue, alpha = 1] = text.match(/[\\d.]+/g).map(Number);
    return [red, green, blue, alpha];
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const colour = parse(getComputedStyle(one).backgroundColor);
      if (colour[3] === 1) return colour;
      if (colour[3] !== 0) return null;
    }
    return null;
  };
  const poor = new Set();
  let count = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.textContent.trim() || element.closest("script, style") || !element.checkVisibility()) continue;
    const ground = behind(element);
    const both = ground ? [parse(getComputedStyle(element).color), ground].map(light) : [0, 0];
    const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    count += 1;
    if (contrast < 4.5) poor.add(`${contrast.toFixed(2)} ${element.outerHTML.slice(0, 80)}`);
  }
  return { count, poor: [...poor] };
})()"""

_SPARE = 200
_PATIENCE_S = 120


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
            answer = self.next_event()
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
            self.events.append(self.next_event())

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
        """Return the value of an expression in the page; a promise is awaited."""
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

    def next_event(self):
        """Return what the browser says next."""
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._read], [], [], _PATIENCE_S)
            read = os.read(self._read, 1 << 20) if ready else b""
            if not read:
                raise AssertionError("the browser ended, or hangs")
            self._left += read
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)


@contextmanager
def open_chromium(profile):
    """Give a Chromium with an empty profile; the test fails where there is none."""
    program = find_chromium()
    if program is None:
        pytest.fail(
            "there is no Chromium: install one (apt-get install chromium), or name it: REDPEN_CHROMIUM"
        )
    browser = Browser(program, profile)
    try:
        yield browser
    finally:
        browser.close()
