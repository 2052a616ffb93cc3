"""Tests of captures that `gamewire inspect` writes with -w and reads live with -i."""

import json
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = sorted((ROOT / "vectors").glob("*/captures/*.pcap*"))
# Filters whose frames decode on their own: no message of these depends on one that is left out.
FILTERS = ["", "teeworlds.input or teeworlds.chat", "riptide", "ip.addr == 127.0.0.1"]
LIVE_DATAGRAMS = 200
# Seconds after which a wait has failed, as in all tests against other programs.
LIMIT = 300


def _inspect(command: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    words = [str(word) for word in (command, "inspect", *arguments)]
    return subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=False)


def _messages(command: Path, *arguments: object) -> list[str]:
    """Returns the times and the messages of each record, without what depends on other frames."""
    records = map(json.loads, _inspect(command, *arguments, "--json", "-q").stdout.splitlines())
    kept = ("timestamp", "direction", "from", "to", "length", "messages")
    return [json.dumps([record.get(key) for key in kept]) for record in records]


def _tshark(capture: Path) -> list[str]:
    """Returns the time, length and ports of every frame."""
    fields = ["frame.time_epoch", "frame.len", "udp.srcport", "udp.dstport", "tcp.srcport", "tcp.seq_raw"]
    words = ["tshark", "-n", "-r", str(capture), "-T", "fields", *(f"-e{field}" for field in fields)]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()


def writes_what_matches(command: Path, folder: Path) -> list[str]:
    """Compares written captures with their source, by tshark and by inspect."""
    faults, total = [], 0
    for capture in CAPTURES:
        for number, condition in enumerate(FILTERS):
            written = folder / f"{capture.stem}-{number}.pcapng"
            chosen = ["-Y", condition] if condition else []
            ended = _inspect(command, "-r", capture, "-w", written, *chosen)
            before, after = _tshark(capture), _tshark(written)
            total += len(after)
            if ended.stdout or f"{len(after)} frame" not in ended.stderr:
                faults.append(f"{capture.name}, {condition!r}: {ended.stdout[:80]} {ended.stderr}")
            if not condition and before != after or set(after) - set(before):
                faults.append(f"{capture.name}, {condition!r}: tshark reads other frames")
            ours, again = _messages(command, capture, *chosen), _messages(command, written, *chosen)
            is_whole = not condition or "freeciv" not in str(capture)
            if is_whole and len(ours) != len(again) or not condition and ours != again:
                faults.append(f"{capture.name}, {condition!r}: {len(ours)} records became {len(again)}")
    print(f"{total} frames written, {len(faults)} faults")
    return faults if total else ["no frames were written"]


def can_capture() -> str:
    """Returns why this machine cannot capture, or an empty text."""
    try:
        words = ["dumpcap", "-q", "-i", "lo", "-a", "duration:1", "-w", "/dev/null"]
        ended = subprocess.run(words, capture_output=True, text=True, timeout=LIMIT, check=False)
    except FileNotFoundError:
        return "dumpcap is not installed"
    return "" if ended.returncode == 0 else ended.stderr.strip().splitlines()[-1]


def shows_a_demo_live(command: Path) -> list[str]:
    """Captures on the loopback interface while a demo plays. Lines come while it plays, of every protocol."""
    demo = subprocess.Popen([command, "demo", "--duration", f"{LIMIT}s", "--json"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        faults, records = [], []
        for protocol in ("teeworlds", "riptide"):
            ended = _inspect(command, "-i", "lo", "-Y", protocol, "-c", LIVE_DATAGRAMS, "--json", "-q")
            found = [json.loads(line) for line in ended.stdout.splitlines()]
            records += found
            if ended.returncode not in (0, 3) or len(found) != LIVE_DATAGRAMS:
                faults.append(f"{protocol}: {len(found)} records, exit code {ended.returncode}: {ended.stderr[:200]}")
        if demo.poll() is not None:
            faults.append("the demo ended before the capture")
        saved = _inspect(command, "-i", "lo", "-f", "udp", "-T", "fields", "-e", "frame.time", "-c", "5")
        if len(saved.stdout.splitlines()) != 5:
            faults.append(f"-T fields: {saved.stdout} {saved.stderr}")
    finally:
        demo.terminate()
        demo.wait(LIMIT)
    missing = _inspect(command, "-i", "no-such-interface")
    if missing.returncode != 1 or "cannot capture on no-such-interface" not in missing.stderr:
        faults.append(f"no-such-interface: {missing.returncode} {missing.stderr}")
    print(f"{len(records)} records while a demo played")
    return faults
