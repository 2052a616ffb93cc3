"""A player in a browser on a network that loses 2 % of all packets of the room: a network namespace with nftables.

    interop/browser/lossy.py BROWSER SCHEME --gamewire target/debug/gamewire

It needs root. Nothing outside of the namespace changes. It prints what was lost.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent))

import gamewire  # noqa: E402
from program import LIMIT  # noqa: E402
from runner import Skipped  # noqa: E402

PERCENT = 2


def play(browser: str, scheme: str, command: Path) -> None:
    """Plays in a namespace of its own."""
    missing = [tool for tool in ("unshare", "nft", "ip") if shutil.which(tool) is None]
    if missing or os.getuid() != 0:
        raise Skipped(f"no {', '.join(missing)}" if missing else "not root")
    script = [sys.executable, "-B", __file__, browser, scheme, "--gamewire", str(command)]
    done = subprocess.run(["unshare", "-n", *script], capture_output=True, text=True, timeout=3 * LIMIT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(done.stdout)["lost"] > 0, done.stdout


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def lose(ports: Sequence[int]) -> None:
    """Drops some packets from and to these ports."""
    ports_of = ", ".join(str(port) for port in ports)
    run("nft", "add table inet loss")
    run("nft", "add chain inet loss in { type filter hook input priority 0; }")
    run("nft", "add counter inet loss seen")
    run("nft", "add counter inet loss lost")
    for end in ("sport", "dport"):
        run("nft", f"add rule inet loss in th {end} {{ {ports_of} }} counter name seen")
        drop = f"numgen random mod 100 < {PERCENT} counter name lost drop"
        run("nft", f"add rule inet loss in th {end} {{ {ports_of} }} {drop}")


def count(name: str) -> int:
    """Returns the packets of a counter."""
    listed = json.loads(run("nft", "-j", "list", "counter", "inet", "loss", name))["nftables"]
    return next(item["counter"]["packets"] for item in listed if "counter" in item)


def main() -> None:
    """Plays in the namespace of this process."""
    from players import Room

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("browser", choices=("chromium", "firefox"))
    parser.add_argument("scheme", choices=("ws", "wss"))
    parser.add_argument("--gamewire", type=Path, required=True)
    options = parser.parse_args()
    gamewire.GAMEWIRE = options.gamewire.resolve()
    run("ip", "link", "set", "lo", "up")
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        room = Room(stack, folder, options.browser, options.scheme)
        room.name += "-loss"
        lose([room.port, *room.ports.values()])
        room.join()
        room.exchange()
        print(json.dumps({"browser": options.browser, "scheme": options.scheme, "seen": count("seen"), "lost": count("lost")}))


if __name__ == "__main__":
    main()
