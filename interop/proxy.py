"""`gamewire proxy` between a client and a server, with its recording."""

import json
import shutil
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import Any

import gamewire
from program import LIMIT, until


class Proxy:
    """A proxy that shows and records every packet, for the duration of a `with` block."""

    def __init__(self, scheme: str, server: int, *options: str) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="gamewire-proxy-"))
        self.recording = self.folder / "game.pcapng"
        listen, to = f"{scheme}://127.0.0.1:0", f"127.0.0.1:{server}"
        self.is_rotated = "--rotate-size" in options
        record = ["--record", str(self.recording), *([] if self.is_rotated else ["--record-side", "both"])]
        fixed = ["proxy", "--listen", listen, "--to", to, *record, "--show", "--json"]
        self.arguments = [*fixed, *options]
        # Other proxies pass packets unchanged, and show them on the client's side only.
        self.terminates = bool({"--terminate", "--to-dialect", "--rules"} & set(options))
        at = options.index("--messages") if "--messages" in options else len(options)
        self.messages = options[at : at + 2]
        self.process = subprocess.Popen(
            [gamewire.GAMEWIRE, *self.arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.events: list[dict[str, Any]] = []
        self.lines: list[str] = []
        self.reader = threading.Thread(target=self.read)
        self.reader.start()
        self.port: int = self.wait_for("listening")["port"]

    def __enter__(self) -> "Proxy":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join()
        for pipe in (self.process.stdin, self.process.stdout):
            assert pipe is not None
            pipe.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def read(self) -> None:
        """Collects the events."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line)
            self.events.append(json.loads(line))

    def all(self, kind: str) -> list[dict[str, Any]]:
        """Returns the events of a kind so far."""
        return [event for event in list(self.events) if event["event"] == kind]

    def wait_for(self, kind: str, count: int = 1) -> dict[str, Any]:
        """Returns the first event of a kind, once there are `count`."""

        def is_there() -> bool:
            there = len(self.all(kind)) >= count
            assert there or self.process.poll() is None, f"no {kind}: {self.events[-3:]}"
            return there

        until(is_there, lambda: f"no {kind}: {self.events[-3:]}")
        return self.all(kind)[0]

    def url(self, scheme: str) -> str:
        """Returns the URL of the proxy for a client."""
        return f"{scheme}://127.0.0.1:{self.port}"

    def command(self, name: str, /, **fields: Any) -> None:
        """Writes a command to standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"command": name, **fields}) + "\n")
        self.process.stdin.flush()

    def kill(self) -> None:
        """Kills the proxy in the middle of its work."""
        self.process.kill()
        self.process.wait()
        self.reader.join()

    def stop(self, unrecognized: int = 0, min_share: float = 0.8) -> dict[str, Any]:
        """Stops the proxy and returns its summary: all but some packets were explained, and all recorded.

        In a game, both sides have about as many packets: the server's at least the given share of the client's.

        A reader that is slower than the game, as this one on a busy machine, may lose events: then each is counted.
        """
        self.command("stop")
        assert self.process.wait(LIMIT) == 0
        self.reader.join()
        gamewire.check_output(self.arguments, self.lines)
        (summary,) = self.all("summary")
        assert summary["errors"] == summary["missed"] == summary["not_recorded"] == 0, summary
        assert summary["unrecognized"] <= unrecognized and summary["decoded"] > 0, summary
        assert sum(event["count"] for event in self.all("events_lost")) == summary["events_lost"], summary
        assert summary["not_shown"] <= summary["events_lost"], summary
        if self.is_rotated:
            self.reads_alone(summary["not_shown"])
        else:
            self.reads_back(summary["not_shown"], min_share)
        return summary

    def files(self) -> list[Path]:
        """Returns the files of a rotation."""
        return sorted(self.folder.glob("game_*.pcapng"))

    def reads_alone(self, not_shown: int) -> None:
        """Checks that each file of a rotation, read alone, has what was shown live: the bases of its deltas are in it."""
        shown = [content(event["packet"]) for event in self.all("packet") if event["side"] == "client"]
        read = [content(packet) for file in self.files() for packet in recorded(file, *self.messages)]
        assert is_part(shown, read) and len(read) - len(shown) == not_shown, (len(read), len(shown), not_shown)

    def reads_back(self, not_shown: int, min_share: float) -> None:
        """Checks that the recording has the packets that were shown and those that were not, in order, and both sides."""
        # The client's side is that of the proxy's own port.
        sides: dict[str, list[Any]] = {"client": [], "server": []}
        for packet in recorded(self.recording, *self.messages):
            sides["client" if self.port in ports(packet) else "server"].append(content(packet))
        missing = 0
        for side, read in sides.items():
            shown = [content(event["packet"]) for event in self.all("packet") if event["side"] == side]
            if side == "server" and not self.terminates:
                assert not shown, len(shown)
                continue
            assert is_part(shown, read), (side, len(read), len(shown), not_shown)
            missing += len(read) - len(shown)
        counts = {side: len(read) for side, read in sides.items()}
        assert missing == not_shown, (counts, missing, not_shown)
        assert counts["server"] > min_share * counts["client"] > 0, counts


def recorded(recording: Path, *options: str) -> list[dict[str, Any]]:
    """Returns what `gamewire inspect` reads in a recording, without an error."""
    ended = gamewire.run("inspect", str(recording), "--json", *options)
    assert ended.returncode == 0, ended.stderr
    return [json.loads(line) for line in ended.stdout.splitlines()]


def is_part(some: list[Any], whole: list[Any]) -> bool:
    """Returns whether a list has the elements of another one in their order, perhaps with more between them."""
    rest = iter(whole)
    return all(any(element == other for other in rest) for element in some)


def ports(packet: dict[str, Any]) -> set[int]:
    """Returns the ports of a packet."""
    return {int(packet[end].rsplit(":", 1)[1]) for end in ("from", "to")}


def content(packet: dict[str, Any]) -> Any:
    """Returns what does not depend on the numbers of frames."""
    return (packet["from"], packet["to"], packet["dialect"], packet["messages"])
