"""Stalls of either end of a Riptide connection, with the C# library at one end or both. Run by hand on mono.

    mcs -langversion:experimental -target:library -out:DLLS/Riptide-2.2.1.dll -recurse:'SOURCES/RiptideNetworking/*.cs'
    python3 -B interop/riptide/csharp/stalls.py DLLS target/debug/gamewire

One end is stopped with SIGSTOP for 1, 3 or 6.5 s, while the other sends ten reliable messages a second.
"""

import socket
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from signal import SIGCONT, SIGSTOP

LIMIT = 60
HERE = Path(__file__).parent


class Peer:
    """A program that is one end of the connection, and the lines that it has printed."""

    def __init__(self, command: list[str]) -> None:
        self.lines: list[tuple[float, str]] = []
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        threading.Thread(target=self.read, daemon=True).start()

    def read(self) -> None:
        """Collects the lines of standard output."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line.strip()))

    def type(self, line: str) -> None:
        """Writes a line to standard input. The program may have ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def wait(self, word: str) -> None:
        """Waits for a line that contains a word."""
        end = time.monotonic() + LIMIT
        while not any(word in line for _, line in self.lines):
            assert time.monotonic() < end, f"no {word}: {self.lines}"
            time.sleep(0.01)


class Kind:
    """A library, and how its programs are started and read."""

    def __init__(self, name: str, folder: Path, gamewire: str) -> None:
        self.name, self.folder, self.gamewire = name, folder, gamewire

    def start(self, role: str, port: int, version: str) -> Peer:
        """Starts a server or client. `version` is the format of the other end."""
        if self.name != "ours":
            return Peer(["mono", str(self.folder / f"{self.name}.exe"), role, str(port)])
        if role == "server":
            address = f"127.0.0.1:{port}"
            return Peer([self.gamewire, "serve", "riptide", "--listen", address, "--relay", "none", "--json"])
        return Peer([self.gamewire, "join", f"riptide-{version}+udp://127.0.0.1:{port}", "--json"])

    def command(self, role: str, value: int) -> str:
        """Returns the line that sends a value."""
        if self.name != "ours":
            return str(value)
        return f"all reliable 10 int:{value}" if role == "server" else f"reliable 10 int:{value}"

    def values(self, peer: Peer) -> list[int]:
        """Returns the received values."""
        if self.name != "ours":
            return [int(line[4:]) for _, line in peer.lines if line.startswith("got ")]
        hexes = [line.split('"hex":"')[1][:8] for _, line in peer.lines if '"event":"message"' in line]
        return [int.from_bytes(bytes.fromhex(text), "little", signed=True) for text in hexes]

    def end(self, peer: Peer) -> tuple[float, str] | None:
        """Returns when and why the connection ended."""
        for at, line in peer.lines:
            if line.startswith("disconnected "):
                return at, line.split()[1]
            if '"event":"disconnected"' in line or '"event":"client_disconnected"' in line:
                return at, line.split('"reason":"')[1].split('"')[0]
        return None


def free_port() -> int:
    """Returns a port that is free now."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stall(server_kind: Kind, client_kind: Kind, version: str, who: str, seconds: float) -> str:
    """Runs one stall, and returns the result as a line of a table."""
    port = free_port()
    server = server_kind.start("server", port, version)
    server.wait("started" if server_kind.name != "ours" else '"listening"')
    client = client_kind.start("client", port, version)
    peers = {"server": (server, server_kind), "client": (client, client_kind)}
    try:
        server.wait("connected")
        client.wait("connected")
        time.sleep(1)
        waiting = "client" if who == "server" else "server"
        frozen, sender = peers[who][0], peers[waiting][0]
        count = int(seconds * 10) + 25
        begin = time.monotonic()
        for value in range(count):
            if value == 5:
                stopped = time.monotonic()
                frozen.process.send_signal(SIGSTOP)
            if value == 5 + int(seconds * 10):
                frozen.process.send_signal(SIGCONT)
            sender.type(peers[waiting][1].command(waiting, value))
            time.sleep(max(0.0, begin + (value + 1) * 0.1 - time.monotonic()))
        # Resends of the last messages, and the timeout of an end that has heard nothing.
        time.sleep(7)
        values = peers[who][1].values(frozen)
        ends = []
        for role, (peer, kind) in peers.items():
            if end := kind.end(peer):
                ends.append(f"{role} {end[1]} after {end[0] - stopped:.2f} s")
        received = len(set(values))
        result = f"{received} of {count}" + ("" if len(values) == received else f", {len(values)} with repeats")
        ending = ", ".join(ends) or "open"
        return f"| {server_kind.name} | {client_kind.name} | {who} | {seconds} s | {result} | {ending} |"
    finally:
        for peer, _ in peers.values():
            peer.process.send_signal(SIGCONT)
            peer.process.kill()
            peer.process.wait()


def main() -> None:
    """Prints a table of all pairs of one library with itself and with ours."""
    libraries, gamewire = Path(sys.argv[1]), sys.argv[2]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        names = []
        for library in sorted(libraries.glob("Riptide-*.dll")):
            names.append(library.stem.removeprefix("Riptide-"))
            (folder / library.name).write_bytes(library.read_bytes())
            output = folder / f"{names[-1]}.exe"
            subprocess.run(
                ["mcs", f"-out:{output}", f"-r:{folder / library.name}", str(HERE / "Peer.cs")], check=True
            )
        ours = Kind("ours", folder, gamewire)
        pairs = [(ours, ours, "2.1"), (ours, ours, "2.0")]
        for csharp in (Kind(name, folder, gamewire) for name in names):
            version = "2.0" if csharp.name.lstrip("v").startswith("2.0") else "2.1"
            pairs += [(csharp, csharp, version), (ours, csharp, version), (csharp, ours, version)]
        runs = [
            (server, client, version, who, seconds)
            for server, client, version in pairs
            for who in ("server", "client")
            for seconds in (1, 3, 6.5)
        ]
        print("| server | client | stalled | for | received | ends |\n|---|---|---|---|---|---|")
        # The programs wait most of the time.
        with ThreadPoolExecutor(4) as pool:
            for line in pool.map(lambda run: stall(*run), runs):
                print(line, flush=True)


if __name__ == "__main__":
    main()
