"""Compares libtw2-huffman with gamewire's Huffman code in both directions on many payloads."""

import random
import subprocess
from pathlib import Path
from typing import Iterator

import libtw2_huffman

import captures

PAYLOADS = 10_000
# The longest payload of a datagram.
MAX_PAYLOAD = 1390
SHOWN = 10


class Comparison:
    """A comparison on payloads that are the same in every run."""

    def __init__(self, program: Path, paths: list[Path]) -> None:
        self.program = program
        self.captured = [datagram[3:] for path in paths for datagram in captures.datagrams(path)]
        self.random = random.Random("gamewire")

    def run(self) -> bool:
        """Compares, prints the result and returns whether everything is equal."""
        payloads = [self.payload(number) for number in range(PAYLOADS)]
        theirs = [libtw2_huffman.compress(payload) for payload in payloads]
        ours = self.ask("compress", payloads)
        back = self.ask("decompress", theirs)
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

    def payload(self, number: int) -> bytes:
        """Returns a payload; the first is empty, the others alternate between mixtures."""
        length = self.random.randint(0, MAX_PAYLOAD) if number else 0
        kind = number % 5
        if kind == 4:
            return self.random.choice(self.captured)[:MAX_PAYLOAD]
        payload = b""
        while len(payload) < length:
            payload += self.run_of((kind or self.random.randint(1, 4)), self.random.randint(1, 60))
        return payload[:length]

    def run_of(self, kind: int, length: int) -> bytes:
        """Returns bytes of one kind: random, zeros, letters, or from a capture."""
        if kind == 1:
            return self.random.randbytes(length)
        if kind == 2:
            return bytes(length)
        if kind == 3:
            return bytes(self.random.randint(0x20, 0x7E) for _ in range(length))
        piece = self.random.choice(self.captured)
        start = self.random.randint(0, len(piece))
        return piece[start:start + length] or b"\0"

    def ask(self, what: str, inputs: list[bytes]) -> list[bytes]:
        """Returns our program's output for every input."""
        requests = "".join(f"{len(data)} {data.hex()}\n" for data in inputs)
        done = subprocess.run(
            [self.program, what], input=requests, stdout=subprocess.PIPE, text=True, check=True
        )
        answers = []
        for line in done.stdout.splitlines():
            length, _, digits = line.partition(" ")
            answer = bytes.fromhex(digits)
            if len(answer) != int(length):
                raise ValueError(f"expected an answer of {length} bytes, found {len(answer)}")
            answers.append(answer)
        return answers
