"""Chromium and Firefox with a page and, in front of it, another tab: by their own remote protocols, without a driver in between.

Playwright tells Chromium that every page has the focus, so that none is ever hidden, and it needs a Firefox of its own.
"""

import base64
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Optional

from program import LIMIT, Watchdog, until
from runner import Skipped


class Browser(ABC):
    """A browser without a window, with one page."""

    # The executable.
    name = ""

    def __init__(self) -> None:
        self.profile = tempfile.mkdtemp(prefix=f"gamewire-{self.name}-")
        self.count = 0

    def __enter__(self) -> "Browser":
        executable = shutil.which(self.name)
        if executable is None:
            raise Skipped(f"no {self.name}")
        self.start(executable)
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.close()
        shutil.rmtree(self.profile, ignore_errors=True)

    def until(self, expression: str) -> None:
        """Waits until an expression holds in the page."""
        until(lambda: self.evaluate(expression), lambda: (expression, self.evaluate("document.body.innerText")), 0.1)

    @abstractmethod
    def start(self, executable: str) -> None:
        """Starts the browser."""

    @abstractmethod
    def close(self) -> None:
        """Closes the connection to the browser, which has ended."""

    @abstractmethod
    def open(self, url: str) -> None:
        """Opens an address in the page."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """Returns the value of an expression in the page."""

    @abstractmethod
    def open_tab_in_front(self) -> None:
        """Opens another tab in the window of the page, and shows it."""

    @abstractmethod
    def screenshot(self) -> bytes:
        """Returns a picture of the page."""


class Chromium(Browser):
    """Chromium, by the DevTools protocol over pipes. It accepts the certificate with the key that has this hash."""

    name = "chromium"

    def __init__(self, key_hash: Optional[str] = None) -> None:
        super().__init__()
        self.key_hash = key_hash

    def start(self, executable: str) -> None:
        read_commands, self.commands = os.pipe()
        self.events, write_events = os.pipe()
        # As root Chromium cannot use its sandbox.
        options = ["--headless", "--no-sandbox", "--remote-debugging-pipe", f"--user-data-dir={self.profile}"]
        # The timers of a hidden page run once a minute after 10 seconds, instead of after 5 minutes.
        options.append("--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/10")
        if self.key_hash is not None:
            options.append(f"--ignore-certificate-errors-spki-list={self.key_hash}")
        # Chromium reads commands from 3 and writes to 4.
        script = f'exec "$@" 3<&{read_commands} 4>&{write_events}'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", executable, *options],
            pass_fds=(read_commands, write_events),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(read_commands)
        os.close(write_events)
        self.buffer = b""
        self.session: Optional[str] = None
        target = self.command("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def close(self) -> None:
        os.close(self.commands)
        os.close(self.events)

    def command(self, method: str, **parameters: Any) -> Any:
        """Executes a command, for the page after it is there, and returns the result."""
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session is not None and not method.startswith("Target."):
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        with Watchdog(self.process):
            while True:
                while b"\0" not in self.buffer:
                    read = os.read(self.events, 1 << 16)
                    assert read, "Chromium has ended"
                    self.buffer += read
                text, self.buffer = self.buffer.split(b"\0", 1)
                answer = json.loads(text)
                if answer.get("id") == self.count:
                    assert "error" not in answer, (method, answer)
                    return answer["result"]

    def open(self, url: str) -> None:
        self.command("Page.navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        result = self.command("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result)
        return result["result"].get("value")

    def open_tab_in_front(self) -> None:
        target = self.command("Target.createTarget", url="about:blank", background=False)["targetId"]
        self.command("Target.activateTarget", targetId=target)

    def screenshot(self) -> bytes:
        return base64.b64decode(self.command("Page.captureScreenshot")["data"])


# A port of its own, no first pages, nothing from the network.
PREFERENCES = {
    "marionette.port": 0,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "app.update.enabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Firefox(Browser):
    """Firefox, by Marionette. It accepts any certificate."""

    name = "firefox-esr"

    def start(self, executable: str) -> None:
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in PREFERENCES.items()]
        Path(self.profile, "user.js").write_text("\n".join(lines))
        self.process = subprocess.Popen(
            [executable, "--headless", "--marionette", "--no-remote", "--profile", self.profile],
            env={**os.environ, "HOME": self.profile},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        file = Path(self.profile, "MarionetteActivePort")
        until(lambda: file.exists() and file.read_text().strip().isdigit(), "Firefox does not start")
        self.socket = self.connect(int(file.read_text()))
        self.reader = self.socket.makefile("rb")
        self.read()
        self.command("WebDriver:NewSession", acceptInsecureCerts=True)

    def connect(self, port: int) -> socket.socket:
        """Connects to Marionette, which writes its port before it listens."""
        end = time.monotonic() + LIMIT
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), LIMIT)
            except ConnectionRefusedError:
                assert time.monotonic() < end, "Firefox does not listen"
                time.sleep(0.05)

    def close(self) -> None:
        self.reader.close()
        self.socket.close()

    def read(self) -> Any:
        """Returns the next message."""
        length = b""
        while (digit := self.reader.read(1)) != b":":
            assert digit, "Firefox has ended"
            length += digit
        return json.loads(self.reader.read(int(length)))

    def command(self, name: str, **parameters: Any) -> Any:
        """Executes a command, and returns the result."""
        self.count += 1
        text = json.dumps([0, self.count, name, parameters]).encode()
        self.socket.sendall(str(len(text)).encode() + b":" + text)
        _, number, error, result = self.read()
        assert number == self.count and error is None, (name, error)
        return result

    def open(self, url: str) -> None:
        self.command("WebDriver:Navigate", url=url)

    def evaluate(self, expression: str) -> Any:
        # In the page's own globals.
        script = f"return window.eval({json.dumps(expression)})"
        return self.command("WebDriver:ExecuteScript", script=script, args=[], sandbox=None)["value"]

    def open_tab_in_front(self) -> None:
        self.command("WebDriver:NewWindow", type="tab", focus=True)

    def screenshot(self) -> bytes:
        return base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False)["value"])
