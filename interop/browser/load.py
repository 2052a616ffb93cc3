"""Measures the page under load: 10,000 packets a second through the proxy, with a browser and without.

    python3 -B interop/browser/load.py --gamewire target/release/gamewire --minutes 10

It prints a line of JSON for each minute: frames a second of the browser, memory of the tab and of the proxy in MB, and
the round trip through the proxy in microseconds, median and 99th percentile.
"""

import argparse
import json
import socket
import struct
import subprocess
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

import gamewire  # noqa: E402
from page import browser  # noqa: E402

# Packets a second in each direction, and the time between two bursts.
RATE = 5_000
BURST = 0.005


class Server(threading.Thread):
    """Speaks enough of Riptide 2.0 to be recognized, and returns every message."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]

    def run(self) -> None:
        while True:
            data, sender = self.socket.recvfrom(2048)
            if data[0] == 0:
                self.socket.sendto(data, sender)
            elif data[0] == 3:
                self.socket.sendto(b"\x03", sender)
                self.socket.sendto(bytes.fromhex("0801000100"), sender)


class Client(threading.Thread):
    """Sends messages with the time in them, and keeps how long they took."""

    def __init__(self, port: int) -> None:
        super().__init__(daemon=True)
        self.socket = socket.socket(type=socket.SOCK_DGRAM)
        self.socket.connect(("127.0.0.1", port))
        self.socket.send(bytes.fromhex("030103686579"))
        assert self.socket.recv(100) == b"\x03"
        self.socket.recv(100)
        self.socket.send(bytes.fromhex("0801000100"))
        self.trips: list[float] = []
        self.is_over = False

    def run(self) -> None:
        threading.Thread(target=self.receive, daemon=True).start()
        due = time.perf_counter()
        while not self.is_over:
            for _ in range(int(RATE * BURST)):
                try:
                    self.socket.send(b"\x00\x0a\x00" + struct.pack("<d", time.perf_counter()) + b"hello")
                except ConnectionRefusedError:
                    # The proxy has ended.
                    return
            due += BURST
            time.sleep(max(0, due - time.perf_counter()))

    def receive(self) -> None:
        while not self.is_over:
            try:
                data = self.socket.recv(2048)
            except OSError:
                return
            self.trips.append(time.perf_counter() - struct.unpack("<d", data[3:11])[0])

    def take(self) -> tuple[float, float, int]:
        """Returns the median and the 99th percentile in microseconds, and the number, since the last call."""
        trips, self.trips = sorted(self.trips), []
        return trips[len(trips) // 2] * 1e6, trips[len(trips) * 99 // 100] * 1e6, len(trips)


def memory(process: int) -> float:
    """Returns the resident memory of a process in MB."""
    status = Path(f"/proc/{process}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1000


FRAMES = "globalThis.frames_ = 0; const count = () => { globalThis.frames_ += 1; requestAnimationFrame(count); }; count();"


def main() -> None:
    """Measures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gamewire", type=Path, required=True)
    parser.add_argument("--minutes", type=int, default=10)
    options = parser.parse_args()
    gamewire.GAMEWIRE = options.gamewire.resolve()
    for with_page in (False, True):
        server = Server()
        server.start()
        shown = ["--page", "127.0.0.1:0"] if with_page else []
        command = ["proxy", "--listen", "riptide://127.0.0.1:0", "--to", f"127.0.0.1:{server.port}", "--json", *shown]
        proxy = subprocess.Popen(
            [gamewire.GAMEWIRE, *command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert proxy.stdout is not None and proxy.stderr is not None
        try:
            url = proxy.stderr.readline().removeprefix("page: ").strip() if with_page else ""
            client = Client(json.loads(proxy.stdout.readline())["port"])
            client.start()
            if with_page:
                with browser(url) as page:
                    page.evaluate(FRAMES)
                    report(client, proxy.pid, options.minutes, page)
            else:
                report(client, proxy.pid, 1, None)
        finally:
            client.is_over = True
            proxy.kill()
            proxy.wait()


def report(client: Client, proxy: int, minutes: int, page) -> None:
    """Prints a line for each minute."""
    for minute in range(1, minutes + 1):
        client.trips.clear()
        if page is not None:
            page.evaluate("globalThis.frames_ = 0")
        time.sleep(60)
        median, late, count = client.take()
        line = {"minute": minute, "page": page is not None, "packets_a_second": round(count * 2 / 60)}
        line |= {"trip_us": round(median), "trip_99_us": round(late), "proxy_mb": round(memory(proxy))}
        if page is not None:
            line["frames_a_second"] = round(page.evaluate("globalThis.frames_") / 60, 1)
            line["tab_mb"] = round(page.evaluate("performance.memory.usedJSHeapSize") / 1e6)
            line["rows"] = page.evaluate("gamewire.list.rows.length")
        print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
