"""Fixtures that several tests use."""

import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def root() -> Path:
    """The folder of the project."""
    return ROOT


@pytest.fixture
def server(tmp_path):
    """A freeciv-server with one player of its AI."""
    from gamewire.freeciv import LocalServer

    try:
        server = LocalServer(seed=7, size=1, ai_fill=2, ai_level="novice")
    except FileNotFoundError as error:
        pytest.skip(str(error))
    with server:
        yield server


@pytest.fixture(scope="module")
def teeworlds_server(tmp_path_factory):
    """The address of a Teeworlds 0.7 server."""
    program = Path("/usr/games/teeworlds-server")
    if not program.exists():
        pytest.skip("found no teeworlds-server: install it (Debian: apt-get install teeworlds-server)")
    folder = tmp_path_factory.mktemp("teeworlds")
    # The server cannot tell which port it listens on, and another program may take a free port before it does.
    for _ in range(20):
        server, port = start_teeworlds(program, folder)
        if server.poll() is None:
            break
    try:
        yield f"127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait(20)


def start_teeworlds(program: Path, folder: Path) -> tuple[subprocess.Popen, int]:
    """Starts a server on a port that is free, and waits until it listens or has ended."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = f"sv_name gamewire; bindaddr 127.0.0.1; sv_port {port}; sv_register 0; sv_map dm1"
    with (folder / "output.log").open("w") as log:
        server = subprocess.Popen(
            [program, settings + "; sv_rcon_password secret"],
            stdout=log,
            stderr=log,
            cwd=folder,
            env={"HOME": str(folder)},
        )
    end = time.monotonic() + 20
    while "[server]: version" not in (folder / "output.log").read_text() and time.monotonic() < end:
        if server.poll() is not None:
            break
        time.sleep(0.05)
    return server, port


def pytest_configure(config):
    config.addinivalue_line("markers", "long: runs with GAMEWIRE_LONG=1 only, which `cargo xtask test --long` sets")


def pytest_collection_modifyitems(config, items):
    if os.environ.get("GAMEWIRE_LONG") != "1":
        long = [item for item in items if item.get_closest_marker("long")]
        config.hook.pytest_deselected(items=long)
        items[:] = [item for item in items if item not in long]
