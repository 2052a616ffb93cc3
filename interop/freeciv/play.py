"""`gamewire play`, as a program runs it."""

import json
import subprocess
from typing import Any, Optional

import gamewire
from program import LIMIT, Watchdog
from server import Server


class Play:
    """`gamewire play`, whose lines are checked against their schema."""

    def __init__(
        self,
        server: Optional[Server],
        *options: str,
        starts: bool = True,
        url: str = "",
        environment: Optional[dict[str, str]] = None,
    ) -> None:
        urls = [url or server.url] if server else []
        arguments = ["play", *urls, "--json", *(["--start"] if starts else []), *options]
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment
        )
        self.lines: list[str] = []

    def until(self, kind: str) -> dict[str, Any]:
        """Returns the next event of a kind."""
        assert self.process.stdout is not None
        with Watchdog(self.process):
            for line in self.process.stdout:
                self.lines.append(line)
                event: dict[str, Any] = json.loads(line)
                if event["event"] == kind:
                    return event
        raise AssertionError(f"no {kind} in {self.lines[-20:]}")

    def do(self, command: str, /, **fields: Any) -> dict[str, Any]:
        """Executes a command and returns its reply."""
        assert self.process.stdin is not None
        number = len(self.lines)
        self.process.stdin.write(json.dumps({"id": number, "command": command, **fields}) + "\n")
        self.process.stdin.flush()
        reply = self.until("reply")
        assert reply["id"] == number, (reply, number)
        return reply

    def world(self, *parts: str) -> dict[str, Any]:
        """Returns parts of the world."""
        answer: dict[str, Any] = self.do("world", parts=parts)["answer"]
        return answer

    def done(self, command: str, /, **fields: Any) -> None:
        """Executes an order that the server must carry out or answer with nothing."""
        reply = self.do(command, **fields)
        assert reply["outcome"] in ("done", "silent"), (command, fields, reply)

    def lua(self, code: str) -> None:
        """Runs Lua in the server, which must have been started with it."""
        reply = self.do("say", text=f"/lua cmd {code}")
        is_done = reply["outcome"] in ("done", "answered", "silent")
        assert is_done and "error" not in str(reply["text"]).lower(), (code, reply)

    def end_turn(self) -> int:
        """Ends the turn and returns the number of the next one."""
        self.do("end_turn")
        return int(self.until("turn")["turn"])

    def ended(self) -> int:
        """Leaves, checks what was printed, and returns the exit code."""
        rest, _ = self.process.communicate('{"command": "leave"}\n', timeout=LIMIT)
        gamewire.check_output(["play", "--json"], [*self.lines, *rest.splitlines()])
        return self.process.returncode
