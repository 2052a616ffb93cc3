// Views of a protocol above the fields: an ack of Riptide, the delta header of a Freeciv packet.

import { make } from "./dom.js";

/** @import { TreeNode } from "./tree.js" */

/**
 * @param {TreeNode[]} nodes
 * @returns {Generator<TreeNode>}
 */
function* all(nodes) {
  for (const node of nodes) {
    yield node;
    yield* all(node.c ?? []);
  }
}

/**
 * @param {TreeNode} node
 * @param {string} name
 */
function child(node, name) {
  return node.c?.find((field) => field.n === name);
}

/**
 * Draws which messages before the last one have arrived.
 * @param {TreeNode[]} tree
 */
function acks(tree) {
  const drawn = [];
  for (const node of all(tree)) {
    const last = child(node, "last_received_seq_id"), bits = child(node, "received_seq_ids");
    if (!last || !bits) continue;
    const newest = Number(last.v), mask = parseInt(bits.v ?? "", 16);
    const count = bits.b[1] - bits.b[0] > 8 ? 16 : 8;
    const cells = [make("span", { class: "on", title: "the last one" }, `${newest}`)];
    for (let age = 1; age <= count; age += 1) {
      const hasArrived = ((mask >> (age - 1)) & 1) === 1;
      cells.push(make("span", { class: hasArrived ? "on" : "off", title: hasArrived ? "has arrived" : "has not arrived" }, `${(newest - age + 65536) % 65536}`));
    }
    drawn.push(make("p", { class: "dim" }, `${node.n}: sequence ids that have arrived are filled`), make("div", { class: "acks" }, ...cells));
  }
  return drawn;
}

/**
 * Draws which bits of the delta header are set. A field whose bit is not set keeps its value.
 * @param {TreeNode[]} tree
 */
function deltaHeader(tree) {
  const drawn = [];
  for (const frame of all(tree)) {
    const bits = frame.n === "frame" ? child(frame, "bits") : undefined;
    if (!bits) continue;
    const set = new Set((child(frame, "set")?.c || []).map((bit) => Number(bit.v)));
    const count = Math.min(256, ((bits.b[1] - bits.b[0]) / 8) * 8);
    const cells = [];
    for (let bit = 0; bit < count; bit += 1) {
      cells.push(make("span", { class: set.has(bit) ? "on" : "off", title: set.has(bit) ? "sent" : "as before, or padding" }, `${bit}`));
    }
    drawn.push(make("p", { class: "dim" }, `delta header: ${set.size} of its bits are set`), make("div", { class: "acks" }, ...cells));
  }
  return drawn.slice(0, 20);
}

/**
 * @param {string} protocol
 * @param {TreeNode[]} tree
 */
export function protocolViews(protocol, tree) {
  if (protocol === "riptide") return acks(tree);
  if (protocol === "freeciv") return deltaHeader(tree);
  return [];
}
