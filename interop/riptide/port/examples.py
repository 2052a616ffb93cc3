"""The examples of the Python port of Riptide, unchanged and with another package in their imports. Run by hand, as root.

    git clone https://github.com/ebosseck/PytideNetworking PORT
    mcs -langversion:experimental -target:library -out:DLLS/Riptide-2.2.1.dll -recurse:'SOURCES/RiptideNetworking/*.cs'
    mcs -langversion:experimental -out:DLLS/values.exe -reference:DLLS/Riptide-2.2.1.dll interop/riptide/csharp/Values.cs
    target/python-venv/bin/python -B interop/riptide/port/examples.py PORT DLLS/values.exe

mono compiles `left is null` in SOURCES to a call of the operator == that contains it: write `(object)left == null` there.
Python must have both pytide-networking and gamewire. Each example runs in a network of its own, because its port is fixed.
Prints a table of each case: what the examples and the other side received.
"""

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).parent
LIMIT = 25
"""Maximum seconds of a case."""
PACKAGES = {"port": "pytidenetworking", "gamewire": "gamewire.riptide"}
HELLO = "Hello World !"
VALUES = 24
"""Number of values that the echo servers of the examples know."""
ISOLATED = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


class Program:
    """A program, and the lines that it has printed."""

    def __init__(self, *command: object):
        self.lines: list[str] = []
        self.process = subprocess.Popen(
            [str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append(line.rstrip())

    def count(self, text: str) -> int:
        """Returns the number of lines with a text."""
        return sum(text in line for line in self.lines)

    def wait_for(self, text: str, count: int, seconds: float = LIMIT) -> int:
        """Waits for lines with a text, and returns their number."""
        end = time.monotonic() + seconds
        while self.count(text) < count and time.monotonic() < end:
            time.sleep(0.02)
        return self.count(text)

    def result(self) -> list[str]:
        """Waits until the program ends, and returns its lines."""
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self.reader.join(5)
        return self.lines

    def end(self) -> None:
        """Ends the program."""
        self.process.kill()
        self.process.wait()


class Cases:
    """The cases of one transport, in a network of their own."""

    def __init__(self, folders: dict[str, Path], values: Path, transport: str):
        self.folders, self.values, self.transport = folders, values, transport

    def example(self, owner: str, name: str) -> Program:
        """Starts an example, and waits until it serves."""
        started = Program(sys.executable, "-B", "-u", self.folders[owner] / f"{name}.py")
        wait_for_port(self.transport)
        return started

    def client(self, owner: str, role: str) -> Program:
        """Starts a client."""
        if owner == "C#":
            return Program("mono", self.values, role, self.transport)
        return Program(sys.executable, "-B", HERE / "client.py", PACKAGES[owner], role, self.transport)

    def echoes(self, server: str, client: str) -> str:
        """A client sends all values to an echo server of the examples."""
        running = self.example(server, f"Server{self.transport.upper()}Test")
        lines = self.client(client, "values").result()
        running.end()
        # The port writes its log to standard output, too.
        last = next((line for line in reversed(lines) if line.startswith("received:")), "")
        equal = {int(part) for part in last.removeprefix("received:").split()}
        missing = sorted(set(range(VALUES)) - equal)
        return f"{len(equal)} of {VALUES} values" + (f", not {missing}" if missing else "")

    def whole(self, owner: str, stranger: str) -> str:
        """An example with a server and a client runs as it is, and a client that it does not know joins it."""
        running = self.example(owner, f"ServerClient{self.transport.upper()}")
        before = running.wait_for(f"'{HELLO}' from Server", 1)
        received = sum(HELLO in line for line in self.client(stranger, "hello").result())
        at_server = running.wait_for(f"'{HELLO}' from Client", 2, 5)
        at_client = running.wait_for(f"'{HELLO}' from Server", 2, 5)
        running.end()
        return f"alone {before}, then server {at_server}, client {at_client}, other client {received}"

    def half(self, owner: str, server: str) -> str:
        """The client of an example on another server."""
        name = f"ServerClient{self.transport.upper()}"
        if server == "C#":
            running = Program("mono", self.values, "server", self.transport)
            running.wait_for("started", 1)
        else:
            script = f"import sys, time; sys.path.insert(0, {str(self.folders[server])!r}); import {name} as it; "
            script += "it.server = it.runServer(); "
            script += "it.server.registerMessageHandler(it.MESSAGE_ID_HANDLED, it.serverHandleMessage); time.sleep(60)"
            running = Program(sys.executable, "-B", "-u", "-c", script)
            wait_for_port(self.transport)
        client = Program(sys.executable, "-B", "-u", HERE / "client_half.py", self.folders[owner], name)
        at_client = client.wait_for(f"'{HELLO}' from Server", 1)
        at_server = running.count(HELLO)
        client.end()
        running.end()
        return f"server {at_server}, client {at_client}"


def wait_for_port(transport: str) -> None:
    """Waits until a program of this network listens on the port of the examples."""
    end = time.monotonic() + LIMIT
    tables = [Path(f"/proc/net/{transport}{kind}") for kind in ("", "6")]
    while not any(":1E61 0" in table.read_text() for table in tables) and time.monotonic() < end:
        time.sleep(0.02)


def run(port: Path, values: Path, case: list[str]) -> str:
    """Runs one case."""
    with tempfile.TemporaryDirectory() as folder:
        folders = {}
        for owner, package in PACKAGES.items():
            folders[owner] = Path(folder) / owner
            folders[owner].mkdir()
            for source in (port / "testing").glob("Server*.py"):
                text = source.read_text().replace("pytidenetworking", package)
                (folders[owner] / source.name).write_text(text)
        kind, transport, *who = case
        return str(getattr(Cases(folders, values, transport), kind)(*who))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("port", type=Path, help="the repository of the port")
    options.add_argument("values", type=Path, help="the program of csharp/Values.cs")
    options.add_argument("case", nargs="*", help="one case: for this script itself")
    given = options.parse_args()
    if given.case:
        print(run(given.port, given.values, given.case))
        return
    others = [*PACKAGES, "C#"]
    cases = [
        [kind, transport, owner, other]
        for transport in ("udp", "tcp")
        for kind in ("echoes", "whole", "half")
        for owner in PACKAGES
        for other in others
    ]
    for case in cases:
        command = [*ISOLATED, sys.executable, "-B", __file__, str(given.port), str(given.values), *case]
        done = subprocess.run(command, capture_output=True, text=True)
        print("| " + " | ".join([*case, done.stdout.strip() or done.stderr.strip()[-300:]]) + " |", flush=True)


if __name__ == "__main__":
    main()
