"""Measures `gamewire inspect` on a large capture, next to tshark and next to another build of gamewire.

    cargo build --profile dist -p gamewire-cli --features parquet
    python3 bench/inspect.py target/dist/gamewire [--before OTHER] [--megabytes 100] [--rounds 3]

The capture is the committed captures of Teeworlds, repeated. All commands take turns, and the figures are medians of
processor time, of all threads together, wall-clock time, and peak memory.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

CAPTURES = Path(__file__).resolve().parents[1] / "vectors/teeworlds/captures"
FILE_HEADER = 24


def repeat(path: Path, size: int) -> None:
    """Writes a capture of about `size` bytes."""
    files = [file.read_bytes() for file in sorted(CAPTURES.glob("*.pcap"))]
    records = b"".join(file[FILE_HEADER:] for file in files)
    with path.open("wb") as out:
        out.write(files[0][:FILE_HEADER])
        while out.tell() < size:
            out.write(records)


def measure(command: list[str]) -> tuple[float, float, float]:
    """Runs a command. Returns processor seconds, seconds and peak memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, (command, process.returncode)
    return usage.ru_utime + usage.ru_stime, time.monotonic() - began, usage.ru_maxrss / 1000


def main() -> None:
    """Measures every form of output in turns."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gamewire", help="the command")
    parser.add_argument("--before", help="another build of the command")
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        capture, tables = Path(folder, "capture.pcap"), Path(folder, "tables")
        repeat(capture, options.megabytes * 1_000_000)
        commands = {}
        for form in ["-z", "", "--json", "-V"]:
            for which, program in [("before", options.before), ("", options.gamewire)]:
                if program:
                    commands[f"inspect {form} {which}"] = [program, "inspect", str(capture), "-q", *form.split()]
        commands["inspect --parquet"] = [options.gamewire, "inspect", str(capture), "-q", "--parquet", str(tables)]
        if shutil.which("tshark"):
            commands["tshark, text"] = ["tshark", "-n", "-r", str(capture)]
        figures: dict[str, list[tuple[float, float, float]]] = {name: [] for name in commands}
        for _ in range(options.rounds):
            for name, command in commands.items():
                shutil.rmtree(tables, ignore_errors=True)
                figures[name].append(measure(command))
        megabytes = capture.stat().st_size / 1e6
    print(f"{'':24} processor s   wall s   MB/s   peak MB")
    for name, rounds in figures.items():
        processor, wall, memory = (statistics.median(values) for values in zip(*rounds))
        print(f"{name:24} {processor:11.2f} {wall:8.2f} {megabytes / wall:6.0f} {memory:9.1f}")


if __name__ == "__main__":
    main()
