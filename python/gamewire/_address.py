"""Addresses of servers."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

Address = Any
"""`"host:port"`, `"host"`, a URL, a pair of host and port, or an object with `host` and `port` such as a server."""


def parse(address: Address, default_port: int) -> tuple[str, int]:
    """Returns the host and port of an address.

    Raises `ValueError` if it has no host, or the port is not a number from 1 to 65535, and `TypeError` for other types.
    """
    if hasattr(address, "host") and hasattr(address, "port"):
        return address.host, address.port
    if isinstance(address, tuple) and len(address) == 2:
        host, port = address
        return host, int(port)
    if not isinstance(address, str):
        raise TypeError(f"invalid address {address!r}: expected a text host:port, or a pair of host and port")
    parts = urlsplit(address if "//" in address else f"//{address}")
    try:
        port = parts.port
    except ValueError:
        raise ValueError(f"invalid port in {address!r}: use a number from 1 to 65535") from None
    if not parts.hostname:
        raise ValueError(f"invalid address {address!r}: expected host:port")
    return parts.hostname, port or default_port
