"""A browser without a window, driven through its DevTools protocol over two pipes."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

CHROMIUM = next((p for p in map(shutil.which, ("chromium", "google-chrome")) if p), None)

_FLAGS = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--remote-debugging-pipe",
)
_KEYS = {
    "Tab": (9, ""),
    "Enter": (13, "\r"),
    "Escape": (27, ""),
    " ": (32, " "),
    "ArrowLeft": (37, ""),
    "ArrowRight": (39, ""),
    "ArrowDown": (40, ""),
}
PATIENCE = 60.0


class Tab:
    """One page of the browser."""

    def __init__(self, send: int, receive: int) -> None:
        self._send, self._receive = send, receive
        self._number = 0
        self._rest = b""
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        attach = {"targetId": target, "flatten": True}
        self._session = self._call("Target.attachToTarget", attach)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **params: object) -> Mapping[str, Any]:
        """Call a method of the page's session and wait for what it returns."""
        return self._call(method, params, self._session)

    def _call(
        self, method: str, params: Mapping[str, object], session: str | None = None
    ) -> Mapping[str, Any]:
        self._number += 1
        number = self._number
        message: dict[str, object] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == number:
                assert "error" not in answer, answer
                result: Mapping[str, Any] = answer["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            got = os.read(self._receive, 1 << 20)
            assert got, "the browser is gone"
            self._rest += got
        one, self._rest = self._rest.split(b"\0", 1)
        message: dict[str, Any] = json.loads(one)
        if message.get("method") == "Page.javascriptDialogOpening":
            self.dialogs.append(message["params"]["message"])
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(str(message["params"]["exceptionDetails"]))
        if message.get("method") == "Log.entryAdded":
            entry = message["params"]["entry"]
            if entry["level"] == "error":
                self.errors.append(entry["text"])
        return message

    def size(self, width: int, height: int = 900) -> None:
        """Show the page in a window of this size, in CSS pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def scheme(self, name: str) -> None:
        """Let the reader prefer ``light`` or ``dark``."""
        feature = {"name": "prefers-color-scheme", "value": name}
        self.call("Emulation.setEmulatedMedia", features=[feature])

    def go(self, url: str) -> None:
        """Open an address anew, and wait until all of it is there."""
        self.call("Page.navigate", url="about:blank")
        self.call("Page.navigate", url=url)
        self.until("document.readyState === 'complete' && location.href !== 'about:blank'")

    def say(self, expression: str) -> Any:
        """The value of an expression, waited for if it is a promise."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait for an expression to be true."""
        end = time.monotonic() + PATIENCE
        while not self.say(f"!!({expression})"):
            assert time.monotonic() < end, f"never: {expression}"
            time.sleep(0.02)

    def press(self, key: str, *, shift: bool = False) -> None:
        """Press and let go of a key, as a hand would."""
        code, text = _KEYS.get(key, (0, key))
        about = {"key": key, "modifiers": 8 if shift else 0, "windowsVirtualKeyCode": code}
        typed = {"text": text} if text else {}
        kind = "keyDown" if text else "rawKeyDown"
        self.call("Input.dispatchKeyEvent", type=kind, **about, **typed)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)

    def type(self, text: str) -> None:
        """Press the keys of a text."""
        for letter in text:
            self.press(letter)


@contextlib.contextmanager
def browser(profile: Path) -> Iterator[Tab]:
    """A tab of a new browser, which ends with the block."""
    read_end, write_end = os.pipe()
    answer_read, answer_write = os.pipe()
    assert CHROMIUM is not None

    # The browser reads its orders from descriptor 3 and answers on 4. Not every shell can give
    # it descriptors above 9; bash can.
    shell = f'exec "$0" "$@" 3<&{read_end} 4>&{answer_write}'
    process = subprocess.Popen(
        ["bash", "-c", shell, CHROMIUM, *_FLAGS, f"--user-data-dir={profile}", "about:blank"],
        pass_fds=(read_end, answer_write),
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    os.close(read_end)
    os.close(answer_write)
    try:
        yield Tab(write_end, answer_read)
    finally:
        os.close(write_end)
        os.close(answer_read)
        process.terminate()
        process.wait(PATIENCE)
