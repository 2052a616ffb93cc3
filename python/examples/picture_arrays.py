"""Draws an observation after some turns of a real game, the layers of the map and rows of units:
`python picture_arrays.py FILE.svg`.
"""

from __future__ import annotations

import base64
import struct
import sys
import zlib

import numpy as np

from gamewire.freeciv import LocalServer, Observation, Player
from gamewire.freeciv._observation import LAYERS, UNIT_COLUMNS

TURNS, TILE, SHAPES = 25, 4, Observation(64, 48, units=128, cities=32)


def png(colors: np.ndarray) -> bytes:
    """Returns an array of the shape (rows, columns, 3) as a PNG."""
    rows, columns, _ = colors.shape

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    lines = b"".join(b"\0" + row.tobytes() for row in colors)
    header = struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b"")


def color(layer: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Returns a color for each value: white outside of the map, light gray for the smallest one."""
    values, index = np.unique(np.where(mask == 1, layer, layer[mask == 1].min()), return_inverse=True)
    palette = np.random.default_rng(4).integers(40, 210, (len(values), 3), np.uint8)
    palette[0] = 225
    return np.where(mask[..., None] == 1, palette[index.reshape(layer.shape)], 255).astype(np.uint8)


def play() -> dict[str, np.ndarray]:
    """Lets settlers found cities and the other units explore, and returns the observation."""
    with LocalServer(seed=7, ruleset="classic", size=1, ai_fill=2, ai_level="novice") as server:
        with Player(server, "bot", start=True) as player:
            player.wait_for_turn()
            for _ in range(TURNS):
                for unit in player.world.my_units:
                    if unit["is_idle"] and not (unit["type"] == "Settlers" and player.found_city(unit["id"]).is_done):
                        player.explore(unit["id"])
                player.next_turn()
            return SHAPES.of(player.world)


def main() -> None:
    """Plays, and writes the picture."""
    arrays = play()
    rows, columns = arrays["map_mask"].shape
    width, height = columns * TILE + 16, rows * TILE + 34
    parts = []
    for number, (name, layer) in enumerate(zip(LAYERS, arrays["map"])):
        left, top = number % 4 * width + 8, number // 4 * height + 22
        data = base64.b64encode(png(color(layer, arrays["map_mask"]))).decode()
        parts.append(
            f'<text x="{left}" y="{top - 6}">map[{number}]: {name}</text><image x="{left}" y="{top}" '
            f'width="{columns * TILE}" height="{rows * TILE}" style="image-rendering:pixelated" '
            f'href="data:image/png;base64,{data}"/>'
            f'<rect x="{left}" y="{top}" width="{columns * TILE}" height="{rows * TILE}" fill="none" stroke="#999"/>'
        )
    top = 2 * height + 22
    lines = [("row", "mask", *UNIT_COLUMNS)]
    lines += [(row, arrays["units_mask"][row], *arrays["units"][row]) for row in range(5)] + [("...",)]
    for at, line in enumerate(lines):
        cells = "".join(f'<text x="{8 + cell * 62}" y="{top + at * 18}">{value}</text>' for cell, value in enumerate(line))
        parts.append(cells)
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{4 * width}" height="{top + len(lines) * 18}" '
            f'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>{"".join(parts)}</svg>\n'
        )


if __name__ == "__main__":
    main()
