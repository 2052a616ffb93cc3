"""Compares the integers and the Huffman code of the npm package `teeworlds` with ours."""

import json
import random
import subprocess
from pathlib import Path
from typing import Iterator, Optional

import codec
from payloads import Payloads

FOLDER = Path(__file__).resolve().parent / "javascript"
RANDOM_INTEGERS = 100_000
# The longest random integer has this many bits.
BITS = 31
SHOWN = 10


def integers() -> list[int]:
    """Returns the integers around each power of two, and random ones of every length."""
    near = (sign * (1 << bits) + offset for bits in range(BITS + 1) for sign in (1, -1) for offset in (-1, 0, 1))
    chance = random.Random("gamewire")
    others = (chance.getrandbits(chance.randint(1, BITS)) ^ -chance.getrandbits(1) for _ in range(RANDOM_INTEGERS))
    return [value for value in (*near, *others) if -(1 << BITS) <= value < 1 << BITS]


class Comparison:
    """A comparison of both codes in both directions."""

    def __init__(self, program: Path, paths: list[Path]) -> None:
        self.program = program
        self.payloads = Payloads(paths)

    def missing(self) -> Optional[str]:
        """Returns why the comparison cannot run."""
        if not (FOLDER / "node_modules/teeworlds").exists():
            return "the npm package teeworlds is not installed"
        try:
            subprocess.run(["node", "--version"], capture_output=True, check=True)
        except OSError:
            return "no node: install Node.js 20 or later"
        return None

    def run(self) -> bool:
        """Compares, prints the result and returns whether everything is equal."""
        numbers, payloads = integers(), self.payloads.all()
        differences = [*self.integers(numbers), *self.huffman(payloads)]
        for difference in differences[:SHOWN]:
            print(f"  differs: {difference}")
        result = f"{len(differences)} differ" if differences else "equal in both directions"
        print(f"npm teeworlds: {len(numbers)} integers, {len(payloads)} payloads, {result}")
        return not differences

    def integers(self, values: list[int]) -> Iterator[str]:
        """Yields integers with other bytes, or that the package does not read from ours."""
        answers = zip(values, self.ask(values), codec.pack(self.program, values), strict=True)
        for value, (theirs, back), ours in answers:
            if bytes.fromhex(theirs) != ours or int(back) != value:
                yield f"{value}: ours {ours.hex()}, theirs {theirs}, which they read as {back}"

    def huffman(self, payloads: list[bytes]) -> Iterator[str]:
        """Yields payloads with other compressed bytes, or that one side does not decompress."""
        theirs = [(bytes.fromhex(made), bytes.fromhex(back)) for made, back in self.ask([it.hex() for it in payloads])]
        ours = codec.convert(self.program, "compress-extra", payloads)
        read = codec.convert(self.program, "decompress", [made for made, _ in theirs])
        for payload, (made, back), our, decoded in zip(payloads, theirs, ours, read, strict=True):
            if our != made or back != payload or decoded != payload:
                yield f"{payload.hex()}: ours {our.hex()}, theirs {made.hex()}"

    def ask(self, values: list[int] | list[str]) -> list[list[str]]:
        """Returns what the package makes of each value, and of that in the other direction."""
        lines = "".join(f"{json.dumps(value)}\n" for value in values)
        command = ["node", FOLDER / "codec.cjs"]
        done = subprocess.run(command, input=lines, stdout=subprocess.PIPE, text=True, check=True)
        return [line.split(" ") for line in done.stdout.splitlines()]
