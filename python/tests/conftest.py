"""Fixtures that several tests use."""

import os
import shlex
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SUITES = Path(os.environ.get("GAMEWIRE_SUITES", ROOT / "target/suites"))
"""The folder into which `cargo xtask test --long` unpacks servers of Debian's later suites."""
FREECIV_SUITES = {"3.0": None, "3.1": "trixie", "3.2": "sid"}


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


@pytest.fixture(scope="session", params=FREECIV_SUITES)
def freeciv_program(request):
    """The program of a freeciv-server of each version."""
    suite = FREECIV_SUITES[request.param]
    root = Path("/") if suite is None else SUITES / suite
    program = root / "usr/games/freeciv-server"
    if not program.exists():
        missing = os.environ.get(f"GAMEWIRE_MISSING_{(suite or '').upper()}", "run cargo xtask test --long")
        pytest.skip(f"found no freeciv-server {request.param}: {missing}")
    if suite is None:
        yield str(program)
        return
    # The programs of a later suite need its loader and its libraries. The server's user must be able to read the script.
    (loader,) = root.glob("usr/lib/*-linux-gnu/ld-linux*.so.*")
    libraries = f"{loader.parent}:{loader.parent}/libproxy"
    folder = Path(tempfile.mkdtemp(prefix="gamewire-suite-"))
    folder.chmod(0o755)
    script = folder / f"freeciv-server-{request.param}"
    script.write_text(
        "#!/bin/sh\n"
        f"export FREECIV_DATA_PATH={shlex.quote(str(root / 'usr/share/games/freeciv'))}\n"
        f'exec {shlex.join([str(loader), "--library-path", libraries, str(program)])} "$@"\n'
    )
    script.chmod(0o755)
    yield str(script)
    shutil.rmtree(folder)


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
