// The fields of a packet as a tree.

import { closest, make } from "./dom.js";

/**
 * A node of a packet: a group, a field, or a warning. Not in the definition, which has no types that contain themselves.
 * @typedef {object} TreeNode
 * @property {string} k - kind
 * @property {string} n - name
 * @property {string} [v] - value
 * @property {number} s - index of the source of its bits
 * @property {[number, number]} b - its first bit, and the one after its last
 * @property {TreeNode[]} [c] - children
 */

/** @param {[number, number]} bits */
function range([from, to]) {
  if (from === to) return "";
  /** @param {number} bit */
  const place = (bit) => (bit % 8 === 0 ? `${bit / 8}` : `${Math.floor(bit / 8)}.${bit % 8}`);
  return `${place(from)}..${place(to)}`;
}

export class Tree {
  /**
   * `onmark` is called with the node that has the pointer or the focus.
   * @param {TreeNode[]} nodes
   * @param {(node: TreeNode) => void} onmark
   */
  constructor(nodes, onmark) {
    this.onmark = onmark;
    /** @type {{ node: TreeNode, element: HTMLElement }[]} */
    this.nodes = [];
    /** @type {HTMLElement | null} */
    this.marked = null;
    this.element = make("div", { class: "fields", role: "tree", "aria-label": "Fields" }, ...nodes.map((node) => this.node(node, false)));
    this.element.addEventListener("mouseover", (event) => this.mark(closest(event, ".node")));
    this.element.addEventListener("focusin", (event) => this.mark(closest(event, ".node")));
    this.element.addEventListener("keydown", (event) => this.key(event));
    if (this.nodes[0]) this.nodes[0].element.tabIndex = 0;
  }

  /**
   * @param {TreeNode} node
   * @param {boolean} isBefore
   * @returns {HTMLElement}
   */
  node(node, isBefore) {
    const before = isBefore || node.k === "baseline";
    const text = node.v === undefined ? "" : node.k === "warning" || node.k === "error" ? ` ${node.v}` : `: ${node.v}`;
    const name = node.n || (node.v === undefined ? "" : "·");
    const label = node.k === "baseline" ? "not sent, as before" : name;
    const element = make("div", { class: `node ${node.k}${before ? " before" : ""}`, role: "treeitem", tabindex: "-1" },
      make("span", { class: "range" }, range(node.b)), make("span", { class: "name" }, label), text);
    this.nodes.push({ node, element });
    element.dataset.index = `${this.nodes.length - 1}`;
    if (!node.c) return element;
    return make("div", { role: "none" }, element, make("div", { class: "children", role: "group" }, ...node.c.map((child) => this.node(child, before))));
  }

  /** @param {HTMLElement | null} element */
  mark(element) {
    if (!element || element === this.marked) return;
    this.marked?.classList.remove("marked");
    this.marked = element;
    element.classList.add("marked");
    this.onmark(this.nodes[Number(element.dataset.index)].node);
  }

  /**
   * Marks the smallest node that contains a bit of a byte.
   * @param {number} source
   * @param {number} at
   */
  markByte(source, at) {
    const found = this.nodes
      .filter(({ node }) => node.s === source && node.k !== "source" && node.b[0] < at * 8 + 8 && node.b[1] > at * 8)
      .sort(({ node: one }, { node: other }) => one.b[1] - one.b[0] - (other.b[1] - other.b[0]))[0];
    if (!found) return;
    this.mark(found.element);
    found.element.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    /** @type {Record<string, number>} */
    const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const from = Number(closest(event, ".node")?.dataset.index);
    const to = Math.min(this.nodes.length - 1, Math.max(0, from + step));
    this.nodes[from].element.tabIndex = -1;
    this.nodes[to].element.tabIndex = 0;
    this.nodes[to].element.focus();
  }
}
