"""The information of a server."""

from __future__ import annotations

from typing import Any

from gamewire import _address, _native
from gamewire.teeworlds._commands import DEFAULT_PORT


def info(server: _address.Address) -> dict[str, Any]:
    """Queries the information of a server, as `gamewire info` does: `address`, `format`, `round_trip_ms`, `version`,
    `name`, `hostname`, `map`, `map_crc`, `map_size`, `game_type`, `password`, `scores_are_times`, `skill_level`,
    `num_players`, `max_players`, `num_clients`, `max_clients`, and `clients`, each with `name`, `clan`, `country`, `score`,
    `is_player` and `is_bot`. What the server does not send is `None`.

    If the server answers in several formats, this is the answer that lists most clients. Blocks for at most 5 seconds.
    Raises `ConnectionError` if the server does not answer.
    """
    host, port = _address.parse(server, DEFAULT_PORT)
    answers = _native.query_info(f"[{host}]:{port}" if ":" in host else f"{host}:{port}")
    return max(answers, key=lambda answer: len(answer["clients"]))
