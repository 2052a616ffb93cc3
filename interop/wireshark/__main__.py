"""Checks the captures and the dissector that gamewire writes with Wireshark's tools, capinfos and tshark.

`cargo xtask interop` runs this if both are installed.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import captured
import dissector

ROOT = Path(__file__).resolve().parents[2]
CAPTURES = [
    *sorted((ROOT / "vectors" / "teeworlds" / "captures").glob("*.pcap")),
    ROOT / "fuzz" / "corpus" / "capture_file" / "ipv6.pcap",
]
FIELDS = ["frame.time_epoch", "ip.src", "ip.dst", "ipv6.src", "ipv6.dst", "udp.srcport", "udp.dstport", "udp.payload"]
CHECKSUMS = ["ip.checksum.status", "udp.checksum.status"]
GOOD = "1"


def output_of(*command: object) -> str:
    """Runs a program, which must succeed, and returns its output."""
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True).stdout


def fields(capture: Path, names: list[str]) -> list[list[str]]:
    """Returns fields of every UDP datagram of a capture."""
    checked = ["-o", "ip.check_checksum:TRUE", "-o", "udp.check_checksum:TRUE"]
    rows = output_of("tshark", "-n", "-r", capture, *checked, "-Y", "udp", "-T", "fields", *(f"-e{name}" for name in names))
    return [line.split("\t") for line in rows.splitlines()]


def capinfos_knows(written: Path, count: int) -> list[str]:
    """Returns expected texts that capinfos does not print."""
    info = output_of("capinfos", "-M", "-t", "-E", "-c", "-I", written)
    expected = ["pcapng", "Raw IP", f"Number of packets:   {count}", "nanoseconds (9)"]
    return [f"capinfos does not print {text!r}:\n{info}" for text in expected if text not in info]


def tshark_agrees(capture: Path, written: Path) -> list[str]:
    """Returns the datagrams that tshark reads differently from the written capture and its source."""
    before, after = fields(capture, FIELDS), fields(written, FIELDS)
    faults = [f"datagram {number}: {left} became {right}" for number, (left, right) in enumerate(zip(before, after), 1) if left != right]
    if len(before) != len(after):
        faults.append(f"{len(before)} datagrams became {len(after)}")
    return faults


def checksums_are_good(written: Path) -> list[str]:
    """Returns packets with checksums that tshark finds wrong or does not verify."""
    rows = enumerate(fields(written, CHECKSUMS), 1)
    return [f"packet {number}: {dict(zip(CHECKSUMS, row))}" for number, row in rows if row[0] not in (GOOD, "") or row[1] != GOOD]


def main() -> int:
    """Runs the tests and reports like a cargo test program."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rewrite", type=Path, required=True, help="the example `rewrite` of the crate gamewire-watch")
    parser.add_argument("--gamewire", type=Path, required=True, help="the gamewire command")
    parser.add_argument("--speed", action="store_true", help="also measure how fast tshark is with the dissector")
    options = parser.parse_args()
    faults = {"capinfos_knows_what_is_written": [], "tshark_reads_what_was_captured": [], "tshark_finds_checksums_right": []}
    by_capinfos, by_tshark, by_checksum = faults.values()
    with tempfile.TemporaryDirectory() as folder:
        for capture in CAPTURES:
            written = Path(folder) / f"{capture.stem}.pcapng"
            output_of(options.rewrite, capture, written)
            count = len(fields(capture, FIELDS))
            if count == 0:
                by_tshark.append(f"{capture.name} contains no datagram")
            by_capinfos += [f"{capture.name}: {fault}" for fault in capinfos_knows(written, count)]
            by_tshark += [f"{capture.name}: {fault}" for fault in tshark_agrees(capture, written)]
            by_checksum += [f"{capture.name}: {fault}" for fault in checksums_are_good(written)]
        faults["tshark_reads_what_inspect_writes"] = captured.writes_what_matches(options.gamewire.resolve(), Path(folder))
    reason = captured.can_capture()
    if not reason:
        faults["a_demo_is_captured_live"] = captured.shows_a_demo_live(options.gamewire.resolve())
    faults |= dissector.faults(options.gamewire.resolve(), options.speed)
    for name, found in faults.items():
        for fault in found[:10]:
            print(fault)
        print(f"test {name} ... {'FAILED' if found else 'ok'}", flush=True)
    if reason:
        print(f"test a_demo_is_captured_live ... ignored, {reason}")
    failed = sum(bool(found) for found in faults.values())
    print(f"test result: {'FAILED' if failed else 'ok'}. {len(faults) - failed} passed; {failed} failed; {int(bool(reason))} ignored")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
