"""Encrypted C# clients and servers of the package with ours, while the client's address changes."""

import random
import re
import secrets
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import mono
import program
from ours import Ours
from router import Router

COUNT = 1_000


class KeyFile:
    """A file with a new key."""

    def __enter__(self) -> Path:
        self.folder = tempfile.TemporaryDirectory()
        key = Path(self.folder.name, "server.key")
        key.write_text(secrets.token_hex(32))
        return key

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()


def join(address: str, key: str, *token: str) -> str:
    """Runs the C# client, and returns what it prints."""
    command = ["mono", str(mono.player()), "join", address, str(COUNT), key, *token]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=program.LIMIT)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


class Server:
    """The C# echo server with a key."""

    def __init__(self, key: str) -> None:
        command = ["mono", str(mono.player()), "serve", key]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout
        with program.Watchdog(self.process):
            self.port = int(self.process.stdout.readline().split()[1])

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        """Ends the server, and returns what it printed."""
        return self.process.communicate(timeout=program.LIMIT)[0]


def a_csharp_client_keeps_its_session_at_our_server() -> None:
    """1,000 reliable messages return once each although the client takes a new port twice among them."""
    with KeyFile() as key:
        serve = "serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none", "--echo", "--transport", "udp"
        with Ours(*serve, "--key", str(key), "--require-key") as server:
            output = join(f"udps://127.0.0.1:{server.port()}", key.read_text(), "player 5")
            assert f"returned {COUNT} of {COUNT}, moves 2" in output, output
            program.until(lambda: server.all("client_disconnected"), lambda: f"the client has left: {server}")
            assert len(server.all("client_connected")) == 1 and len(server.all("address_changed")) == 2, server


def a_client_of_ours_keeps_its_session_at_a_csharp_server() -> None:
    """Each of 1,000 reliable messages arrives once and returns once, at three addresses of the client."""
    with KeyFile() as key, Server(key.read_text()) as server, Router(server.port) as router:
        with Ours("join", f"riptide-2.1+udps://127.0.0.1:{router.port}", "--key", str(key)) as client:
            for number in range(COUNT):
                if number in (COUNT * 3 // 10, COUNT * 7 // 10):
                    last = (10, number - 1)
                    program.until(lambda: last in client.values(), lambda: f"a message returns: {client}")
                    router.change_address()
                client.type(f"reliable 10 int:{number}")
                # Riptide in C# can lose its echoes for good if more are outstanding when the round trip becomes longer.
                program.until(lambda: number - len(client.values()) < 20, lambda: f"messages return: {client}", 0.002)
            sent = [(10, number) for number in range(COUNT)]
            program.until(lambda: len(client.values()) >= COUNT, lambda: f"all messages return: {client}")
            assert sorted(client.values()) == sent, client
            assert len(client.all("address_changed")) == 2 and not client.all("disconnected"), client
        output = server.stop()
        assert f"received {COUNT} of {COUNT}, opened 1, moved 2" in output, output


def replayed_altered_and_guessed_records_change_nothing() -> None:
    """An attacker with all datagrams of a client sends them again from its own address, as they were and altered."""
    choose = random.Random(1)
    with KeyFile() as key, Server(key.read_text()) as server, Router(server.port) as router:
        with Ours("join", f"riptide-2.1+udps://127.0.0.1:{router.port}", "--key", str(key)) as client:
            for number in range(100):
                client.type(f"reliable 10 int:{number}")
            program.until(lambda: len(client.values()) == 100, lambda: f"all messages return: {client}")
            records = [data for data in list(router.seen) if data[0] in (0x5F, 0x6F)]
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as attacker:
                for record in records:
                    altered = bytearray(record)
                    altered[choose.randrange(11, len(altered))] ^= 1 << choose.randrange(8)
                    altered[5:11] = (10**6 + choose.randrange(10**6)).to_bytes(6, "little")
                    guessed = record[:1] + choose.randbytes(max(26, len(record) - 1))
                    for datagram in (record, bytes(altered), guessed):
                        attacker.sendto(datagram, ("127.0.0.1", server.port))
                    # More would not fit into the socket of a busy server.
                    time.sleep(0.005)
            client.type("reliable 10 int:100")
            program.until(lambda: (10, 100) in client.values(), lambda: f"the session works: {client}")
            assert len(client.values()) == 101 and not client.all("disconnected"), client
        output = server.stop()
    count = {name: int(re.search(rf"{name} (\d+)", output).group(1)) for name in ("replayed", "forged", "unknown", "moved")}
    assert len(records) > 100 and "received 101 of 101" in output, output
    assert count == {"replayed": len(records), "forged": len(records), "unknown": len(records), "moved": 0}, output


def a_wrong_key_is_named() -> None:
    """The C# client says why it cannot join, and our server has no client."""
    with KeyFile() as key:
        serve = "serve", "riptide", "--bind", "127.0.0.1:0", "--relay", "none", "--transport", "udp", "--key", str(key)
        with Ours(*serve) as server:
            command = ["mono", str(mono.player()), "join", f"udps://127.0.0.1:{server.port()}", "1", secrets.token_hex(32)]
            ended = subprocess.run(command, capture_output=True, text=True, timeout=program.LIMIT)
            assert "failed: the server answers, but does not accept the key" in ended.stdout, ended.stdout + ended.stderr
            assert not server.all("client_connected"), server
