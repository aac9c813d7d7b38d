"""Chromium without a window, spoken to by its driver in the W3C WebDriver protocol, which is JSON over HTTP.

A client of a dozen lines is all that these tests need of it.
"""

import json
import shutil
import subprocess
from base64 import b64decode
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHROMEDRIVER = shutil.which("chromedriver")
_ANSWER_S = 60
# Keeps the browser from looking for anything but the page.
_SWITCHES = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_KEYS = {"Home": "\ue011", "End": "\ue010", "Left": "\ue012", "Right": "\ue014", "Shift": "\ue008"}


class Browser:
    """Drives one browser."""

    def __init__(self, port: int, profile: Path) -> None:
        self._port = port
        capabilities = {
            "browserName": "chrome",
            "goog:loggingPrefs": {"browser": "ALL", "performance": "ALL"},
            "goog:chromeOptions": {"binary": CHROMIUM, "args": [*_SWITCHES, f"--user-data-dir={profile}"]},
        }
        answer = self._call("POST", "/session", {"capabilities": {"alwaysMatch": capabilities}})
        self._session = f"/session/{answer['sessionId']}"

    def close(self) -> None:
        """Ends the browser."""
        self._call("DELETE", self._session)

    def open(self, file: Path, event: int | None = None) -> None:
        """Opens a page, at an event if one is named, and forgets what was reported before."""
        self._post("/url", {"url": "about:blank"})
        self.log("browser")
        self.log("performance")
        self._post("/url", {"url": file.as_uri() + (f"#{event}" if event is not None else "")})

    def run(self, script: str) -> Any:
        """Returns what a script returns in the page."""
        return self._post("/execute/sync", {"script": script, "args": []})

    def press(self, *keys: str) -> None:
        """Presses keys together, the first ones held, and lets them go."""
        codes = [_KEYS.get(key, key) for key in keys]
        strokes = [{"type": "keyDown", "value": code} for code in codes]
        strokes += [{"type": "keyUp", "value": code} for code in reversed(codes)]
        self._post("/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": strokes}]})

    def click(self, selector: str) -> None:
        """Clicks in the middle of an element, as a pointer does."""
        found = self._post("/element", {"using": "css selector", "value": selector})
        self._post(f"/element/{next(iter(found.values()))}/click", {})

    def resize(self, width: int, height: int, dark: bool = False, motion: bool = False) -> None:
        """Sets the size of the viewport in CSS pixels, and what the user prefers: light or dark, motion or none."""
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self._devtools("Emulation.setDeviceMetricsOverride", metrics)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        reduced = {"name": "prefers-reduced-motion", "value": "no-preference" if motion else "reduce"}
        self._devtools("Emulation.setEmulatedMedia", {"features": [scheme, reduced]})

    def picture(self, form: str) -> bytes:
        """Returns a picture of the viewport: `png`, or `webp`, which is less than half of it."""
        quality = {} if form == "png" else {"quality": 90}
        return b64decode(self._devtools("Page.captureScreenshot", {"format": form, **quality})["data"])

    def accessibility(self) -> list[dict[str, Any]]:
        """Returns the nodes of the tree that a screen reader is given."""
        nodes: list[dict[str, Any]] = self._devtools("Accessibility.getFullAXTree", {})["nodes"]
        return [node for node in nodes if not node["ignored"]]

    def log(self, kind: str) -> list[dict[str, Any]]:
        """Returns what was reported since the last time: `browser` for the console, `performance` for requests."""
        entries: list[dict[str, Any]] = self._post("/se/log", {"type": kind})
        return entries

    def requests(self) -> list[str]:
        """Returns the addresses that the page asked for since the last time."""
        messages = [json.loads(entry["message"])["message"] for entry in self.log("performance")]
        sent = [message for message in messages if message["method"] == "Network.requestWillBeSent"]
        return [message["params"]["request"]["url"] for message in sent]

    def _devtools(self, command: str, parameters: dict[str, Any]) -> Any:
        return self._post("/goog/cdp/execute", {"cmd": command, "params": parameters})

    def _post(self, path: str, body: dict[str, Any]) -> Any:
        return self._call("POST", self._session + path, body)

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        connection = HTTPConnection("127.0.0.1", self._port, timeout=_ANSWER_S)
        try:
            data = None if body is None else json.dumps(body)
            connection.request(method, path, data, {"Content-Type": "application/json"})
            response = connection.getresponse()
            value = json.loads(response.read())["value"]
        finally:
            connection.close()
        assert response.status == 200, f"{method} {path}: {value}"
        return value


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Starts a browser with an empty profile in this folder, and ends it."""
    assert CHROMEDRIVER is not None
    command = [CHROMEDRIVER, "--port=0", "--log-level=SEVERE"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as driver:
        try:
            chromium = Browser(_port(driver), folder / "profile")
            try:
                yield chromium
            finally:
                chromium.close()
        finally:
            driver.terminate()


def _port(driver: subprocess.Popen[str]) -> int:
    assert driver.stdout is not None
    for line in driver.stdout:
        _, found, port = line.rstrip().rstrip(".").rpartition(" on port ")
        if found and port.isdigit() and "success" in line:
            return int(port)
    raise AssertionError("chromedriver has ended without a port")
