"""Computes the packets of session.json from its inputs, by the description of the layer alone."""

import hashlib
import hmac
import json
import pathlib
import sys

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

FILE = pathlib.Path(__file__).with_name("session.json")


def mac(key, *parts):
    return hmac.new(key, b"".join(parts), hashlib.sha256).digest()


def hkdf(chaining_key, material):
    temporary = mac(chaining_key, material)
    first = mac(temporary, b"\x01")
    second = mac(temporary, first, b"\x02")
    return first, second, mac(temporary, second, b"\x03")


def seal(key, counter, associated, text):
    return ChaCha20Poly1305(key).encrypt(bytes(4) + counter.to_bytes(8, "little"), text, associated)


def public(secret):
    return X25519PrivateKey.from_private_bytes(secret).public_key().public_bytes_raw()


def shared(secret, other):
    return X25519PrivateKey.from_private_bytes(secret).exchange(X25519PublicKey.from_public_bytes(other))


class Noise:
    """The symmetric state of Noise_NNpsk0_25519_ChaChaPoly_SHA256."""

    def __init__(self, prologue, secret):
        name = b"Noise_NNpsk0_25519_ChaChaPoly_SHA256"
        self.chaining_key = self.hash = hashlib.sha256(name).digest()
        self.mix_hash(prologue)
        self.chaining_key, temporary, self.key = hkdf(self.chaining_key, secret)
        self.mix_hash(temporary)

    def mix_hash(self, data):
        self.hash = hashlib.sha256(self.hash + data).digest()

    def mix_key(self, material):
        self.chaining_key, self.key, _ = hkdf(self.chaining_key, material)

    def encrypt(self, text):
        sealed = seal(self.key, 0, self.hash, text)
        self.mix_hash(sealed)
        return sealed


def record(kind, key, session, counter, text):
    header = bytes([kind]) + session + counter.to_bytes(6, "little")
    return header + seal(key, counter, header, text)


def compute(inputs):
    value = {name: bytes.fromhex(text) for name, text in inputs.items()}
    token, session = value["token"], value["connection_id"]
    secret = mac(value["server_key"], b"gamewire-records token", token)
    noise = Noise(b"gamewire-records 1", secret)
    client = public(value["client_ephemeral_secret"])
    noise.mix_hash(client)
    noise.mix_key(client)
    first = client + noise.encrypt(b"")
    server = public(value["server_ephemeral_secret"])
    noise.mix_hash(server)
    noise.mix_key(server)
    noise.mix_key(shared(value["client_ephemeral_secret"], server))
    second = server + noise.encrypt(session)
    to_server, to_client, _ = hkdf(noise.chaining_key, b"")
    packets = {
        "token_secret": secret,
        "request": (b"\x1f\x01" + value["nonce"]).ljust(64, b"\0"),
        "retry": b"\x2f" + value["nonce"] + value["cookie"],
        "initiation": b"\x3f\x01" + value["nonce"] + value["cookie"] + first + token,
        "response": b"\x4f" + value["nonce"] + second,
        "client_record_key": to_server,
        "server_record_key": to_client,
        "client_record_0": record(0x5F, to_server, session, 0, value["client_packet_0"]),
        "server_record_0": record(0x5F, to_client, session, 0, value["server_packet_0"]),
        "client_record_1": record(0x5F, to_server, session, 1, value["client_packet_1"]),
        "challenge": record(0x6F, to_client, session, 1, b"\x01" + value["challenge"]),
        "answer": record(0x6F, to_server, session, 2, b"\x02" + value["challenge"]),
        "moved": record(0x6F, to_client, session, 2, b"\x03" + value["new_address"]),
    }
    return {name: packet.hex() for name, packet in packets.items()}


def main():
    vectors = json.loads(FILE.read_text())
    computed = compute(vectors["inputs"])
    if "--write" in sys.argv[1:]:
        FILE.write_text(json.dumps({**vectors, "session": computed}, indent=2) + "\n")
        return
    for name, packet in computed.items():
        if vectors["session"].get(name) != packet:
            sys.exit(f"{name} differs: computed {packet}")
    print(f"{len(computed)} values are equal")


if __name__ == "__main__":
    main()
