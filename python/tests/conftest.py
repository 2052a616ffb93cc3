"""What several tests use."""

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
