// The map of a Teeworlds server, below the picture of a snapshot.

import { get } from "./api.js";

/** @import { GameMap } from "../types/api.js" */

// Units of the game on each side of a tile.
export const TILE = 32;

// Colors of tiles by their index in the game layer: solid, deadly, solid without hook, and those of DDNet.
/** @type {Record<number, string>} */
const COLORS = {
  1: "#868e96", 2: "#e0313166", 3: "#495057",
  5: "#22b8cf66", 6: "#22b8cf66", 9: "#74c0fc55", 10: "#9775fa66", 11: "#ffe06655", 12: "#4263eb55", 13: "#ffd43b55",
  26: "#9775fa66", 27: "#d0bfff66", 33: "#51cf6666", 34: "#ff922b66", 60: "#ff878766", 61: "#ff878766", 62: "#ff878766",
  66: "#22b8cf66", 67: "#22b8cf66", 144: "#74c0fc55", 145: "#ffe06655",
};

/** @type {{ key: string, map: Promise<GameMap> } | undefined} */
let last;

/**
 * Returns the map of a snapshot. A map that was already requested is not requested again.
 * @param {number} source
 * @param {number} number number of the packet
 * @param {string} name
 */
export function gameMap(source, number, name) {
  const key = `${source} ${name}`;
  if (last?.key !== key) {
    last = { key, map: get("game_map", { source, number }) };
    last.map.catch(() => { last = undefined; });
  }
  return last.map;
}

/**
 * Draws the tiles that the canvas shows.
 * @param {CanvasRenderingContext2D} context
 * @param {GameMap} map
 * @param {{ left: number, top: number, scale: number }} view position of the upper left corner in units, pixels a unit
 */
export function drawTiles(context, map, { left, top, scale }) {
  const { width, height } = context.canvas;
  const columns = range(left, width / scale, map.width), rows = range(top, height / scale, map.height);
  // Without the gaps that rounded edges would leave.
  const size = Math.ceil(TILE * scale);
  for (let row = rows.first; row < rows.end; row += 1) {
    for (let column = columns.first; column < columns.end; column += 1) {
      const at = 2 * (row * map.width + column);
      const color = COLORS[parseInt(map.tiles.slice(at, at + 2), 16)];
      if (color === undefined) continue;
      context.fillStyle = color;
      context.fillRect(Math.floor((column * TILE - left) * scale), Math.floor((row * TILE - top) * scale), size, size);
    }
  }
}

/**
 * Returns the tiles between two positions in units.
 * @param {number} start
 * @param {number} length
 * @param {number} count number of tiles of the map
 */
function range(start, length, count) {
  return { first: Math.max(0, Math.floor(start / TILE)), end: Math.min(count, Math.ceil((start + length) / TILE)) };
}
