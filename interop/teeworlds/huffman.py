"""Compares libtw2-huffman with gamewire's Huffman code in both directions on many payloads."""

from pathlib import Path
from typing import Iterator

import libtw2_huffman

import codec
from payloads import Payloads

SHOWN = 10


class Comparison:
    """A comparison on payloads that are the same in every run."""

    def __init__(self, program: Path, paths: list[Path]) -> None:
        self.program = program
        self.payloads = Payloads(paths)

    def run(self) -> bool:
        """Compares, prints the result and returns whether everything is equal."""
        payloads = self.payloads.all()
        theirs = [libtw2_huffman.compress(payload) for payload in payloads]
        ours = codec.convert(self.program, "compress", payloads)
        back = codec.convert(self.program, "decompress", theirs)
        differences = list(self.differences(payloads, theirs, ours, back))
        for difference in differences[:SHOWN]:
            print(f"  differs: {difference}")
        lengths = f"{sum(map(len, payloads))} bytes, {sum(map(len, theirs))} compressed"
        result = f"{len(differences)} differ" if differences else "equal in both directions"
        print(f"libtw2-huffman: {len(payloads)} payloads ({lengths}), {result}")
        return not differences

    def differences(
        self, payloads: list[bytes], theirs: list[bytes], ours: list[bytes], back: list[bytes]
    ) -> Iterator[str]:
        """Yields payloads whose compressed bytes differ, or that one side cannot decompress."""
        for payload, their, our, decoded in zip(payloads, theirs, ours, back, strict=True):
            if our != their:
                yield f"{payload.hex()}: ours {our.hex()}, libtw2 {their.hex()}"
            elif libtw2_huffman.decompress(our) != payload:
                yield f"libtw2 does not read our {our.hex()}"
            if decoded != payload:
                yield f"we read {their.hex()} as {decoded.hex()}, not {payload.hex()}"
