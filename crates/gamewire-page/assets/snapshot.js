// A snapshot of Teeworlds: its changes, and the positions of players.

import { get } from "./api.js";
import { context2d, make } from "./dom.js";
import { TILE, drawTiles, gameMap } from "./game_map.js";

/** @import { GameMap, Snapshot } from "../types/api.js" */

/** @type {Record<string, string>} */
const COLORS = { character: "#2f9e44", pickup: "#e8590c", projectile: "#c92a2a", flag: "#1971c2", laser: "#9c36b5" };

/**
 * @param {number} source
 * @param {number} number
 */
export async function snapshotView(source, number) {
  const snapshot = await get("snapshot", { source, number });
  const base = snapshot.base === null ? "the empty snapshot" : `tick ${snapshot.base}, the last one that the client had confirmed`;
  const head = `Tick ${snapshot.tick}, compared with ${base}: ${snapshot.changed.length} changed, ${snapshot.deleted.length} gone, ${snapshot.items} items`;
  /** @type {HTMLElement[]} */
  const parts = [make("p", { class: "facts" }, head)];
  if (!snapshot.is_complete) {
    parts.push(make("p", { class: "warn" }, "A snapshot that it builds on was not seen: items that did not change since are missing."));
  }
  const map = snapshot.map?.is_known ? await gameMap(source, number, snapshot.map.name) : null;
  if (snapshot.map && !map) {
    parts.push(make("p", { class: "dim" }, `The traffic does not contain the map ${snapshot.map.name}, and it is in no known folder of maps (option --maps).`));
  }
  const [picture, legend] = drawPositions(snapshot.positions, map);
  parts.push(picture, legend, changes(snapshot));
  return make("div", {}, ...parts);
}

/** @param {Snapshot} snapshot */
function changes(snapshot) {
  /** @type {HTMLElement[]} */
  const rows = [];
  for (const change of snapshot.changed) {
    const who = change.player ? `${change.item} ${change.id} (${change.player})` : `${change.item} ${change.id}`;
    const fields = change.fields.length > 0 ? change.fields : [{ name: "", before: "", after: "no field changed" }];
    rows.push(...fields.map((field, index) => make("tr", {},
      make("td", {}, index === 0 ? who : ""), make("td", {}, index === 0 && change.is_new ? "new" : ""),
      make("td", {}, field.name), make("td", { class: "dim" }, field.before ?? ""), make("td", {}, field.after))));
  }
  for (const item of snapshot.deleted) {
    rows.push(make("tr", {}, make("td", {}, `${item.item || `type ${item.type}`} ${item.id}`), make("td", {}, "gone"), make("td"), make("td"), make("td")));
  }
  const head = ["Item", "", "Field", "Before", "Now"].map((name) => make("th", { scope: "col" }, name));
  return make("table", { class: "changes" }, make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...rows));
}

/** @param {Snapshot["positions"][number]} item */
function placeOf(item) {
  const age = item.age > 0 ? `, sent ${item.age} ticks before` : "";
  return `${item.name || `player ${item.id}`} at ${Math.round(item.x / TILE)}, ${Math.round(item.y / TILE)}${age}`;
}

/**
 * Returns a picture and its legend.
 * @param {Snapshot["positions"]} positions
 * @param {GameMap | null} map
 * @returns {[HTMLElement, HTMLElement]}
 */
function drawPositions(positions, map) {
  const canvas = make("canvas", { class: "picture", width: "640", height: "360", role: "img" });
  const characters = positions.filter((item) => item.item.includes("character") && !item.item.startsWith("ddnet"));
  canvas.setAttribute("aria-label", `Positions of ${characters.length} players`);
  const legend = make("p", { class: "dim" }, characters.map(placeOf).join(" · ") || "Nobody is on the map.");
  if (characters.length > 0) legend.append(` (in tiles of ${TILE} units, at the tick of the snapshot)`);
  if (positions.length === 0) {
    canvas.height = 1;
    return [canvas, legend];
  }
  const xs = positions.map((item) => item.x), ys = positions.map((item) => item.y);
  const centerX = (Math.min(...xs) + Math.max(...xs)) / 2, centerY = (Math.min(...ys) + Math.max(...ys)) / 2;
  const scale = Math.min(600 / Math.max(640, Math.max(...xs) - Math.min(...xs)), 320 / Math.max(360, Math.max(...ys) - Math.min(...ys)));
  const context = context2d(canvas);
  if (map) drawTiles(context, map, { left: centerX - 320 / scale, top: centerY - 180 / scale, scale });
  const style = getComputedStyle(document.documentElement);
  context.font = "12px sans-serif";
  context.textAlign = "center";
  /** @type {{ x: number, y: number, half: number }[]} */
  const labels = [];
  for (const item of positions) {
    const x = 320 + (item.x - centerX) * scale, y = 180 + (item.y - centerY) * scale;
    const isPlayer = item.item === "character";
    context.fillStyle = COLORS[item.item] || style.getPropertyValue("--dim");
    context.beginPath();
    context.arc(x, y, isPlayer ? 7 : 3, 0, 7);
    context.fill();
    if (isPlayer) {
      const text = item.name || `player ${item.id}`;
      const half = context.measureText(text).width / 2 + 3;
      const label = { x: Math.min(Math.max(x, half), 640 - half), y: y - 11, half };
      // Move the label above the labels that are already drawn.
      while (labels.some((other) => Math.abs(other.x - label.x) < other.half + half && Math.abs(other.y - label.y) < 14)) label.y -= 14;
      labels.push(label);
      context.fillStyle = style.getPropertyValue("--text");
      context.fillText(text, label.x, label.y);
    }
  }
  return [canvas, legend];
}
