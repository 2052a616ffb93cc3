"""Bytes without a capture."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

from gamewire import _native


@dataclass(frozen=True)
class Explanation:
    """The ways to read some bytes."""

    results: list[dict[str, Any]]
    """The bytes as each protocol decodes them, the likeliest first: the `dialect`, the `content` (`datagram`, `stream` or
    `message`), the `direction` (the role of the sender, or `None`), the fields by name, `messages`, `warnings` and
    `errors`, in the shape of `Packet.fields`."""
    is_certain: bool
    """True if the first result is certain."""

    @property
    def best(self) -> dict[str, Any]:
        """The likeliest result."""
        return self.results[0]


def explain(
    data: bytes | str, *, spans: bool = False, messages: str | os.PathLike[str] | None = None
) -> Explanation:
    """Decodes bytes, such as those of a bug report. A text is a number of hexadecimal digits.

    With `spans`, every field has the shape of `Packet.spans`. Raises `ValueError` for more than 64 KiB, and
    for a text that is not hexadecimal.
    """
    if isinstance(data, str):
        try:
            data = bytes.fromhex(data)
        except ValueError as error:
            raise ValueError(f"invalid bytes {data[:40]!r}: expected pairs of hexadecimal digits") from error
    return Explanation(*_native.explain(data, spans, messages))
