"""Addresses of servers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

Address = Any
"""`"host:port"`, `"host"`, a URL, a pair of host and port, or an object with `host` and `port` such as a server."""


def parse(address: Address, default_port: int) -> tuple[str, int]:
    """Returns the host and port of an address.

    Raises `ValueError` if it has no host, or the port is not a number from 1 to 65535.
    """
    if hasattr(address, "host") and hasattr(address, "port"):
        return address.host, address.port
    if isinstance(address, tuple):
        host, port = address
        return host, int(port)
    text = address if "//" in address else f"//{address}"
    parts = urlsplit(text)
    port = parts.port or default_port
    if not parts.hostname:
        raise ValueError(f"invalid address {address!r}: expected host:port")
    return parts.hostname, port
