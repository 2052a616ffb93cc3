"""Computes primitives.txt: what ChaCha20-Poly1305, X25519 and HMAC-SHA256 return for inputs of many lengths.

Each line is a name and hexadecimal fields: `aead KEY COUNTER ASSOCIATED TEXT RESULT`, `x25519 SECRET PUBLIC RESULT` and
`hmac KEY DATA RESULT`. An empty field is `-`. Inputs come from SHA-256 of a number, so every run computes the same file.
"""

import hashlib
import hmac
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FILE = pathlib.Path(__file__).with_name("primitives.txt")
PRIME = 2**255 - 19


def stream(name, count):
    """Returns bytes that look random."""
    return b"".join(hashlib.sha256(f"{name} {block}".encode()).digest() for block in range(count // 32 + 1))[:count]


def aead(number, associated_length, length, fill=None):
    key, counter = stream(f"key {number}", 32), int.from_bytes(stream(f"counter {number}", 6), "little")
    associated = stream(f"associated {number}", associated_length)
    text = bytes([fill]) * length if fill is not None else stream(f"text {number}", length)
    sealed = ChaCha20Poly1305(key).encrypt(bytes(4) + counter.to_bytes(8, "little"), text, associated)
    return "aead", key, counter.to_bytes(8, "little"), associated, text, sealed


def exchange(secret, public):
    shared = X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(public))
    return "x25519", secret, public, shared


def lines():
    for number, length in enumerate([*range(0, 70), 127, 128, 129, 1024, 1231, 2000]):
        yield aead(number, number % 40, length)
        yield aead(1000 + number, 11, length, fill=0xFF)
    for number in range(64):
        public = X25519PrivateKey.from_private_bytes(stream(f"peer {number}", 32)).public_key().public_bytes_raw()
        yield exchange(stream(f"secret {number}", 32), public)
    # Points that are not reduced, that have the top bit, or that are on the twist.
    for number, point in enumerate([2, 3, 4, PRIME - 2, PRIME + 2, PRIME + 18, 2**255 - 2, 2**255 + 9, 2**256 - 3]):
        yield exchange(stream(f"edge {number}", 32), point.to_bytes(32, "little"))
    for secret in (bytes(32), b"\xff" * 32):
        yield exchange(secret, (9).to_bytes(32, "little"))
    for length in [*range(0, 130), 1000]:
        key, data = stream(f"mac key {length}", 32), stream(f"mac {length}", length)
        yield "hmac", key, data, hmac.new(key, data, hashlib.sha256).digest()


def main():
    text = "".join(" ".join([name, *(field.hex() or "-" for field in fields)]) + "\n" for name, *fields in lines())
    if "--write" in sys.argv[1:]:
        FILE.write_text(text)
    elif FILE.read_text() != text:
        sys.exit("primitives.txt differs")
    else:
        print(f"{len(text.splitlines())} lines are equal")


if __name__ == "__main__":
    main()
