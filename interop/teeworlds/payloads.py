"""Payloads that are the same in every run."""

import random
from pathlib import Path

import captures

PAYLOADS = 10_000
# The longest payload of a datagram.
MAX_PAYLOAD = 1390


class Payloads:
    """Payloads of random bytes, zeros, letters and pieces of captures."""

    def __init__(self, paths: list[Path]) -> None:
        self.captured = [datagram[3:] for path in paths for datagram in captures.datagrams(path)]
        self.random = random.Random("gamewire")

    def all(self) -> list[bytes]:
        """Returns the payloads."""
        return [self.payload(number) for number in range(PAYLOADS)]

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
