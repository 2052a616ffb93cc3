// The map of a Freeciv game that the client knows.

import { get } from "./api.js";
import { context2d, make } from "./dom.js";

const PLAYERS = ["#e03131", "#1971c2", "#2f9e44", "#f08c00", "#9c36b5", "#0c8599", "#e8590c", "#5f3dc4"];

/**
 * Returns a picture of the map and its numbers.
 * @param {number} source
 * @param {number} conversation
 */
export async function mapView(source, conversation) {
  const map = await get("map", { source, conversation });
  if (map.width * map.height === 0) return make("p", { class: "hint" }, "The server has not described the map yet.");
  const tile = Math.max(2, Math.min(16, Math.floor(900 / map.width)));
  // Rows of an isometric map have half the height, and every second row is shifted right by half a tile.
  const isIso = (map.topology & 1) === 1;
  const high = isIso ? Math.max(1, tile / 2) : tile;
  const canvas = make("canvas", { class: "picture", role: "img", width: `${map.width * tile + tile}`, height: `${map.height * high + tile}` });
  const context = context2d(canvas);
  const colors = new Map(map.terrains.map((terrain) => [terrain.id, `rgb(${terrain.color.join(" ")})`]));
  /**
   * @param {number} index
   * @returns {[number, number]}
   */
  const place = (index) => {
    const x = index % map.width, y = Math.floor(index / map.width);
    return [x * tile + (isIso && y % 2 === 1 ? tile / 2 : 0), y * high];
  };
  let known = 0;
  for (let index = 0; index < map.width * map.height; index += 1) {
    const terrain = parseInt(map.terrain.slice(index * 2, index * 2 + 2), 16);
    if (terrain === 255) continue;
    known += 1;
    const [x, y] = place(index);
    context.fillStyle = colors.get(terrain) || "#888";
    context.fillRect(x, y, tile, isIso ? high * 2 : high);
  }
  for (let index = 0; index < map.width * map.height; index += 1) {
    const owner = parseInt(map.owners.slice(index * 2, index * 2 + 2), 16);
    if (owner === 255) continue;
    const [x, y] = place(index);
    context.fillStyle = PLAYERS[owner % PLAYERS.length];
    context.globalAlpha = 0.35;
    context.fillRect(x, y, tile, high);
    context.globalAlpha = 1;
  }
  for (const [index, owner] of map.units) dot(context, place(index), tile, tile / 3, PLAYERS[owner % PLAYERS.length]);
  context.font = "11px sans-serif";
  for (const city of map.cities) {
    const [x, y] = place(city.tile);
    dot(context, [x, y], tile, tile / 1.6, PLAYERS[city.owner % PLAYERS.length]);
    context.fillStyle = "#fff";
    context.fillText(city.name, x + tile, y + tile);
  }
  canvas.setAttribute("aria-label", `Map of ${map.width} by ${map.height} tiles`);
  const facts = `${map.width} × ${map.height} tiles, ${known} known · ${map.cities.length} cities · ${map.units.length} units`;
  return make("div", {}, make("p", { class: "facts" }, facts), canvas);
}

/**
 * @param {CanvasRenderingContext2D} context
 * @param {[number, number]} place
 * @param {number} tile
 * @param {number} radius
 * @param {string} color
 */
function dot(context, [x, y], tile, radius, color) {
  context.fillStyle = color;
  context.strokeStyle = "#000";
  context.beginPath();
  context.arc(x + tile / 2, y + tile / 2, Math.max(2, radius), 0, 7);
  context.fill();
  context.stroke();
}
